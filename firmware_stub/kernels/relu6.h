/* RELU6 of floats; of a byte it is a lookup, of 16 bits a QUANTIZE */
#ifndef ARENA_KERNEL_RELU6_H
#define ARENA_KERNEL_RELU6_H

#include "activation.h"

/* inputs: values   outputs: values; both may start at the same byte */
extern const kernel_t kernel_relu6_f32;

#endif
