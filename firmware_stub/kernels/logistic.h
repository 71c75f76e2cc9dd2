/* LOGISTIC of floats and of 16 bits; of a byte it is a lookup */
#ifndef ARENA_KERNEL_LOGISTIC_H
#define ARENA_KERNEL_LOGISTIC_H

#include "activation.h"

/* inputs: values   outputs: values; both may start at the same byte */
extern const kernel_t kernel_logistic_f32;
extern const kernel_t kernel_logistic_s16;

#endif
