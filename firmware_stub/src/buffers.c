#include <stddef.h>

#include "check.h"
#include "pattern.h"
#include "report.h"

static uint32_t writes;

void buffers_forget(void) {
    writes = 0u;
    for (uint32_t index = 0; index < arena_run.buffer_count; ++index) {
        arena_run.states[index] = (run_state_t){0u, 0u, 0u};
    }
}

uint32_t buffers_clock(void) {
    return writes;
}

static uint8_t *first_byte(uint32_t index) {
    return arena_run.arena + check.rows[index].offset;
}

static uint32_t end_of(uint32_t index) {
    return check.rows[index].offset + arena_run.buffers[index].size;
}

static uint8_t tag_of(uint32_t index) {
    return pattern_tag(index, arena_run.states[index].generation, check.round);
}

void buffers_write(uint32_t index) {
    run_state_t *state = &arena_run.states[index];
    state->written = ++writes;
    state->generation += 1u;
    state->lost = 0u;
    pattern_fill(first_byte(index), arena_run.arena + end_of(index), tag_of(index));
}

/* Whoever wrote a byte last since the victim was written; REPORT_NOBODY where no buffer of the plan did. */
static uint32_t culprit_at(uint32_t byte, uint32_t victim) {
    uint32_t culprit = REPORT_NOBODY;
    uint32_t latest = arena_run.states[victim].written;
    for (uint32_t index = 0; index < arena_run.buffer_count; ++index) {
        if (check.rows[index].offset <= byte && byte < end_of(index) && arena_run.states[index].written > latest) {
            culprit = index;
            latest = arena_run.states[index].written;
        }
    }
    return culprit;
}

static bool rule_holds(const run_share_t *share) {
    const int64_t above = (int64_t)check.rows[share->input].offset - (int64_t)check.rows[share->output].offset;
    return share->in_place != 0u ? above == 0 : above >= share->distance;
}

/* The first share whose input is `index`, or the one after all of them. */
static uint32_t first_share(uint32_t index) {
    uint32_t low = 0u;
    uint32_t high = check.judged->share_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2u;
        if (check.judged->shares[middle].input < index) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The end of the bytes from `byte` on that a permitted output took over; `byte` itself where none did. */
static uint32_t passed_on(uint32_t index, uint32_t byte, int32_t scope, buffers_permit_t permit) {
    for (uint32_t at = first_share(index); at < check.judged->share_count; ++at) {
        const run_share_t *share = &check.judged->shares[at];
        if (share->input != index) {
            break;
        }
        if (check.rows[share->output].offset <= byte && byte < end_of(share->output) && rule_holds(share) &&
            arena_run.states[share->output].written > arena_run.states[index].written &&
            permit(index, share->output, scope)) {
            return end_of(share->output);
        }
    }
    return byte;
}

bool buffers_whole(uint32_t index, const char *place, int32_t scope, buffers_permit_t permit) {
    run_state_t *state = &arena_run.states[index];
    if (state->lost != 0u) {
        return false;
    }
    uint8_t *const end = arena_run.arena + end_of(index);
    const uint8_t tag = tag_of(index);
    uint8_t *at = first_byte(index);
    while ((at = pattern_damage(at, end, tag)) < end) {
        const uint32_t byte = (uint32_t)(at - arena_run.arena);
        const uint32_t beyond = permit != NULL ? passed_on(index, byte, scope, permit) : byte;
        if (beyond == byte) {
            state->lost = 1u;
            report_damage(place, scope, index, culprit_at(byte, index), byte);
            return false;
        }
        if (beyond >= end_of(index)) {
            break;
        }
        at = arena_run.arena + beyond;
    }
    return true;
}
