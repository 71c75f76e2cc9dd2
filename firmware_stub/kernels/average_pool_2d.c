#include "average_pool_2d.h"

#include "pool_2d_loop.h"

static bool run(const kernel_call_t *call) {
    const cmsis_nn_context context = {call->scratch[0], (int32_t)call->scratch_bytes[0]};
    return pool_each(call, arm_avgpool_s8, &context);
}

static uint32_t scratch(const void *params, uint32_t number) {
    const kernel_pool_2d_t *p = params;
    (void)number;
    return (uint32_t)arm_avgpool_s8_get_buffer_size((int)p->window.out_w, (int)p->window.in_c);
}

static bool run_f32(const kernel_call_t *call) {
    return pool_f32(call, true);
}

const kernel_t kernel_average_pool_2d = {run, scratch};
const kernel_t kernel_average_pool_2d_f32 = {run_f32, NULL};
