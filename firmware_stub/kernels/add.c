#include "add.h"

static bool run(const kernel_call_t *call) {
    const kernel_add_t *p = call->params;
    const int32_t count = pair_count(&p->pair);
    for (int32_t at = 0; at < count; ++at) {
        const int32_t left = element_read(call->inputs[0], pair_place(&p->pair, p->pair.left, at), p->element);
        const int32_t right = element_read(call->inputs[1], pair_place(&p->pair, p->pair.right, at), p->element);
        const int32_t left_lifted = fixed_shift_left(left + p->left_offset, p->lift);
        const int32_t right_lifted = fixed_shift_left(right + p->right_offset, p->lift);
        const int32_t right_scaled = p->sign * fixed_scaled(right_lifted, p->right_scale);
        const int32_t sum = fixed_scaled(left_lifted, p->left_scale) + right_scaled;
        const int32_t scaled = fixed_scaled(sum, p->output_scale) + p->output_offset;
        element_write(call->outputs[0], at, p->element, fixed_clamp(scaled, p->lowest, p->highest));
    }
    return true;
}

static bool run_s32(const kernel_call_t *call) {
    const kernel_add_s32_t *p = call->params;
    const uint32_t *left = call->inputs[0];
    const uint32_t *right = call->inputs[1];
    int32_t *output = call->outputs[0];
    const int32_t count = pair_count(&p->pair);
    for (int32_t at = 0; at < count; ++at) {
        const uint32_t a = left[pair_place(&p->pair, p->pair.left, at)];
        const uint32_t b = right[pair_place(&p->pair, p->pair.right, at)];
        output[at] = fixed_clamp((int32_t)(p->sign > 0 ? a + b : a - b), p->lowest, p->highest);
    }
    return true;
}

static bool run_f32(const kernel_call_t *call) {
    const kernel_add_f32_t *p = call->params;
    const float *left = call->inputs[0];
    const float *right = call->inputs[1];
    float *output = call->outputs[0];
    const int32_t count = pair_count(&p->pair);
    for (int32_t at = 0; at < count; ++at) {
        const float a = left[pair_place(&p->pair, p->pair.left, at)];
        const float sum = a + p->sign * right[pair_place(&p->pair, p->pair.right, at)];
        output[at] = sum < p->lowest ? p->lowest : sum > p->highest ? p->highest : sum;
    }
    return true;
}

const kernel_t kernel_add = {run, NULL};
const kernel_t kernel_add_s32 = {run_s32, NULL};
const kernel_t kernel_add_f32 = {run_f32, NULL};
