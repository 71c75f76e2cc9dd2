/* Cycles of the core, as the Data Watchpoint and Trace unit counts them: a real core has no counter of instructions. */
#ifndef ARENA_BOARD_CYCLES_H
#define ARENA_BOARD_CYCLES_H

#include <stdint.h>

#include "core.h"

/* Cycles since the first call, which must be called again before 2^32 of them have passed. */
static inline uint64_t cycles_passed(void) {
    static uint32_t before;
    static uint64_t cycles;
    if ((CORE_DWT_CTRL & CORE_DWT_CTRL_CYCLES) == 0u) {
        CORE_DEMCR |= CORE_DEMCR_TRACE;
        CORE_DWT_LAR = CORE_DWT_LAR_KEY; /* a Cortex-M7 keeps it locked */
        CORE_DWT_CYCCNT = 0u;
        CORE_DWT_CTRL |= CORE_DWT_CTRL_CYCLES;
        before = 0u;
    }
    const uint32_t now = CORE_DWT_CYCCNT;
    cycles += now - before;
    before = now;
    return cycles;
}

#endif
