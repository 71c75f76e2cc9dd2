/* RESIZE_BILINEAR */
#ifndef ARENA_KERNEL_RESIZE_BILINEAR_H
#define ARENA_KERNEL_RESIZE_BILINEAR_H

#include "kernel.h"

typedef struct {
    int32_t batch, in_h, in_w, out_h, out_w, channels;
    const int32_t *above, *below; /* the input's rows around each of the output's */
    const int32_t *left, *right;  /* and columns */
    const int32_t *row_parts;     /* of int8: how far each row is from the one above, over 1024 */
    const int32_t *column_parts;
    const float *row_fractions; /* of floats: the same */
    const float *column_fractions;
} kernel_resize_bilinear_t;

/* inputs: picture of int8, size   outputs: picture */
extern const kernel_t kernel_resize_bilinear;
extern const kernel_t kernel_resize_bilinear_f32;

#endif
