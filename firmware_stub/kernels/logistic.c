#include "logistic.h"

#include "curves.h"

static float value_at(float x, float slope) {
    (void)slope;
    return curve_logistic_f32(x);
}

static bool run_f32(const kernel_call_t *call) {
    return activation_each(call, value_at);
}

static bool run_s16(const kernel_call_t *call) {
    const kernel_curve_s16_t *p = call->params;
    const int16_t *input = call->inputs[0];
    for (int32_t at = 0; at < p->count; ++at) {
        const int32_t x = curve_argument(input[at], p->multiplier, p->right_shift);
        ((int16_t *)call->outputs[0])[at] = curve_logistic(p->logistic, x);
    }
    return true;
}

const kernel_t kernel_logistic_f32 = {run_f32, NULL};
const kernel_t kernel_logistic_s16 = {run_s16, NULL};
