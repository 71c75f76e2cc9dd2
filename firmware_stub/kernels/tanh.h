/* TANH of floats and of 16 bits; of a byte it is a lookup */
#ifndef ARENA_KERNEL_TANH_H
#define ARENA_KERNEL_TANH_H

#include "activation.h"

/* inputs: values   outputs: values; both may start at the same byte */
extern const kernel_t kernel_tanh_f32;
extern const kernel_t kernel_tanh_s16;

#endif
