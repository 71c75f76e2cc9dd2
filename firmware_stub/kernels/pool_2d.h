/* Parameters of AVERAGE_POOL_2D and MAX_POOL_2D */
#ifndef ARENA_KERNEL_POOL_2D_H
#define ARENA_KERNEL_POOL_2D_H

#include "kernel.h"
#include "window.h"

typedef struct {
    kernel_window_t window; /* without dilation */
    int32_t lowest, highest;
} kernel_pool_2d_t;

typedef struct {
    kernel_window_t window;
    float lowest, highest;
} kernel_pool_2d_f32_t;

#endif
