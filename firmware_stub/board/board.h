/* What every board gives to the code that runs on it. Board facts (addresses, peripherals) stay behind this file. */
#ifndef ARENA_BOARD_H
#define ARENA_BOARD_H

#include <stdbool.h>
#include <stdint.h>

/* Exit codes of the firmware, as the host sees them. */
#define BOARD_EXIT_PASSED 0u
#define BOARD_EXIT_FAILED 1u
#define BOARD_EXIT_FAULT 2u
#define BOARD_EXIT_HANG 3u

/* Ends the run with a code; never returns. */
_Noreturn void board_exit(uint32_t code);

/* Sends one character to the host. '\n' is sent as it is. Safe in fault handlers. */
void board_put(char character);

/* Readies what the functions above need; the start-up code calls it before main(). */
void board_init(void);

/* Says what runs now, for the messages of faults and hangs, and that there is progress. The text must outlive the run.
 * */
void board_running(const char *what);

/* What board_running() said last. */
const char *board_runs(void);

/* From now on, `seconds` without a call of board_running() end the run with a message and BOARD_EXIT_HANG. */
void board_watch(uint32_t seconds);

/* Instructions that ran since the first call, as finely as the board can tell. */
uint64_t board_instructions(void);

/* Appends bytes to the host's file of tensors. */
void board_send(const void *bytes, uint32_t count);

/* The zone of memory that the linker script set aside for an arena, guard zones on both sides included.
 * False where `arena` lies in no such zone. */
bool board_arena_zone(const uint8_t *arena, uint8_t **from, uint8_t **to);

#endif
