#include "activation.h"

#include <math.h>

#include "curves.h"

/* Functions that are no activations. */
static float function_at(kernel_curve_t curve, float x) {
    switch (curve) {
        case ACTIVATION_NEGATION:
            return -x;
        case ACTIVATION_SQUARE:
            return x * x;
        case ACTIVATION_SQUARE_ROOT:
            return sqrtf(x);
        case ACTIVATION_INVERSE_ROOT:
            return 1.0f / sqrtf(x);
        case ACTIVATION_EXPONENTIAL:
            return expf(x);
        case ACTIVATION_LOGARITHM:
            return logf(x);
        case ACTIVATION_SINE:
            return sinf(x);
        case ACTIVATION_COSINE:
            return cosf(x);
        case ACTIVATION_FLOOR:
            return floorf(x);
        case ACTIVATION_CEILING:
            return ceilf(x);
        case ACTIVATION_ROUND: /* halves to the even side */
            return rintf(x);
        default:
            return fabsf(x);
    }
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
            return curve_logistic_f32(x);
        case ACTIVATION_TANH:
            return tanhf(x);
        default:
            return function_at(p->curve, x);
    }
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
        const int32_t below = p->sign_below * fixed_scaled(value, p->below);
        const int32_t scaled = value >= 0 ? fixed_scaled(value, p->above) : below;
        output[at] = (int16_t)fixed_clamp(scaled + p->output_offset, INT16_MIN, INT16_MAX);
    }
    return true;
}

static bool run_logistic_s16(const kernel_call_t *call) {
    const kernel_curve_s16_t *p = call->params;
    const int16_t *input = call->inputs[0];
    for (int32_t at = 0; at < p->count; ++at) {
        const int32_t x = curve_argument(input[at], p->multiplier, p->right_shift);
        ((int16_t *)call->outputs[0])[at] = curve_logistic(p->logistic, x);
    }
    return true;
}

static bool run_tanh_s16(const kernel_call_t *call) {
    const kernel_curve_s16_t *p = call->params;
    const int16_t *input = call->inputs[0];
    for (int32_t at = 0; at < p->count; ++at) {
        const int32_t x = curve_argument(input[at], p->multiplier, p->right_shift);
        ((int16_t *)call->outputs[0])[at] = curve_tanh(p->logistic, x);
    }
    return true;
}

const kernel_t kernel_activation_f32 = {run_f32, NULL};
const kernel_t kernel_leaky_relu_s16 = {run_leaky_relu_s16, NULL};
const kernel_t kernel_logistic_s16 = {run_logistic_s16, NULL};
const kernel_t kernel_tanh_s16 = {run_tanh_s16, NULL};
