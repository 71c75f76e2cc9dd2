#include "report.h"

#include "../board/text.h"
#include "check.h"

/* Beyond this many failures of one plan, further ones are counted only. */
#define MOST_FAILURES 100u

static uint32_t points;
static uint32_t all_failures;
static uint32_t plan_number;
static uint32_t plan_points;
static uint32_t plan_failures;
static bool is_quiet;

void report_begin(void) {
    text_put("TAP version 13\n");
}

void report_plan(uint32_t number, bool quiet) {
    plan_number = number;
    plan_points = 0u;
    plan_failures = 0u;
    is_quiet = quiet;
}

void report_plan_end(uint32_t used, uint32_t planned) {
    if (!is_quiet) {
        text_put("# high-water mark ");
        text_decimal(used);
        text_put(" of ");
        text_decimal(planned);
        text_put(" planned bytes\n");
    }
    text_put("# @high-water plan ");
    text_decimal(plan_number);
    text_put(" used ");
    text_decimal(used);
    text_put(" planned ");
    text_decimal(planned);
    text_put("\n# @plan ");
    text_decimal(plan_number);
    text_put(" points ");
    text_decimal(plan_points);
    text_put(" failures ");
    text_decimal(plan_failures);
    text_put("\n");
}

bool report_end(void) {
    text_put("1..");
    text_decimal(points);
    text_put("\n");
    return all_failures == 0u;
}

bool report_point(bool passed) {
    ++plan_points;
    if (!passed) {
        ++all_failures;
        ++plan_failures;
    }
    if (passed ? is_quiet : plan_failures > MOST_FAILURES) {
        return false;
    }
    text_put(passed ? "ok " : "not ok ");
    text_decimal(++points);
    text_put(" - ");
    return true;
}

void report_close(void) {
    text_put("\n");
}

void report_buffer(uint32_t index) {
    const arena_buffer_t *row = &check.rows[index];
    text_put("'");
    text_put(arena_run.buffers[index].name);
    text_put("' [");
    text_decimal(row->offset);
    text_put(", ");
    text_decimal((int64_t)row->offset + arena_run.buffers[index].size);
    text_put(")");
}

static void put_place(const char *place, int32_t scope) {
    if (scope != RUN_NO_SCOPE) {
        text_put("scope ");
        text_decimal(scope);
        text_put(" ");
    }
    text_put(place);
}

void report_place(const char *place, int32_t scope) {
    put_place(place, scope);
    text_put(": ");
}

void report_damage(const char *place, int32_t scope, uint32_t victim, uint32_t culprit, uint32_t byte) {
    if (!report_point(false)) {
        return;
    }
    report_place(place, scope);
    report_buffer(victim);
    text_put(" was overwritten by ");
    if (culprit == REPORT_NOBODY) {
        text_put("nobody that the plan knows");
    } else {
        report_buffer(culprit);
    }
    text_put(" at byte ");
    text_decimal(byte);
    text_put("\n# @damage plan ");
    text_decimal(plan_number);
    text_put(" pass ");
    text_decimal(check.pass);
    text_put(" victim ");
    text_decimal(victim);
    text_put(" by ");
    text_decimal(culprit == REPORT_NOBODY ? -1 : (int64_t)culprit);
    text_put(" byte ");
    text_decimal(byte);
    text_put(" at ");
    put_place(place, scope);
    report_close();
}
