/* What arena-codegen generates for a model, by hand for a small one: the firmware builds with it where no other is given.
 *
 *     in -> op 0 RELU -> a -> op 1 RELU -> b,   out = op 2 ADD (a, b)
 *
 *     scope   0    1    2    3
 *     in      #    #    .    .     [0, 128)
 *     a       .    #    #    #     [128, 256)
 *     b       .    .    #    #     [0, 128), where `in` was
 *     out     .    .    .    #     [0, 128), in place of `b`, which dies as `out` is born
 */
#include "run.h"

#define COUNT 4

static ARENA_ALIGN(16) uint8_t arena[256] ARENA_SECTION(".noinit.arena_sram");

static const arena_buffer_t table[COUNT] = {{0, 128, 0, 1}, {128, 128, 1, 3}, {0, 128, 2, 3}, {0, 128, 3, 3}};
static const arena_plan_t plan = {ARENA_PLAN_ABI, sizeof arena, 16, ARENA_KERNELS_NONE, ARENA_PLAN_IN_PLACE, 0, 0, COUNT, table};

static const uint32_t order[COUNT] = {0, 1, 2, 3};
static const run_share_t shares[1] = {{2, 3, 1, 0}};
static const run_plan_t plans[1] = {{&plan, order, shares, 1}};

static const run_buffer_t buffers[COUNT] = {
    {"in", 128, 128, 16, 0}, {"a", 128, 128, 16, 0}, {"b", 128, 128, 16, 0}, {"out", 128, 128, 16, RUN_TO_END}};
static const int32_t lists[] = {0, 1, 2, 3};
static const run_operator_t operators[3] = {
    {"op 0 RELU", RUN_PLAIN, {0, 1}, {1, 1}, {0, 0}, {0, 0}},
    {"op 1 RELU", RUN_PLAIN, {1, 1}, {2, 1}, {0, 0}, {0, 0}},
    {"op 2 ADD", RUN_PLAIN, {1, 2}, {3, 1}, {0, 0}, {0, 0}},
};
static const run_graph_t graphs[1] = {{{0, 3}, {0, 1}, {3, 1}}};
static const int32_t steps[4] = {-1, 0, 1, 2};

static run_state_t states[COUNT];
static uint32_t alive[COUNT];
static uint8_t once[3];
static run_frame_t frames[1];

const run_t arena_run = {
    RUN_ABI, "example: residual", arena, sizeof arena, plans, 1, buffers, COUNT, operators, 3, graphs, 1,
    lists, steps, 4, states, alive, once, frames, 1};
