#include "activation.h"

#include <math.h>

static float logistic(float x) {
    if (x > 16.619047f) { /* 1 in a float from here on */
        return 1.0f;
    }
    return x < -9.0f ? expf(x) : 1.0f / (1.0f + expf(-x));
}

static float value_at(const kernel_activation_f32_t *p, float x) {
    switch (p->curve) {
        case ACTIVATION_RELU:
            return x < 0.0f ? 0.0f : x;
        case ACTIVATION_RELU6:
            return x > 6.0f ? 6.0f : x < 0.0f ? 0.0f : x;
        case ACTIVATION_LEAKY_RELU:
            return x > 0.0f ? x : x * p->slope;
        case ACTIVATION_HARD_SWISH: {
            const float gate = x + 3.0f < 0.0f ? 0.0f : x + 3.0f > 6.0f ? 6.0f : x + 3.0f;
            return x * gate / 6.0f;
        }
        case ACTIVATION_LOGISTIC:
            return logistic(x);
        case ACTIVATION_TANH:
            return tanhf(x);
        case ACTIVATION_NEGATION:
            return -x;
        case ACTIVATION_ABSOLUTE:
            break;
    }
    return fabsf(x);
}

static bool run_f32(const kernel_call_t *call) {
    const kernel_activation_f32_t *p = call->params;
    const float *input = call->inputs[0];
    float *output = call->outputs[0];
    for (int32_t at = 0; at < p->count; ++at) {
        output[at] = value_at(p, input[at]);
    }
    return true;
}

static bool run_leaky_relu_s16(const kernel_call_t *call) {
    const kernel_leaky_relu_s16_t *p = call->params;
    const int16_t *input = call->inputs[0];
    int16_t *output = call->outputs[0];
    for (int32_t at = 0; at < p->count; ++at) {
        const int32_t value = input[at] + p->input_offset;
        const int32_t scaled = value >= 0 ? fixed_scaled(value, p->above) : p->sign_below * fixed_scaled(value, p->below);
        output[at] = (int16_t)fixed_clamp(scaled + p->output_offset, INT16_MIN, INT16_MAX);
    }
    return true;
}

/* The argument in units of 1/12288. */
static int32_t argument(const kernel_curve_s16_t *p, int16_t value) {
    const int32_t half = p->right_shift > 0 ? 1 << (p->right_shift - 1) : 0;
    return (value * p->multiplier + half) >> p->right_shift;
}

/* Between two entries, `bits` bits apart: their value times 2^bits. Beyond the last but one, `beyond` times 2^bits. */
static uint32_t between(const uint16_t *table, uint32_t size, uint32_t bits, uint32_t beyond) {
    const uint32_t entry = size >> bits;
    if (entry >= 255u) {
        return beyond << bits;
    }
    const uint32_t rest = size & ((1u << bits) - 1u);
    return ((uint32_t)table[entry] << bits) + rest * ((uint32_t)table[entry + 1u] - table[entry]);
}

static bool run_logistic_s16(const kernel_call_t *call) {
    const kernel_curve_s16_t *p = call->params;
    const int16_t *input = call->inputs[0];
    int16_t *output = call->outputs[0];
    for (int32_t at = 0; at < p->count; ++at) {
        const int32_t x = argument(p, input[at]);
        const uint32_t value = between(p->logistic, (uint32_t)(x < 0 ? -x : x), 9u, 0x7FFFu << 1);
        const uint32_t rounded = x >= 0 ? value + (1u << 9) : (1u << 25) - value + (1u << 9) - 1u;
        output[at] = (int16_t)(rounded >> 10);
    }
    return true;
}

/* tanh(x) = 2 logistic(2x) - 1 */
static bool run_tanh_s16(const kernel_call_t *call) {
    const kernel_curve_s16_t *p = call->params;
    const int16_t *input = call->inputs[0];
    int16_t *output = call->outputs[0];
    for (int32_t at = 0; at < p->count; ++at) {
        const int32_t x = argument(p, input[at]);
        const int32_t value = (int32_t)between(p->logistic, (uint32_t)(x < 0 ? -x : x), 8u, 0xFFFFu);
        const int32_t centred = x >= 0 ? value - (1 << 23) + (1 << 7) : -value + (1 << 23) + (1 << 7) - 1;
        output[at] = (int16_t)(centred >> 8);
    }
    return true;
}

const kernel_t kernel_activation_f32 = {run_f32, NULL};
const kernel_t kernel_leaky_relu_s16 = {run_leaky_relu_s16, NULL};
const kernel_t kernel_logistic_s16 = {run_logistic_s16, NULL};
const kernel_t kernel_tanh_s16 = {run_tanh_s16, NULL};
