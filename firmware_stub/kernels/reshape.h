/* Operators that move bytes without a change: RESHAPE, SQUEEZE, EXPAND_DIMS, and variables that are read and assigned.
 * */
#ifndef ARENA_KERNEL_RESHAPE_H
#define ARENA_KERNEL_RESHAPE_H

#include "kernel.h"

typedef struct {
    uint32_t bytes;
} kernel_reshape_t;

/* inputs: values, ...   outputs: values; both may start at the same byte */
extern const kernel_t kernel_reshape;

#endif
