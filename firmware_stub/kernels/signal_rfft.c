/* As kissfft computes it in fixed point: every stage divides by its radix first, so that nothing overflows. */
#include "signal_rfft.h"

typedef struct {
    int16_t real, imaginary;
} complex_t;

static int16_t rounded(int32_t value) {
    return (int16_t)((value + (1 << 14)) >> 15);
}

static complex_t divided(complex_t a, int32_t divisor) {
    return (complex_t){rounded(a.real * (INT16_MAX / divisor)), rounded(a.imaginary * (INT16_MAX / divisor))};
}

static complex_t sum(complex_t a, complex_t b) {
    return (complex_t){(int16_t)(a.real + b.real), (int16_t)(a.imaginary + b.imaginary)};
}

static complex_t difference(complex_t a, complex_t b) {
    return (complex_t){(int16_t)(a.real - b.real), (int16_t)(a.imaginary - b.imaginary)};
}

static complex_t turned(complex_t a, const int16_t *twiddle) {
    return (complex_t){rounded(a.real * twiddle[0] - a.imaginary * twiddle[1]),
                       rounded(a.real * twiddle[1] + a.imaginary * twiddle[0])};
}

/* -i times a */
static complex_t quarter_turned(complex_t a) {
    return (complex_t){a.imaginary, (int16_t)-a.real};
}

static void join_2(complex_t *at, const int16_t *twiddles, int32_t stride, int32_t length) {
    for (int32_t k = 0; k < length; ++k, ++at) {
        const complex_t even = divided(at[0], 2);
        const complex_t odd = turned(divided(at[length], 2), twiddles + 2 * k * stride);
        at[0] = sum(even, odd);
        at[length] = difference(even, odd);
    }
}

static void join_4(complex_t *at, const int16_t *twiddles, int32_t stride, int32_t length) {
    for (int32_t k = 0; k < length; ++k, ++at) {
        const complex_t a = divided(at[0], 4);
        const complex_t b = turned(divided(at[length], 4), twiddles + 2 * k * stride);
        const complex_t c = turned(divided(at[2 * length], 4), twiddles + 4 * k * stride);
        const complex_t d = turned(divided(at[3 * length], 4), twiddles + 6 * k * stride);
        const complex_t even = sum(a, c);
        const complex_t odd = sum(b, d);
        const complex_t even_rest = difference(a, c);
        const complex_t odd_rest = quarter_turned(difference(b, d));
        at[0] = sum(even, odd);
        at[length] = sum(even_rest, odd_rest);
        at[2 * length] = difference(even, odd);
        at[3 * length] = difference(even_rest, odd_rest);
    }
}

/* The FFT of pairs of samples as complex numbers. */
static void transform(const kernel_signal_rfft_t *p, const int16_t *samples, complex_t *work) {
    for (int32_t at = 0; at < p->half; ++at) {
        const int32_t from = 2 * p->order[at];
        work[at].real = from < p->size ? samples[from] : 0;
        work[at].imaginary = from + 1 < p->size ? samples[from + 1] : 0;
    }
    int32_t length = 1;
    for (int32_t stage = p->stages - 1; stage >= 0; --stage) {
        const int32_t block = length * p->radices[stage];
        for (int32_t at = 0; at < p->half; at += block) {
            (p->radices[stage] == 4 ? join_4 : join_2)(work + at, p->twiddles, p->half / block, length);
        }
        length = block;
    }
}

static int16_t halved(int32_t value) {
    return (int16_t)(value >> 1);
}

/* The spectrum of the samples from that of the pairs. */
static void untangle(const kernel_signal_rfft_t *p, const complex_t *work, complex_t *output) {
    const complex_t zero = divided(work[0], 2);
    output[0] = (complex_t){(int16_t)(zero.real + zero.imaginary), 0};
    output[p->half] = (complex_t){(int16_t)(zero.real - zero.imaginary), 0};
    for (int32_t k = 1; k <= p->half / 2; ++k) {
        const complex_t near = divided(work[k], 2);
        const complex_t mirror = {work[p->half - k].real, (int16_t)-work[p->half - k].imaginary};
        const complex_t far = divided(mirror, 2);
        const complex_t even = sum(near, far);
        const complex_t odd = turned(difference(near, far), p->last_twiddles + 2 * (k - 1));
        output[k] = (complex_t){halved(even.real + odd.real), halved(even.imaginary + odd.imaginary)};
        output[p->half - k] = (complex_t){halved(even.real - odd.real), halved(odd.imaginary - even.imaginary)};
    }
}

static bool run(const kernel_call_t *call) {
    const kernel_signal_rfft_t *p = call->params;
    for (int32_t row = 0; row < p->rows; ++row) {
        transform(p, (const int16_t *)call->inputs[0] + row * p->size, call->scratch[0]);
        untangle(p, call->scratch[0], (complex_t *)call->outputs[0] + row * (p->half + 1));
    }
    return true;
}

static uint32_t scratch(const void *params, uint32_t number) {
    const kernel_signal_rfft_t *p = params;
    return number == 0u ? (uint32_t)p->half * sizeof(complex_t) : 0u;
}

const kernel_t kernel_signal_rfft = {run, scratch};
