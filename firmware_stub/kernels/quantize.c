#include "quantize.h"

static bool run(const kernel_call_t *call) {
    const kernel_quantize_t *p = call->params;
    for (int32_t at = 0; at < p->count; ++at) {
        const int32_t value = element_read(call->inputs[0], at, p->from) + p->input_offset;
        const int32_t scaled = fixed_scaled(value, p->scale) + p->output_offset;
        element_write(call->outputs[0], at, p->to, fixed_clamp(scaled, p->lowest, p->highest));
    }
    return true;
}

/* To the nearest whole number, halves away from zero; what int32_t cannot hold, and NaN, goes to the end of the range.
 * */
static int32_t rounded(float value) {
    if (!(value > -2147483648.0f)) {
        return INT32_MIN;
    }
    if (value >= 2147483648.0f) {
        return INT32_MAX;
    }
    const int32_t whole = (int32_t)value;
    const float rest = value - (float)whole; /* exact: where it matters, a float has room for both */
    return whole + (rest >= 0.5f ? 1 : 0) - (rest <= -0.5f ? 1 : 0);
}

static bool run_f32(const kernel_call_t *call) {
    const kernel_quantize_f32_t *p = call->params;
    const float *input = call->inputs[0];
    for (int32_t at = 0; at < p->count; ++at) {
        const int64_t value = (int64_t)rounded(input[at] / p->scale) + p->zero_point;
        const int64_t clamped = value < p->lowest ? p->lowest : value > p->highest ? p->highest : value;
        element_write(call->outputs[0], at, p->element, (int32_t)clamped);
    }
    return true;
}

const kernel_t kernel_quantize = {run, NULL};
const kernel_t kernel_quantize_f32 = {run_f32, NULL};
