/* CONV_2D */
#ifndef ARENA_KERNEL_CONV_2D_H
#define ARENA_KERNEL_CONV_2D_H

#include "kernel.h"
#include "window.h"

typedef struct {
    kernel_window_t window;
    int32_t input_offset; /* minus the input's zero point */
    int32_t output_offset;
    int32_t lowest, highest;
    const int32_t *multipliers; /* out_c of them, and of the shifts */
    const int32_t *shifts;
    int32_t filter_c; /* in_c over the number of groups */
} kernel_conv_2d_t;

typedef struct {
    kernel_window_t window;
    int32_t filter_c;
    float lowest, highest;
} kernel_conv_2d_f32_t;

/* inputs: picture, filter [out_c][window_h][window_w][filter_c], bias or nothing   outputs: picture   scratch: 1
 * (CMSIS-NN) */
extern const kernel_t kernel_conv_2d;
/* the same with groups, which CMSIS-NN 4.0 does not have; no scratch */
extern const kernel_t kernel_conv_2d_grouped;
extern const kernel_t kernel_conv_2d_f32;

#endif
