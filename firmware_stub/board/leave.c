/* The end: a code for the host; where none listens the core sleeps, and the text has said it all. */
#include <stdint.h>

#include "board.h"
#include "core.h"
#include "facts.h"
#include "semihosting.h"

_Noreturn void board_exit(uint32_t code) {
    const uint32_t block[2] = {SEMIHOSTING_APPLICATION_EXIT, code};
    if (BOARD_HAS_HOST) {
        (void)semihosting(SEMIHOSTING_EXIT_EXTENDED, block);
    }
    for (;;) {
        __asm__ volatile("cpsid i\n\twfi");
    }
}
