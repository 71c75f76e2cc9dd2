/* DIV */
#ifndef ARENA_KERNEL_DIV_H
#define ARENA_KERNEL_DIV_H

#include "elements.h"
#include "fixed_point.h"
#include "kernel.h"

typedef struct {
    kernel_pair_t pair;
    int32_t lowest, highest;
} kernel_div_s32_t;

typedef struct {
    kernel_pair_t pair;
    float lowest, highest;
} kernel_div_f32_t;

/* inputs: dividends, divisors   outputs: quotients, whole ones towards 0; forward. It refuses whole divisors of 0. */
extern const kernel_t kernel_div_s32;
extern const kernel_t kernel_div_f32;

#endif
