#include "mul.h"

static bool run(const kernel_call_t *call) {
    const kernel_mul_t *p = call->params;
    const int32_t count = pair_count(&p->pair);
    for (int32_t at = 0; at < count; ++at) {
        const int32_t left = element_read(call->inputs[0], pair_place(&p->pair, p->pair.left, at), p->element);
        const int32_t right = element_read(call->inputs[1], pair_place(&p->pair, p->pair.right, at), p->element);
        const int32_t scaled = fixed_scaled((left + p->left_offset) * (right + p->right_offset), p->scale);
        element_write(call->outputs[0], at, p->element, fixed_clamp(scaled + p->output_offset, p->lowest, p->highest));
    }
    return true;
}

static bool run_s32(const kernel_call_t *call) {
    const kernel_mul_s32_t *p = call->params;
    const uint32_t *left = call->inputs[0];
    const uint32_t *right = call->inputs[1];
    int32_t *output = call->outputs[0];
    const int32_t count = pair_count(&p->pair);
    for (int32_t at = 0; at < count; ++at) {
        const uint32_t a = left[pair_place(&p->pair, p->pair.left, at)];
        const uint32_t b = right[pair_place(&p->pair, p->pair.right, at)];
        output[at] = fixed_clamp((int32_t)(a * b), p->lowest, p->highest);
    }
    return true;
}

static bool run_f32(const kernel_call_t *call) {
    const kernel_mul_f32_t *p = call->params;
    const float *left = call->inputs[0];
    const float *right = call->inputs[1];
    float *output = call->outputs[0];
    const int32_t count = pair_count(&p->pair);
    for (int32_t at = 0; at < count; ++at) {
        const float a = left[pair_place(&p->pair, p->pair.left, at)];
        const float product = a * right[pair_place(&p->pair, p->pair.right, at)];
        output[at] = product < p->lowest ? p->lowest : product > p->highest ? p->highest : product;
    }
    return true;
}

const kernel_t kernel_mul = {run, NULL};
const kernel_t kernel_mul_s32 = {run_s32, NULL};
const kernel_t kernel_mul_f32 = {run_f32, NULL};
