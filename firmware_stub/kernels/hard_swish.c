#include "hard_swish.h"

static float value_at(float x, float slope) {
    const float gate = x + 3.0f < 0.0f ? 0.0f : x + 3.0f > 6.0f ? 6.0f : x + 3.0f;
    (void)slope;
    return x * gate / 6.0f;
}

static bool run_f32(const kernel_call_t *call) {
    return activation_each(call, value_at);
}

const kernel_t kernel_hard_swish_f32 = {run_f32, NULL};
