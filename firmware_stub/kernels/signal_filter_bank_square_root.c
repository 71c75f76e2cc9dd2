#include "signal_filter_bank_square_root.h"

#include "bits.h"

/* Bit by bit, rounded to nearest, as far as a root of a number of 32 bits stays in 16 and one of 64 bits in 32. */
static uint32_t square_root(uint64_t value) {
    const uint64_t largest = value >> 32 == 0u ? UINT16_MAX : UINT32_MAX;
    uint64_t root = 0u;
    for (uint64_t bit = value > 0u ? (uint64_t)1 << ((bits_of(value) - 1u) & ~1u) : 0u; bit > 0u; bit >>= 2) {
        const bool fits = value >= root + bit;
        value -= fits ? root + bit : 0u;
        root = (root >> 1) + (fits ? bit : 0u);
    }
    return (uint32_t)(value > root && root != largest ? root + 1u : root);
}

static bool run(const kernel_call_t *call) {
    const kernel_signal_filter_bank_square_root_t *p = call->params;
    const uint64_t *input = call->inputs[0];
    const int32_t shift = *(const int32_t *)call->inputs[1];
    uint32_t *output = call->outputs[0];
    for (int32_t at = 0; at < p->count && shift >= 0 && shift < 32; ++at) {
        output[at] = square_root(input[at]) >> shift;
    }
    return shift >= 0 && shift < 32;
}

const kernel_t kernel_signal_filter_bank_square_root = {run, NULL};
