#include "softmax.h"

#include <math.h>

#include "fixed_point.h"

#define SUM_INTEGER_BITS 12

static int32_t largest_of(const int8_t *row, int32_t width) {
    int32_t largest = INT8_MIN;
    for (int32_t at = 0; at < width; ++at) {
        largest = row[at] > largest ? row[at] : largest;
    }
    return largest;
}

/* 1 / (1 + x) for x from 0 to 1, both Q31: Newton and Raphson's division, in numbers with two integer bits. */
static int32_t one_over_one_plus(int32_t x) {
    const int32_t half_denominator = (int32_t)(((int64_t)x + INT32_MAX + 1) / 2);
    int32_t quotient = 1515870810 + fixed_high_mul(half_denominator, -1010580540);
    for (int32_t step = 0; step < 3; ++step) {
        const int32_t rest = (1 << 29) - fixed_high_mul(half_denominator, quotient);
        quotient += fixed_shift_left_saturating(fixed_high_mul(quotient, rest), 2);
    }
    return fixed_shift_left_saturating(quotient, 1);
}

/* Every element's share of the sum, in `bits` bits. */
static void run_row(const kernel_softmax_t *p, const int8_t *row, void *output, int32_t bits) {
    const int32_t largest = largest_of(row, p->width);
    uint32_t sum = 0u;
    for (int32_t at = 0; at < p->width; ++at) {
        sum += (uint32_t)fixed_shift_right(p->exponentials[largest - row[at]], SUM_INTEGER_BITS);
    }
    const int32_t headroom = __builtin_clz(sum);
    const int32_t reciprocal = one_over_one_plus((int32_t)((sum << headroom) - ((uint32_t)1 << 31)));
    const int32_t shift = SUM_INTEGER_BITS - headroom + 31 - bits;
    for (int32_t at = 0; at < p->width; ++at) {
        const int32_t product = fixed_high_mul(reciprocal, p->exponentials[largest - row[at]]);
        const int32_t share = fixed_shift_right(product, shift);
        if (bits == 8) {
            ((int8_t *)output)[at] = (int8_t)fixed_clamp(share + INT8_MIN, INT8_MIN, INT8_MAX);
        } else {
            ((int16_t *)output)[at] = (int16_t)fixed_clamp(share + INT16_MIN, INT16_MIN, INT16_MAX);
        }
    }
}

static bool run(const kernel_call_t *call) {
    const kernel_softmax_t *p = call->params;
    for (int32_t row = 0; row < p->rows; ++row) {
        run_row(p, (const int8_t *)call->inputs[0] + row * p->width, (int8_t *)call->outputs[0] + row * p->width, 8);
    }
    return true;
}

static bool run_s16(const kernel_call_t *call) {
    const kernel_softmax_t *p = call->params;
    for (int32_t row = 0; row < p->rows; ++row) {
        run_row(p, (const int8_t *)call->inputs[0] + row * p->width, (int16_t *)call->outputs[0] + row * p->width, 16);
    }
    return true;
}

const kernel_t kernel_softmax = {run, NULL};
const kernel_t kernel_softmax_s16 = {run_s16, NULL};

static bool run_f32(const kernel_call_t *call) {
    const kernel_softmax_f32_t *p = call->params;
    for (int32_t row = 0; row < p->rows; ++row) {
        const float *input = (const float *)call->inputs[0] + row * p->width;
        float *output = (float *)call->outputs[0] + row * p->width;
        float largest = -__FLT_MAX__;
        float sum = 0.0f;
        for (int32_t at = 0; at < p->width; ++at) {
            largest = input[at] > largest ? input[at] : largest;
        }
        for (int32_t at = 0; at < p->width; ++at) {
            output[at] = expf((input[at] - largest) * p->beta);
            sum += output[at];
        }
        for (int32_t at = 0; at < p->width; ++at) {
            output[at] /= sum;
        }
    }
    return true;
}

const kernel_t kernel_softmax_f32 = {run_f32, NULL};
