/* DEQUANTIZE */
#ifndef ARENA_KERNEL_DEQUANTIZE_H
#define ARENA_KERNEL_DEQUANTIZE_H

#include "elements.h"
#include "kernel.h"

typedef struct {
    int32_t count;
    kernel_element_t element;
    float scale;
    int32_t zero_point;
} kernel_dequantize_t;

/* inputs: values   outputs: float; forward */
extern const kernel_t kernel_dequantize;

#endif
