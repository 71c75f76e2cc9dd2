/* logistic and tanh of 16 bits: straight lines between entries of a table of 65536 / (1 + exp(-n / 24)); logistic of
 * floats. */
#ifndef ARENA_KERNEL_CURVES_H
#define ARENA_KERNEL_CURVES_H

#include <math.h>
#include <stdint.h>

/* value * multiplier / 2^right_shift, rounded: an argument in units of 1/12288. */
static inline int32_t curve_argument(int32_t value, int32_t multiplier, int32_t right_shift) {
    const int32_t half = right_shift > 0 ? 1 << (right_shift - 1) : 0;
    return (value * multiplier + half) >> right_shift;
}

/* Between two entries, 2^bits apart: their value times 2^bits; beyond the last but one, `beyond` times that. */
static inline uint32_t curve_between(const uint16_t *table, uint32_t size, uint32_t bits, uint32_t beyond) {
    const uint32_t entry = size >> bits;
    if (entry >= 255u) {
        return beyond << bits;
    }
    const uint32_t rest = size & ((1u << bits) - 1u);
    return ((uint32_t)table[entry] << bits) + rest * ((uint32_t)table[entry + 1u] - table[entry]);
}

static inline int16_t curve_logistic(const uint16_t *table, int32_t x) {
    const uint32_t value = curve_between(table, (uint32_t)(x < 0 ? -x : x), 9u, 0x7FFFu << 1);
    const uint32_t rounded = x >= 0 ? value + (1u << 9) : (1u << 25) - value + (1u << 9) - 1u;
    return (int16_t)(rounded >> 10);
}

/* tanh(x) = 2 logistic(2x) - 1 */
static inline int16_t curve_tanh(const uint16_t *table, int32_t x) {
    const int32_t value = (int32_t)curve_between(table, (uint32_t)(x < 0 ? -x : x), 8u, 0xFFFFu);
    const int32_t centred = x >= 0 ? value - (1 << 23) + (1 << 7) : -value + (1 << 23) + (1 << 7) - 1;
    return (int16_t)(centred >> 8);
}

static inline float curve_logistic_f32(float x) {
    if (x > 16.619047f) { /* 1 in a float from here on */
        return 1.0f;
    }
    return x < -9.0f ? expf(x) : 1.0f / (1.0f + expf(-x));
}

#endif
