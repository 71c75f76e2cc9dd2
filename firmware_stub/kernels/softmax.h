/* SOFTMAX */
#ifndef ARENA_KERNEL_SOFTMAX_H
#define ARENA_KERNEL_SOFTMAX_H

#include "kernel.h"

typedef struct {
    int32_t rows, width;
    const int32_t *exponentials; /* 256, by the difference to the row's maximum; Q31 */
} kernel_softmax_t;

typedef struct {
    int32_t rows, width;
    float beta;
} kernel_softmax_f32_t;

/* inputs: rows of int8   outputs: rows of int8 (zero point -128, scale 1/256), or of int16 (zero point -32768, scale
 * 1/65536); row by row, forward */
extern const kernel_t kernel_softmax;
extern const kernel_t kernel_softmax_s16;
/* the same with float */
extern const kernel_t kernel_softmax_f32;

#endif
