/* MEAN and SUM */
#ifndef ARENA_KERNEL_MEAN_H
#define ARENA_KERNEL_MEAN_H

#include "fixed_point.h"
#include "kernel.h"
#include "reduction.h"

typedef struct {
    kernel_reduction_t axes;
    kernel_element_t element;
    int32_t input_offset; /* minus the input's zero point, times the number of elements */
    fixed_scale_t scale;  /* of a mean, with the number of elements in it */
    int32_t output_offset;
    int32_t lowest, highest;
} kernel_mean_t;

typedef struct {
    kernel_reduction_t axes;
    float divisor; /* the number of elements of a mean, 1 of a sum */
} kernel_mean_f32_t;

/* inputs: values, axes   outputs: means or sums */
extern const kernel_t kernel_mean;
extern const kernel_t kernel_mean_f32;

#endif
