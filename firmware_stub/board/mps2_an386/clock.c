/* Counting instructions: TIMER0 (CMSDK APB timer, DDI0479) at the core's clock. Under `-icount shift=0` QEMU's time
 * goes on by one nanosecond an instruction, so that a tick of 25 MHz is forty of them. */
#include <stdint.h>

#include "../board.h"
#include "../core.h"

#define TIMER0_CTRL CORE_REGISTER(0x40000000u)
#define TIMER0_VALUE CORE_REGISTER(0x40000004u)
#define TIMER0_RELOAD CORE_REGISTER(0x40000008u)
#define TIMER_CTRL_ENABLE 1u
#define INSTRUCTIONS_PER_TICK 40u

uint64_t board_instructions(void) {
    static uint32_t before;
    static uint64_t ticks;
    if ((TIMER0_CTRL & TIMER_CTRL_ENABLE) == 0u) {
        TIMER0_RELOAD = UINT32_MAX;
        TIMER0_VALUE = UINT32_MAX;
        TIMER0_CTRL = TIMER_CTRL_ENABLE;
        before = TIMER0_VALUE;
    }
    const uint32_t value = TIMER0_VALUE; /* counts down */
    ticks += before - value;
    before = value;
    return ticks * INSTRUCTIONS_PER_TICK;
}
