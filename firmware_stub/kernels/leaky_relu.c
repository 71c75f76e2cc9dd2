#include "leaky_relu.h"

static float value_at(float x, float slope) {
    return x > 0.0f ? x : x * slope;
}

static bool run_f32(const kernel_call_t *call) {
    return activation_each(call, value_at);
}

static bool run_s16(const kernel_call_t *call) {
    const kernel_leaky_relu_s16_t *p = call->params;
    const int16_t *input = call->inputs[0];
    int16_t *output = call->outputs[0];
    for (int32_t at = 0; at < p->count; ++at) {
        const int32_t value = input[at] + p->input_offset;
        const int32_t below = p->sign_below * fixed_scaled(value, p->below);
        const int32_t scaled = value >= 0 ? fixed_scaled(value, p->above) : below;
        output[at] = (int16_t)fixed_clamp(scaled + p->output_offset, INT16_MIN, INT16_MAX);
    }
    return true;
}

const kernel_t kernel_leaky_relu_f32 = {run_f32, NULL};
const kernel_t kernel_leaky_relu_s16 = {run_s16, NULL};
