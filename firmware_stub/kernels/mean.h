/* MEAN */
#ifndef ARENA_KERNEL_MEAN_H
#define ARENA_KERNEL_MEAN_H

#include "elements.h"
#include "fixed_point.h"
#include "kernel.h"

/* How many elements of the output there are along the axes that stay and of the input along those that go, and by how
 * many elements of the input each axis goes on. */
typedef struct {
    int32_t kept[KERNEL_RANK];
    int32_t kept_steps[KERNEL_RANK];
    int32_t gone[KERNEL_RANK];
    int32_t gone_steps[KERNEL_RANK];
} kernel_reduction_t;

typedef struct {
    kernel_reduction_t axes;
    kernel_element_t element;
    int32_t input_offset; /* minus the input's zero point, times the elements of a mean */
    fixed_scale_t scale;  /* with the number of elements in it */
    int32_t output_offset;
    int32_t lowest, highest;
} kernel_mean_t;

typedef struct {
    kernel_reduction_t axes;
} kernel_mean_f32_t;

/* inputs: values, axes   outputs: means */
extern const kernel_t kernel_mean;
extern const kernel_t kernel_mean_f32;

#endif
