/* Fixed-point arithmetic of TensorFlow Lite's quantisation specification, with its two roundings.
 *
 * A multiplier is a Q31 number in [2^30, 2^31), a shift a power of two: together they stand for multiplier * 2^(shift -
 * 31).
 */
#ifndef ARENA_FIXED_POINT_H
#define ARENA_FIXED_POINT_H

#include <stdint.h>

typedef struct {
    int32_t multiplier;
    int32_t shift; /* positive: to the left */
} fixed_scale_t;

static inline int32_t fixed_clamp(int32_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : value;
}

/* The high half of 2ab, rounded to nearest, half away from zero; saturates where a = b = INT32_MIN. */
static inline int32_t fixed_high_mul(int32_t a, int32_t b) {
    if (a == INT32_MIN && b == INT32_MIN) {
        return INT32_MAX;
    }
    const int64_t product = (int64_t)a * b;
    const int64_t nudge = product >= 0 ? (int64_t)1 << 30 : 1 - ((int64_t)1 << 30);
    return (int32_t)((product + nudge) / ((int64_t)1 << 31));
}

/* value / 2^exponent, rounded to nearest, half away from zero; exponent 0 ... 31. */
static inline int32_t fixed_shift_right(int32_t value, int32_t exponent) {
    const int32_t mask = (int32_t)(((uint32_t)1 << exponent) - 1u);
    const int32_t rest = value & mask;
    const int32_t threshold = (mask >> 1) + (value < 0 ? 1 : 0);
    return (value >> exponent) + (rest > threshold ? 1 : 0);
}

/* value * 2^exponent, wrapping as a processor does. */
static inline int32_t fixed_shift_left(int32_t value, int32_t exponent) {
    return (int32_t)((uint32_t)value << exponent);
}

/* The same, saturating (gemmlowp's ShiftLeft). */
static inline int32_t fixed_shift_left_saturating(int32_t value, int32_t exponent) {
    const int64_t wide = (int64_t)value * ((int64_t)1 << exponent);
    return wide > INT32_MAX ? INT32_MAX : wide < INT32_MIN ? INT32_MIN : (int32_t)wide;
}

/* value times the scale, rounded twice (MultiplyByQuantizedMultiplier with 32-bit values). */
static inline int32_t fixed_scaled(int32_t value, fixed_scale_t scale) {
    const int32_t left = scale.shift > 0 ? scale.shift : 0;
    const int32_t right = scale.shift > 0 ? 0 : -scale.shift;
    return fixed_shift_right(fixed_high_mul(fixed_shift_left(value, left), scale.multiplier), right);
}

/* A 64-bit value times the scale, rounded once, with a multiplier of 16 bits (MultiplyByQuantizedMultiplier for int64).
 * */
static inline int32_t fixed_scaled_wide(int64_t value, fixed_scale_t scale) {
    const int32_t reduced = scale.multiplier < 0x7FFF0000 ? (scale.multiplier + (1 << 15)) >> 16 : 0x7FFF;
    const int32_t total_shift = 15 - scale.shift;
    return (int32_t)((value * reduced + ((int64_t)1 << (total_shift - 1))) >> total_shift);
}

#endif
