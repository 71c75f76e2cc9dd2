/* MUL */
#ifndef ARENA_KERNEL_MUL_H
#define ARENA_KERNEL_MUL_H

#include "elements.h"
#include "fixed_point.h"
#include "kernel.h"

typedef struct {
    kernel_pair_t pair;
    kernel_element_t element;
    int32_t left_offset, right_offset, output_offset;
    fixed_scale_t scale;
    int32_t lowest, highest;
} kernel_mul_t;

typedef struct {
    kernel_pair_t pair;
    int32_t lowest, highest;
} kernel_mul_s32_t;

typedef struct {
    kernel_pair_t pair;
    float lowest, highest;
} kernel_mul_f32_t;

/* inputs: left, right   outputs: product; forward, so that it may start where a full-size input does */
extern const kernel_t kernel_mul;
extern const kernel_t kernel_mul_s32;
extern const kernel_t kernel_mul_f32;

#endif
