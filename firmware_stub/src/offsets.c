/* Pass 1, offsets: scope by scope, from the plan alone. */
#include "../board/board.h"
#include "../board/text.h"
#include "check.h"
#include "report.h"

static const char *place_of(int32_t scope) {
    if (scope < 0) {
        return "before the first operator";
    }
    const int32_t operator = (uint32_t)scope < arena_run.step_count ? arena_run.steps[scope] : -1;
    return operator >= 0 ? arena_run.operators[operator].name : "no operator";
}

/* A permitted share passes bytes on in the scope in which the input dies and the output is born, and in no other. */
static bool dies_as_born(uint32_t input, uint32_t output, int32_t scope) {
    return check.rows[input].last == scope && check.rows[output].first == scope;
}

/* Drops what died before `scope`; what is left was alive before and is alive now. */
static uint32_t still_alive(uint32_t count, int32_t scope) {
    uint32_t left = 0u;
    for (uint32_t at = 0; at < count; ++at) {
        if (check.rows[arena_run.alive[at]].last >= scope) {
            arena_run.alive[left++] = arena_run.alive[at];
        }
    }
    return left;
}

static bool all_whole(uint32_t alive, int32_t scope, buffers_permit_t permit) {
    bool whole = true;
    for (uint32_t at = 0; at < alive; ++at) {
        whole = buffers_whole(arena_run.alive[at], place_of(scope), scope, permit) && whole;
    }
    return whole;
}

static void close_scope(int32_t scope, uint32_t alive, bool whole) {
    if (!ground_guards_whole(place_of(scope), scope) || !whole || !report_point(true)) {
        return;
    }
    uint64_t bytes = 0u;
    for (uint32_t at = 0; at < alive; ++at) {
        bytes += arena_run.buffers[arena_run.alive[at]].size;
    }
    report_place(place_of(scope), scope);
    text_decimal(alive);
    text_put(" buffers, ");
    text_decimal((int64_t)bytes);
    text_put(" bytes whole");
    report_close();
}

void offsets_pass(void) {
    const uint32_t *order = check.judged->order;
    uint32_t next = 0u;
    uint32_t alive = 0u;
    buffers_forget();
    for (int32_t scope = -1; next < arena_run.buffer_count || alive > 0u; ++scope) {
        board_running(place_of(scope));
        alive = still_alive(alive, scope);
        bool whole = all_whole(alive, scope, NULL); /* (a) alive before and now: whole */
        while (next < arena_run.buffer_count && check.rows[order[next]].first == scope) { /* (b) born now: written */
            arena_run.alive[alive++] = order[next];
            buffers_write(order[next++]);
        }
        whole = all_whole(alive, scope, dies_as_born) && whole; /* (c) alive now: whole, read or not */
        if (alive > 0u) {
            close_scope(scope, alive, whole);
        }
    }
}
