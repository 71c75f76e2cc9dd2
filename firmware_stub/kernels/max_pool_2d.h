/* MAX_POOL_2D */
#ifndef ARENA_KERNEL_MAX_POOL_2D_H
#define ARENA_KERNEL_MAX_POOL_2D_H

#include "pool_2d.h"

/* inputs: picture   outputs: picture */
extern const kernel_t kernel_max_pool_2d;
extern const kernel_t kernel_max_pool_2d_f32;

#endif
