/* Numbers of this board that shared code needs. */
#ifndef ARENA_BOARD_FACTS_H
#define ARENA_BOARD_FACTS_H

#include <stdbool.h>

#define BOARD_CORE_CLOCK 25000000u
#define BOARD_HAS_HOST true /* QEMU's semihosting */

#define BOARD_NO_ACCESS_BASE 0x10000000u /* up to SRAM: nothing, which QEMU lets be written */
#define BOARD_NO_ACCESS_LOG2 28u
#define BOARD_READ_ONLY_LOG2 22u /* from address 0 on: code memory */

#endif
