/* Numbers of this board that shared code needs. */
#ifndef ARENA_BOARD_FACTS_H
#define ARENA_BOARD_FACTS_H

#include "../core.h"

#define BOARD_CORE_CLOCK 16000000u /* the internal oscillator, as it runs after reset */
#define BOARD_HAS_HOST ((CORE_DHCSR & CORE_DHCSR_DEBUGGER) != 0u)

#define BOARD_NO_ACCESS_BASE 0x18000000u /* up to the stack: system memory, and nothing */
#define BOARD_NO_ACCESS_LOG2 27u
#define BOARD_READ_ONLY_LOG2 28u /* from address 0 on: all of the flash, and what is mapped to address 0 */

#endif
