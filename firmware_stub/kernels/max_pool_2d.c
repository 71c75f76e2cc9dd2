#include "max_pool_2d.h"

#include "pool_2d_loop.h"

static bool run(const kernel_call_t *call) {
    const cmsis_nn_context context = {NULL, 0};
    return pool_each(call, arm_max_pool_s8, &context);
}

static bool run_f32(const kernel_call_t *call) {
    return pool_f32(call, false);
}

const kernel_t kernel_max_pool_2d = {run, NULL};
const kernel_t kernel_max_pool_2d_f32 = {run_f32, NULL};
