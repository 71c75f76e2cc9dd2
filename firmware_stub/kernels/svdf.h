/* SVDF */
#ifndef ARENA_KERNEL_SVDF_H
#define ARENA_KERNEL_SVDF_H

#include "elements.h"
#include "fixed_point.h"
#include "kernel.h"

typedef struct {
    int32_t batches, in_c, filters, rank, memory;
    kernel_element_t state;      /* of the state and of the weights over time: int8 or int16 */
    int32_t input_zero_point;
    int32_t state_zero_point;
    int32_t output_zero_point;
    fixed_scale_t feature_scale; /* into the state */
    fixed_scale_t output_scale;
} kernel_svdf_t;

typedef struct {
    int32_t batches, in_c, filters, rank, memory;
    float lowest, highest;
} kernel_svdf_f32_t;

/* inputs: values, weights of features, weights over time, bias or nothing   outputs: values, state
 * It needs no scratch, though TFLM's kernel does. */
extern const kernel_t kernel_svdf;
extern const kernel_t kernel_svdf_f32;

#endif
