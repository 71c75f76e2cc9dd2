#include "prelu.h"

static bool run(const kernel_call_t *call) {
    const kernel_prelu_t *p = call->params;
    const int8_t *slopes = call->inputs[1];
    const int32_t count = pair_count(&p->pair);
    for (int32_t at = 0; at < count; ++at) {
        const int32_t place = pair_place(&p->pair, p->pair.left, at);
        const int32_t value = element_read(call->inputs[0], place, p->element) + p->input_offset;
        const int32_t slope = slopes[pair_place(&p->pair, p->pair.right, at)] + p->slope_offset;
        const int32_t scaled = value >= 0 ? fixed_scaled(value, p->above) : fixed_scaled(value * slope, p->below);
        element_write(call->outputs[0], at, p->element, fixed_clamp(scaled + p->output_offset, p->lowest, p->highest));
    }
    return true;
}

static bool run_f32(const kernel_call_t *call) {
    const kernel_prelu_f32_t *p = call->params;
    const float *values = call->inputs[0];
    const float *slopes = call->inputs[1];
    const int32_t count = pair_count(&p->pair);
    for (int32_t at = 0; at < count; ++at) {
        const float value = values[pair_place(&p->pair, p->pair.left, at)];
        const float slope = slopes[pair_place(&p->pair, p->pair.right, at)];
        ((float *)call->outputs[0])[at] = value >= 0.0f ? value : value * slope;
    }
    return true;
}

const kernel_t kernel_prelu = {run, NULL};
const kernel_t kernel_prelu_f32 = {run_f32, NULL};
