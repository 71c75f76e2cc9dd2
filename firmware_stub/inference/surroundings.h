/* The bytes around the arena, and how high it was written. */
#ifndef ARENA_SURROUNDINGS_H
#define ARENA_SURROUNDINGS_H

#include <stdbool.h>
#include <stdint.h>

/* Paints the arena and its guard zones. False where the arena lies in no zone of the board. */
bool surroundings_paint(void);

/* True where the guard zones are still painted. */
bool surroundings_whole(void);

/* One past the highest byte of the arena that is no longer painted. */
uint32_t surroundings_high_water(void);

#endif
