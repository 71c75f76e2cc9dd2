#include "../board/board.h"
#include "../board/text.h"
#include "check.h"
#include "report.h"

#define TABLE "the offset table"

static bool row_is_aligned(uint32_t index) {
    return check.rows[index].offset % arena_run.buffers[index].alignment == 0u;
}

static bool row_is_inside(uint32_t index) {
    return ARENA_INSIDE(check.rows[index].offset, arena_run.buffers[index].size, check.judged->plan->arena_size);
}

static bool row_has_room(uint32_t index) {
    const uint32_t size = check.rows[index].size;
    return arena_run.buffers[index].bytes <= size && size <= arena_run.buffers[index].size;
}

static bool row_lives(uint32_t index) {
    return -1 <= check.rows[index].first && check.rows[index].first <= check.rows[index].last &&
           check.rows[index].last < (int32_t)arena_run.step_count;
}

/* One point for all rows; one failed point for each row that breaks the promise. */
static bool every_row(bool (*keeps)(uint32_t index), const char *promise, const char *fault) {
    bool all = true;
    for (uint32_t index = 0; index < arena_run.buffer_count; ++index) {
        if (!keeps(index)) {
            all = false;
            if (report_point(false)) {
                text_put(TABLE ": ");
                report_buffer(index);
                text_put(fault);
                report_close();
            }
        }
    }
    if (all && report_point(true)) {
        text_put(TABLE ": ");
        text_put(promise);
        report_close();
    }
    return all;
}

/* The order that pass 1 walks names every row once, by first scope. */
static bool order_is_right(void) {
    const uint32_t *order = check.judged->order;
    bool right = true;
    buffers_forget();
    for (uint32_t at = 0; at < arena_run.buffer_count; ++at) {
        if (order[at] >= arena_run.buffer_count || arena_run.states[order[at]].lost != 0u ||
            (at > 0u && check.rows[order[at - 1u]].first > check.rows[order[at]].first)) {
            right = false;
            break;
        }
        arena_run.states[order[at]].lost = 1u;
    }
    buffers_forget();
    return right;
}

static bool point(bool passed, const char *promise) {
    if (report_point(passed)) {
        text_put(promise);
        report_close();
    }
    return passed;
}

bool promises_hold(void) {
    const arena_plan_t *plan = check.judged->plan;
    uint8_t *from;
    uint8_t *to;
    bool safe = point(arena_run.abi == RUN_ABI && plan->abi == ARENA_PLAN_ABI && plan->buffer_count == arena_run.buffer_count,
                      "plan and runner were made for this firmware and for each other");
    if (!safe) {
        return false;
    }
    safe = point(board_arena_zone(arena_run.arena, &from, &to) && from < arena_run.arena &&
                     arena_run.arena + arena_run.arena_bytes < to,
                 "the arena lies between guard zones") && safe;
    safe = point(plan->arena_size <= arena_run.arena_bytes, "the arena holds the planned bytes") && safe;
    (void)point((uintptr_t)arena_run.arena % plan->alignment == 0u, "the arena's first byte is aligned as promised");
    (void)every_row(row_is_aligned, "every offset is aligned as promised", " is not aligned as promised");
    safe = every_row(row_is_inside, "every buffer lies inside the arena", " lies outside the arena") && safe;
    (void)every_row(row_has_room, "every buffer has the bytes that the model asks for",
                    " does not have the bytes that the model asks for");
    safe = every_row(row_lives, "every buffer is alive in scopes of the model", " is not alive in scopes of the model") && safe;
    return point(order_is_right(), "the rows can be walked by their first scope") && safe;
}
