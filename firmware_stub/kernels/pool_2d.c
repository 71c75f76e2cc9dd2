#include "pool_2d.h"

#include "arm_nnfunctions.h"

typedef struct {
    cmsis_nn_pool_params params;
    cmsis_nn_dims input, window, output;
} described_t;

/* One picture of the batch: the library does not count them. */
static described_t describe(const kernel_pool_2d_t *p) {
    const kernel_window_t *w = &p->window;
    return (described_t){
        {{w->stride_w, w->stride_h}, {w->pad_w, w->pad_h}, {p->lowest, p->highest}},
        {1, w->in_h, w->in_w, w->in_c},
        {1, w->window_h, w->window_w, 1},
        {1, w->out_h, w->out_w, w->out_c},
    };
}

typedef arm_cmsis_nn_status (*pool_t)(const cmsis_nn_context *, const cmsis_nn_pool_params *, const cmsis_nn_dims *,
                                      const int8_t *, const cmsis_nn_dims *, const cmsis_nn_dims *, int8_t *);

static bool run_each(const kernel_call_t *call, pool_t pool, const cmsis_nn_context *context) {
    const kernel_pool_2d_t *p = call->params;
    const kernel_window_t *w = &p->window;
    const described_t d = describe(p);
    const int8_t *input = call->inputs[0];
    int8_t *output = call->outputs[0];
    for (int32_t picture = 0; picture < w->batch; ++picture) {
        if (pool(context, &d.params, &d.input, input, &d.window, &d.output, output) != ARM_CMSIS_NN_SUCCESS) {
            return false;
        }
        input += w->in_h * w->in_w * w->in_c;
        output += w->out_h * w->out_w * w->out_c;
    }
    return true;
}

static bool run_average(const kernel_call_t *call) {
    const cmsis_nn_context context = {call->scratch[0], (int32_t)call->scratch_bytes[0]};
    return run_each(call, arm_avgpool_s8, &context);
}

static uint32_t average_scratch(const void *params, uint32_t number) {
    const kernel_pool_2d_t *p = params;
    (void)number;
    return (uint32_t)arm_avgpool_s8_get_buffer_size((int)p->window.out_w, (int)p->window.in_c);
}

static bool run_max(const kernel_call_t *call) {
    const cmsis_nn_context context = {NULL, 0};
    return run_each(call, arm_max_pool_s8, &context);
}

const kernel_t kernel_average_pool_2d = {run_average, average_scratch};
const kernel_t kernel_max_pool_2d = {run_max, NULL};
