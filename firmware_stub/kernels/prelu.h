/* PRELU */
#ifndef ARENA_KERNEL_PRELU_H
#define ARENA_KERNEL_PRELU_H

#include "elements.h"
#include "fixed_point.h"
#include "kernel.h"

typedef struct {
    kernel_pair_t pair;
    kernel_element_t element; /* of values; slopes are int8 */
    int32_t input_offset, slope_offset, output_offset;
    fixed_scale_t above; /* 0 */
    fixed_scale_t below; /* of a product with a slope */
    int32_t lowest, highest;
} kernel_prelu_t;

typedef struct {
    kernel_pair_t pair;
} kernel_prelu_f32_t;

/* inputs: values, slopes below 0   outputs: values; forward */
extern const kernel_t kernel_prelu;
extern const kernel_t kernel_prelu_f32;

#endif
