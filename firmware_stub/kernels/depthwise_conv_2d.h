/* DEPTHWISE_CONV_2D */
#ifndef ARENA_KERNEL_DEPTHWISE_CONV_2D_H
#define ARENA_KERNEL_DEPTHWISE_CONV_2D_H

#include "kernel.h"
#include "window.h"

typedef struct {
    kernel_window_t window;
    int32_t input_offset; /* minus the input's zero point */
    int32_t output_offset;
    int32_t lowest, highest;
    const int32_t *multipliers; /* out_c of them, and of the shifts */
    const int32_t *shifts;
    int32_t depth_multiplier;
} kernel_depthwise_conv_2d_t;

typedef struct {
    kernel_window_t window;
    int32_t depth_multiplier;
    float lowest, highest;
} kernel_depthwise_conv_2d_f32_t;

/* inputs: picture, filter [1][window_h][window_w][out_c], bias or nothing   outputs: picture   scratch: 1 (CMSIS-NN) */
extern const kernel_t kernel_depthwise_conv_2d;
extern const kernel_t kernel_depthwise_conv_2d_f32;

#endif
