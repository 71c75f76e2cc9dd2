/* What activations have in common: functions of one value, applied value by value, forward. */
#ifndef ARENA_KERNEL_ACTIVATION_H
#define ARENA_KERNEL_ACTIVATION_H

#include "fixed_point.h"
#include "kernel.h"

typedef struct {
    int32_t count;
    float slope; /* of LEAKY_RELU below 0 */
} kernel_activation_f32_t;

/* LOGISTIC and TANH of 16 bits: a straight line between two entries of a table. */
typedef struct {
    int32_t count;
    int32_t multiplier;
    int32_t right_shift;
    const uint16_t *logistic; /* 256 values of 65536 / (1 + exp(-n / 24)) */
} kernel_curve_s16_t;

/* The function of each float; `value` is known where this is used, so that the loop calls nothing. */
static inline bool activation_each(const kernel_call_t *call, float (*value)(float x, float slope)) {
    const kernel_activation_f32_t *p = call->params;
    const float *input = call->inputs[0];
    float *output = call->outputs[0];
    for (int32_t at = 0; at < p->count; ++at) {
        output[at] = value(input[at], p->slope);
    }
    return true;
}

#endif
