#include "fill.h"

#include <string.h>

/* Thirty-two bits that depend on all bits of the seed and the position (the finaliser of MurmurHash3). */
static uint32_t scattered(uint32_t seed, uint32_t position) {
    uint32_t bits = seed * 0x9E3779B9u + position;
    bits = (bits ^ (bits >> 16)) * 0x85EBCA6Bu;
    bits = (bits ^ (bits >> 13)) * 0xC2B2AE35u;
    return bits ^ (bits >> 16);
}

/* Bits of which an element takes the lowest, or a number from -128 to 127. */
static uint32_t drawn(network_fill_t kind, uint32_t seed, uint32_t position) {
    return kind == NETWORK_RANDOM ? scattered(seed, position) : 37u * position + 11u;
}

static uint8_t byte_of(network_fill_t kind, uint32_t bits, bool is_unsigned) {
    if (kind == NETWORK_LOWEST) {
        return is_unsigned ? 0u : 0x80u;
    }
    if (kind == NETWORK_HIGHEST) {
        return is_unsigned ? 0xFFu : 0x7Fu;
    }
    return (uint8_t)bits;
}

static int16_t half_of(network_fill_t kind, uint32_t bits) {
    if (kind == NETWORK_LOWEST) {
        return INT16_MIN;
    }
    if (kind == NETWORK_HIGHEST) {
        return INT16_MAX;
    }
    return kind == NETWORK_RANDOM ? (int16_t)(uint16_t)bits : (int16_t)((int32_t)(bits & 255u) * 64 - 8192);
}

static uint8_t small_of(network_fill_t kind, uint32_t bits) {
    if (kind == NETWORK_LOWEST) {
        return 0u;
    }
    return kind == NETWORK_HIGHEST ? 1u : (uint8_t)(bits & 1u);
}

/* Multiples of 1/128 from -1 to 1: exact in binary, whatever computes them. */
static float float_of(network_fill_t kind, uint32_t bits) {
    if (kind == NETWORK_LOWEST) {
        return -1.0f;
    }
    if (kind == NETWORK_HIGHEST) {
        return 1.0f;
    }
    return (float)((int32_t)(bits & 255u) - 128) * 0.0078125f;
}

void fill(uint8_t *to, uint32_t bytes, network_element_t element, network_fill_t kind, uint32_t seed) {
    static const uint8_t widths[] = {
        [NETWORK_BYTES] = 1, [NETWORK_UNSIGNED] = 1, [NETWORK_BOOLS] = 1,  [NETWORK_HALVES] = 2,
        [NETWORK_WORDS] = 4, [NETWORK_FLOATS] = 4,   [NETWORK_LONGS] = 8,
    };
    const uint32_t width = widths[element];
    for (uint32_t position = 0; position < bytes / width; ++position) {
        const uint32_t bits = drawn(kind, seed, position);
        union {
            uint8_t byte;
            int16_t half;
            int64_t whole;
            float real;
        } value = {.whole = 0};
        switch (element) {
            case NETWORK_BYTES:
            case NETWORK_UNSIGNED:
                value.byte = byte_of(kind, bits, element == NETWORK_UNSIGNED);
                break;
            case NETWORK_HALVES:
                value.half = half_of(kind, bits);
                break;
            case NETWORK_FLOATS:
                value.real = float_of(kind, bits);
                break;
            case NETWORK_WORDS:
            case NETWORK_LONGS:
            case NETWORK_BOOLS:
                value.byte = small_of(kind, bits);
                break;
        }
        memcpy(to + position * width, &value, width);
    }
}
