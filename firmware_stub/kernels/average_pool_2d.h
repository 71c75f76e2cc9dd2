/* AVERAGE_POOL_2D */
#ifndef ARENA_KERNEL_AVERAGE_POOL_2D_H
#define ARENA_KERNEL_AVERAGE_POOL_2D_H

#include "pool_2d.h"

/* inputs: picture   outputs: picture   scratch: 1 (CMSIS-NN) */
extern const kernel_t kernel_average_pool_2d;
/* inputs: picture   outputs: picture */
extern const kernel_t kernel_average_pool_2d_f32;

#endif
