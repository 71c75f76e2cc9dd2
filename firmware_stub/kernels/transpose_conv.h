/* TRANSPOSE_CONV */
#ifndef ARENA_KERNEL_TRANSPOSE_CONV_H
#define ARENA_KERNEL_TRANSPOSE_CONV_H

#include "elements.h"
#include "kernel.h"
#include "window.h"

typedef struct {
    kernel_window_t window; /* pads count from the output */
    kernel_element_t element; /* int8, or int16 with sums of 64 bits */
    kernel_element_t bias;    /* of int16: int16; ELEMENT_S32 stands for 64 bits there */
    int32_t input_offset;     /* minus the input's zero point */
    int32_t output_offset;
    int32_t lowest, highest;
    const int32_t *multipliers; /* out_c of them, and of the shifts */
    const int32_t *shifts;
} kernel_transpose_conv_t;

typedef struct {
    kernel_window_t window;
    float lowest, highest;
} kernel_transpose_conv_f32_t;

/* inputs: shape, filter [out_c][window_h][window_w][in_c], picture, bias or nothing   outputs: picture
 * Each output gathers what reaches it, so it needs no scratch, though TFLM's kernel does. */
extern const kernel_t kernel_transpose_conv;
extern const kernel_t kernel_transpose_conv_s16;
extern const kernel_t kernel_transpose_conv_f32;

#endif
