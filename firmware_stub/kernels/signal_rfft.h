/* SignalRfft: the spectrum of real samples of 16 bits */
#ifndef ARENA_KERNEL_SIGNAL_RFFT_H
#define ARENA_KERNEL_SIGNAL_RFFT_H

#include "kernel.h"

/* Complex numbers are pairs of int16_t, in units of 1/32767. */
typedef struct {
    int32_t rows, size;           /* of samples; behind a row there are zeros up to the length of the FFT */
    int32_t half;                 /* of that length: a power of two */
    int32_t stages;
    const int32_t *radices;       /* of the stages, the outermost first: 4 or 2 */
    const uint16_t *order;        /* which input stands at a place before the innermost stage, half of them */
    const int16_t *twiddles;      /* exp(-2 pi i n / half), half of them */
    const int16_t *last_twiddles; /* exp(-pi i ((n + 1) / half + 1/2)), half / 2 of them */
} kernel_signal_rfft_t;

/* inputs: rows of samples   outputs: rows of half + 1 complex numbers   scratch: 1, of half complex numbers */
extern const kernel_t kernel_signal_rfft;

#endif
