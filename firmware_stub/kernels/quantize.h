/* QUANTIZE; between bytes it is a lookup */
#ifndef ARENA_KERNEL_QUANTIZE_H
#define ARENA_KERNEL_QUANTIZE_H

#include "elements.h"
#include "fixed_point.h"
#include "kernel.h"

typedef struct {
    int32_t count;
    kernel_element_t from, to;
    int32_t input_offset; /* minus the input's zero point */
    fixed_scale_t scale;
    int32_t output_offset;
    int32_t lowest, highest;
} kernel_quantize_t;

typedef struct {
    int32_t count;
    kernel_element_t element;
    float scale;
    int32_t zero_point;
    int32_t lowest, highest;
} kernel_quantize_f32_t;

/* inputs: values   outputs: values; forward */
extern const kernel_t kernel_quantize;
extern const kernel_t kernel_quantize_f32;

#endif
