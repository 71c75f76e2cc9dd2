#include "cumsum.h"

/* Element `step` of line `line` along the axis, in the order in which it is summed up. */
static int32_t place(const kernel_cumsum_t *p, int32_t line, int32_t step) {
    const int32_t position = p->is_reverse != 0 ? p->size - 1 - step : step;
    return (line / p->inner * p->size + position) * p->inner + line % p->inner;
}

static uint32_t lifted(const kernel_cumsum_t *p, int32_t value) {
    return (uint32_t)fixed_scaled((value + p->input_offset) * (1 << p->lift), p->input_scale);
}

static bool run(const kernel_call_t *call) {
    const kernel_cumsum_t *p = call->params;
    const int8_t *input = call->inputs[0];
    for (int32_t line = 0; line < p->outer * p->inner; ++line) {
        uint32_t sum = lifted(p, 0);
        for (int32_t step = 0; step < p->size; ++step) {
            const int32_t at = place(p, line, step);
            const uint32_t next = sum + lifted(p, input[at]);
            const int32_t shown = (int32_t)(p->is_exclusive != 0 ? sum : next);
            const int32_t scaled = fixed_scaled(shown, p->output_scale) + p->output_offset;
            ((int8_t *)call->outputs[0])[at] = (int8_t)fixed_clamp(scaled, INT8_MIN, INT8_MAX);
            sum = next;
        }
    }
    return true;
}

static bool run_f32(const kernel_call_t *call) {
    const kernel_cumsum_t *p = call->params;
    const float *input = call->inputs[0];
    for (int32_t line = 0; line < p->outer * p->inner; ++line) {
        float sum = 0.0f;
        for (int32_t step = 0; step < p->size; ++step) {
            const int32_t at = place(p, line, step);
            const float next = sum + input[at];
            ((float *)call->outputs[0])[at] = p->is_exclusive != 0 ? sum : next;
            sum = next;
        }
    }
    return true;
}

const kernel_t kernel_cumsum = {run, NULL};
const kernel_t kernel_cumsum_f32 = {run_f32, NULL};
