/* RELU of floats; of a byte it is a lookup, of 16 bits a QUANTIZE */
#ifndef ARENA_KERNEL_RELU_H
#define ARENA_KERNEL_RELU_H

#include "activation.h"

/* inputs: values   outputs: values; both may start at the same byte */
extern const kernel_t kernel_relu_f32;

#endif
