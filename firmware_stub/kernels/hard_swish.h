/* HARD_SWISH of floats; of a byte it is a lookup */
#ifndef ARENA_KERNEL_HARD_SWISH_H
#define ARENA_KERNEL_HARD_SWISH_H

#include "activation.h"

/* inputs: values   outputs: values; both may start at the same byte */
extern const kernel_t kernel_hard_swish_f32;

#endif
