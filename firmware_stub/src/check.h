/* The pattern check: it executes a plan without kernels. main.c runs its parts in the order below. */
#ifndef ARENA_CHECK_H
#define ARENA_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "run.h"

/* The plan that is judged now, and the round of the pattern (see pattern.h). */
typedef struct {
    const run_plan_t *judged;
    const arena_buffer_t *rows; /* of the plan's table */
    uint32_t number;            /* of the plan in arena_run.plans */
    uint32_t round;
    uint32_t pass; /* 1: offsets.c, 2: lifetimes.c */
} check_t;

extern check_t check;

/* promises.c: what the plan and the arena promise without being run: alignment, bounds, room. True where the passes can
 * run without leaving the arena. */
bool promises_hold(void);

/* offsets.c: pass 1. lifetimes.c: pass 2. */
void offsets_pass(void);
void lifetimes_pass(void);

/* ground.c: the bytes that are nobody's. Paints the whole zone; looks whether the guard zones are still painted and
 * reports where they are not; says how high the arena was written. */
bool ground_paint(void);
bool ground_guards_whole(const char *place, int32_t scope);
uint32_t ground_high_water(void);

/* buffers.c: writing and judging buffers. */

/* Forgets all writes. */
void buffers_forget(void);

/* How many writes there were: what is written from now on has a larger run_state_t.written. */
uint32_t buffers_clock(void);

/* Fills a buffer with its next generation. */
void buffers_write(uint32_t index);

/* True where `output` may have taken bytes of `input` by now. */
typedef bool (*buffers_permit_t)(uint32_t input, uint32_t output, int32_t scope);

/* Judges all bytes of a buffer and reports damage, once per write. `place` and `scope` say when (scope RUN_NO_SCOPE: none);
 * `permit` is asked about permitted shares, NULL where none counts. False where the buffer is damaged. */
#define RUN_NO_SCOPE INT32_MIN
bool buffers_whole(uint32_t index, const char *place, int32_t scope, buffers_permit_t permit);

#endif
