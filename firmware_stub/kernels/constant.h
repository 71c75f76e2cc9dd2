/* SHAPE: what is known before anything runs */
#ifndef ARENA_KERNEL_CONSTANT_H
#define ARENA_KERNEL_CONSTANT_H

#include "kernel.h"

typedef struct {
    uint32_t bytes;
    const int32_t *values;
} kernel_constant_t;

/* inputs: none   outputs: values */
extern const kernel_t kernel_constant;

#endif
