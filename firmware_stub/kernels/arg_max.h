/* ARG_MAX and ARG_MIN */
#ifndef ARENA_KERNEL_ARG_MAX_H
#define ARENA_KERNEL_ARG_MAX_H

#include "kernel.h"

typedef struct {
    int32_t outer, size, inner; /* elements in front of the axis, along it, and behind it */
    int32_t is_min;
} kernel_arg_max_t;

/* inputs: int8, axis   outputs: int32, the first position of the largest or the smallest value */
extern const kernel_t kernel_arg_max;
/* the same with float */
extern const kernel_t kernel_arg_max_f32;

#endif
