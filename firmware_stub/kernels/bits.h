/* How many bits a number takes. */
#ifndef ARENA_KERNEL_BITS_H
#define ARENA_KERNEL_BITS_H

#include <stdint.h>

/* The number of its highest bit, counted from 1; 0 for 0. */
static inline uint32_t bits_of(uint64_t value) {
    uint32_t bits = 0u;
    for (uint32_t step = 32u; step > 0u; step /= 2u) {
        if (value >> step != 0u) {
            value >>= step;
            bits += step;
        }
    }
    return value != 0u ? bits + 1u : 0u;
}

#endif
