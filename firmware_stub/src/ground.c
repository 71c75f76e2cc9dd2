#include "../board/board.h"
#include "../board/text.h"
#include "check.h"
#include "pattern.h"
#include "report.h"

static uint8_t *zone_from;
static uint8_t *zone_to;

static uint8_t *arena_end(void) {
    return arena_run.arena + check.judged->plan->arena_size;
}

bool ground_paint(void) {
    if (!board_arena_zone(arena_run.arena, &zone_from, &zone_to)) {
        return false;
    }
    pattern_fill(zone_from, zone_to, PATTERN_PAINT);
    return true;
}

/* Reports the first byte of [from, to) that is no longer painted, and paints it again. */
static bool guard_whole(uint8_t *from, uint8_t *to, const char *place, int32_t scope) {
    const uint8_t *damage = pattern_damage(from, to, PATTERN_PAINT);
    if (damage == to) {
        return true;
    }
    if (report_point(false)) {
        report_place(place, scope);
        text_put("the guard zone was overwritten at byte ");
        text_decimal(damage - arena_run.arena);
        text_put(" of an arena of ");
        text_decimal(check.judged->plan->arena_size);
        report_close();
    }
    pattern_fill(from, to, PATTERN_PAINT);
    return false;
}

bool ground_guards_whole(const char *place, int32_t scope) {
    const bool below = guard_whole(zone_from, arena_run.arena, place, scope);
    return guard_whole(arena_end(), zone_to, place, scope) && below;
}

uint32_t ground_high_water(void) {
    return (uint32_t)(pattern_last_damage(arena_run.arena, arena_end(), PATTERN_PAINT) - arena_run.arena);
}
