/* LEAKY_RELU of floats and of 16 bits; of a byte it is a lookup */
#ifndef ARENA_KERNEL_LEAKY_RELU_H
#define ARENA_KERNEL_LEAKY_RELU_H

#include "activation.h"

typedef struct {
    int32_t count;
    int32_t input_offset, output_offset;
    fixed_scale_t above; /* 0 */
    fixed_scale_t below;
    int32_t sign_below; /* 1, or -1 for a negative slope */
} kernel_leaky_relu_s16_t;

/* inputs: values   outputs: values; both may start at the same byte */
extern const kernel_t kernel_leaky_relu_f32;
extern const kernel_t kernel_leaky_relu_s16;

#endif
