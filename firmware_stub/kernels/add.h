/* ADD and SUB */
#ifndef ARENA_KERNEL_ADD_H
#define ARENA_KERNEL_ADD_H

#include "elements.h"
#include "fixed_point.h"
#include "kernel.h"

typedef struct {
    kernel_pair_t pair;
    kernel_element_t element;
    int32_t left_offset, right_offset, output_offset;
    int32_t lift; /* both sides are multiplied by 2^lift before they are scaled */
    fixed_scale_t left_scale, right_scale, output_scale;
    int32_t sign; /* of the right side: 1 adds, -1 subtracts */
    int32_t lowest, highest;
} kernel_add_t;

typedef struct {
    kernel_pair_t pair;
    float sign;
    float lowest, highest;
} kernel_add_f32_t;

typedef struct {
    kernel_pair_t pair;
    int32_t sign;
    int32_t lowest, highest;
} kernel_add_s32_t;

/* inputs: left, right   outputs: sum; forward, so that it may start where a full-size input does */
extern const kernel_t kernel_add;
extern const kernel_t kernel_add_s32;
extern const kernel_t kernel_add_f32;

#endif
