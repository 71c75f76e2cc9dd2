#include "div.h"

static bool run_s32(const kernel_call_t *call) {
    const kernel_div_s32_t *p = call->params;
    const int32_t *left = call->inputs[0];
    const int32_t *right = call->inputs[1];
    const int32_t count = pair_count(&p->pair);
    for (int32_t at = 0; at < count; ++at) {
        const int32_t divisor = right[pair_place(&p->pair, p->pair.right, at)];
        if (divisor == 0) {
            return false;
        }
        const int64_t quotient = (int64_t)left[pair_place(&p->pair, p->pair.left, at)] / divisor;
        ((int32_t *)call->outputs[0])[at] = fixed_clamp((int32_t)quotient, p->lowest, p->highest);
    }
    return true;
}

static bool run_f32(const kernel_call_t *call) {
    const kernel_div_f32_t *p = call->params;
    const float *left = call->inputs[0];
    const float *right = call->inputs[1];
    float *output = call->outputs[0];
    const int32_t count = pair_count(&p->pair);
    for (int32_t at = 0; at < count; ++at) {
        const float dividend = left[pair_place(&p->pair, p->pair.left, at)];
        const float quotient = dividend / right[pair_place(&p->pair, p->pair.right, at)];
        output[at] = quotient < p->lowest ? p->lowest : quotient > p->highest ? p->highest : quotient;
    }
    return true;
}

const kernel_t kernel_div_s32 = {run_s32, NULL};
const kernel_t kernel_div_f32 = {run_f32, NULL};
