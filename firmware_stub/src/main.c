/* The pattern check of every plan in arena_run, told in TAP. */
#include "../board/board.h"
#include "../board/text.h"
#include "check.h"
#include "pattern.h"
#include "report.h"

/* No operator's check takes this long, the largest arena that a board holds included. */
#define PATIENCE_SECONDS 20u

check_t check;

static uint32_t planned_end(void) {
    uint32_t end = 0u;
    for (uint32_t index = 0; index < arena_run.buffer_count; ++index) {
        const uint32_t size = arena_run.buffers[index].size;
        if (size > 0u && check.rows[index].offset + size > end) {
            end = check.rows[index].offset + size;
        }
    }
    return end;
}

static void say(const char *text) {
    text_put("# ");
    text_put(text);
    text_put("\n");
}

static void run_passes(bool quiet) {
    const uint32_t rounds = pattern_rounds(arena_run.buffer_count);
    for (check.round = 0u; check.round < rounds; ++check.round) {
        if (!quiet) {
            say("pass 1, offsets: scope by scope, as the plan says");
        }
        check.pass = 1u;
        offsets_pass();
        if (!quiet) {
            say("pass 2, lifetimes: operator by operator, as the model says");
        }
        check.pass = 2u;
        lifetimes_pass();
    }
}

static void judge(uint32_t number) {
    const bool quiet = number > 0u;
    uint32_t used = 0u;
    check = (check_t){&arena_run.plans[number], arena_run.plans[number].plan->buffers, number, 0u, 0u};
    report_plan(number, quiet);
    board_running("the promises of the plan");
    if (promises_hold()) {
        (void)ground_paint();
        run_passes(quiet);
        used = ground_high_water();
        if (report_point(used == planned_end())) {
            text_put("the highest byte written is the plan's highest");
            report_close();
        }
    }
    report_plan_end(used, check.judged->plan->arena_size);
}

int main(void) {
    report_begin();
    say(arena_run.model);
    board_watch(PATIENCE_SECONDS);
    for (uint32_t number = 0; number < arena_run.plan_count; ++number) {
        judge(number);
    }
    return report_end() ? (int)BOARD_EXIT_PASSED : (int)BOARD_EXIT_FAILED;
}
