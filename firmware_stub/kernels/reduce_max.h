/* REDUCE_MAX and REDUCE_MIN */
#ifndef ARENA_KERNEL_REDUCE_MAX_H
#define ARENA_KERNEL_REDUCE_MAX_H

#include "kernel.h"
#include "reduction.h"

typedef struct {
    kernel_reduction_t axes;
    kernel_element_t element; /* where they are whole numbers */
    int32_t is_min;
} kernel_reduce_max_t;

/* inputs: values, axes   outputs: the largest or the smallest ones */
extern const kernel_t kernel_reduce_max;
extern const kernel_t kernel_reduce_max_f32;

#endif
