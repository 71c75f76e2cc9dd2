/* Any operator that makes one byte of one byte: LOGISTIC, TANH, RELU and their like, QUANTIZE between bytes. */
#ifndef ARENA_KERNEL_LOOKUP_H
#define ARENA_KERNEL_LOOKUP_H

#include "kernel.h"

typedef struct {
    int32_t count;
    const uint8_t *table; /* 256, by the byte as a number without a sign */
} kernel_lookup_t;

/* inputs: bytes   outputs: bytes; both may start at the same byte */
extern const kernel_t kernel_lookup;

#endif
