/* The zones that memory.ld sets aside for an arena. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board.h"

extern uint8_t board_first_zone_start[], board_first_zone_end[];
extern uint8_t board_second_zone_start[], board_second_zone_end[];

bool board_arena_zone(const uint8_t *arena, uint8_t **from, uint8_t **to) {
    uint8_t *const zones[][2] = {
        {board_first_zone_start, board_first_zone_end},
        {board_second_zone_start, board_second_zone_end},
    };
    for (size_t zone = 0; zone < sizeof zones / sizeof zones[0]; ++zone) {
        if (zones[zone][0] <= arena && arena < zones[zone][1]) {
            *from = zones[zone][0];
            *to = zones[zone][1];
            return true;
        }
    }
    return false;
}
