#include "relu.h"

static float value_at(float x, float slope) {
    (void)slope;
    return x < 0.0f ? 0.0f : x;
}

static bool run_f32(const kernel_call_t *call) {
    return activation_each(call, value_at);
}

const kernel_t kernel_relu_f32 = {run_f32, NULL};
