/* What runs, and the watch over it: SysTick ends a run that makes no progress. */
#include <stdint.h>

#include "board.h"
#include "text.h"
#include "core.h"
#include "facts.h"

#define TICKS_PER_SECOND 10u

static const char *volatile running = "start-up";
static volatile uint32_t ticks_left;

void board_running(const char *what) {
    running = what;
    ticks_left = 0u; /* the next tick winds it up again */
}

const char *board_runs(void) {
    return running;
}

static uint32_t patience;

void board_watch(uint32_t seconds) {
    patience = seconds * TICKS_PER_SECOND;
    CORE_SYST_RVR = BOARD_CORE_CLOCK / TICKS_PER_SECOND - 1u;
    CORE_SYST_CVR = 0u;
    CORE_SYST_CSR = CORE_SYST_CSR_RUN;
}

void board_tick(void) {
    if (ticks_left == 0u) {
        ticks_left = patience + 1u;
    } else if (--ticks_left == 1u) {
        text_put("\nBail out! no progress for ");
        text_decimal(patience / TICKS_PER_SECOND);
        text_put(" seconds during ");
        text_put(running);
        text_put("\n");
        board_exit(BOARD_EXIT_HANG);
    }
}
