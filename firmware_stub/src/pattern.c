#include "pattern.h"

#include <string.h>

#define DIGITS 127u

uint32_t pattern_rounds(uint32_t count) {
    uint32_t rounds = 1u;
    while (count > DIGITS) {
        count = (count + DIGITS - 1u) / DIGITS;
        ++rounds;
    }
    return rounds;
}

uint8_t pattern_tag(uint32_t index, uint32_t generation, uint32_t round) {
    for (; round > 0u; --round) {
        index /= DIGITS;
    }
    return (uint8_t)((index % DIGITS) << 1 | (generation & 1u));
}

/* Four bytes of the pattern; `word` is the address divided by four. The multiplier is 2^32 divided by the golden ratio. */
static inline uint32_t four(uintptr_t word, uint32_t tags) {
    const uint32_t mixed = (uint32_t)word * 0x9E3779B1u;
    return (mixed ^ mixed >> 15) ^ tags;
}

static inline uint8_t one(const uint8_t *at, uint32_t tags) {
    const uintptr_t address = (uintptr_t)at;
    return (uint8_t)(four(address / 4u, tags) >> (8u * (address % 4u)));
}

static inline uint32_t four_times(uint8_t tag) {
    return 0x01010101u * tag;
}

static inline uint32_t is_odd(const uint8_t *at) {
    return (uint32_t)((uintptr_t)at % 4u);
}

void pattern_fill(uint8_t *from, uint8_t *to, uint8_t tag) {
    const uint32_t tags = four_times(tag);
    for (; from < to && is_odd(from) != 0u; ++from) {
        *from = one(from, tags);
    }
    for (; to - from >= 4; from += 4) {
        const uint32_t word = four((uintptr_t)from / 4u, tags);
        memcpy(__builtin_assume_aligned(from, 4), &word, 4);
    }
    for (; from < to; ++from) {
        *from = one(from, tags);
    }
}

uint8_t *pattern_damage(uint8_t *from, uint8_t *to, uint8_t tag) {
    const uint32_t tags = four_times(tag);
    for (; from < to && is_odd(from) != 0u; ++from) {
        if (*from != one(from, tags)) {
            return from;
        }
    }
    for (; to - from >= 4; from += 4) {
        uint32_t word;
        memcpy(&word, __builtin_assume_aligned(from, 4), 4);
        if (word != four((uintptr_t)from / 4u, tags)) {
            break;
        }
    }
    for (; from < to && *from == one(from, tags); ++from) {
    }
    return from;
}

uint8_t *pattern_last_damage(uint8_t *from, uint8_t *to, uint8_t tag) {
    const uint32_t tags = four_times(tag);
    for (; to > from && is_odd(to) != 0u; --to) {
        if (to[-1] != one(to - 1, tags)) {
            return to;
        }
    }
    for (; to - from >= 4; to -= 4) {
        uint32_t word;
        memcpy(&word, __builtin_assume_aligned(to - 4, 4), 4);
        if (word != four((uintptr_t)to / 4u - 1u, tags)) {
            break;
        }
    }
    for (; to > from && to[-1] == one(to - 1, tags); --to) {
    }
    return to;
}
