#include "surroundings.h"

#include "../board/board.h"
#include "../src/pattern.h"
#include "network.h"

static uint8_t *zone_from;
static uint8_t *zone_to;

static uint8_t *arena_end(void) {
    return network.arena + network.plan->arena_size;
}

bool surroundings_paint(void) {
    if (!board_arena_zone(network.arena, &zone_from, &zone_to)) {
        return false;
    }
    pattern_fill(zone_from, zone_to, PATTERN_PAINT);
    return true;
}

bool surroundings_whole(void) {
    return pattern_damage(zone_from, network.arena, PATTERN_PAINT) == network.arena &&
           pattern_damage(arena_end(), zone_to, PATTERN_PAINT) == zone_to;
}

uint32_t surroundings_high_water(void) {
    return (uint32_t)(pattern_last_damage(network.arena, arena_end(), PATTERN_PAINT) - network.arena);
}
