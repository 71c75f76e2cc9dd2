/* Inference with real kernels from the planned arena, told in TAP. */
#include "../board/board.h"
#include "../board/text.h"
#include "execute.h"
#include "network.h"
#include "surroundings.h"
#include "tell.h"

/* No operator takes this long; on an emulator that counts instructions a second is a thousand million of them. */
#define PATIENCE_SECONDS 20u

static bool is_safe(void) {
    const arena_plan_t *plan = network.plan;
    bool safe = network.abi == NETWORK_ABI && plan->abi == ARENA_PLAN_ABI;
    tell_point(safe, "", "", "plan and network were made for this firmware");
    const bool inside = safe && plan->arena_size <= network.arena_bytes && surroundings_paint();
    tell_point(inside, "", "", "the arena lies between guard zones and holds the planned bytes");
    for (uint32_t row = 0; safe && row < plan->buffer_count; ++row) {
        safe = ARENA_INSIDE(plan->buffers[row].offset, plan->buffers[row].size, plan->arena_size);
    }
    tell_point(safe, "", "", "every buffer lies inside the arena");
    return safe && inside && execute_scratch_suffices();
}

int main(void) {
    uint32_t used = 0u;
    tell_begin();
    text_put("# ");
    text_put(network.model);
    text_put("\n");
    board_watch(PATIENCE_SECONDS);
    bool goes_on = is_safe();
    if (goes_on) {
        execute_reset();
    }
    for (uint32_t invocation = 0; goes_on && invocation < network.invocation_count; ++invocation) {
        (void)surroundings_paint();
        goes_on = execute(invocation);
        const bool whole = surroundings_whole();
        tell_point(whole, network.invocations[invocation].name, "", "the guard zones are whole");
        goes_on = goes_on && whole;
        const uint32_t water = surroundings_high_water();
        used = water > used ? water : used;
    }
    const tell_number_t note[] = {{"high-water", used}, {"planned", network.plan->arena_size}};
    tell_note(note, 2u);
    return tell_end() ? (int)BOARD_EXIT_PASSED : (int)BOARD_EXIT_FAILED;
}
