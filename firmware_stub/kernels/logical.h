/* LOGICAL_AND and LOGICAL_OR; LOGICAL_NOT is a lookup */
#ifndef ARENA_KERNEL_LOGICAL_H
#define ARENA_KERNEL_LOGICAL_H

#include "elements.h"
#include "kernel.h"

typedef struct {
    kernel_pair_t pair;
    int32_t is_or;
} kernel_logical_t;

/* inputs: left, right, a byte each   outputs: a byte, 1 where both are true, or either is; forward */
extern const kernel_t kernel_logical;

#endif
