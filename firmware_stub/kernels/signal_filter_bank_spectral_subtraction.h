/* SignalFilterBankSpectralSubtraction */
#ifndef ARENA_KERNEL_SIGNAL_FILTER_BANK_SPECTRAL_SUBTRACTION_H
#define ARENA_KERNEL_SIGNAL_FILTER_BANK_SPECTRAL_SUBTRACTION_H

#include "kernel.h"

/* Fractions of 2^spectral_subtraction_bits; the alternate ones are for channels of odd numbers. */
typedef struct {
    int32_t channels;
    int32_t clamps; /* 1: the estimate never exceeds the signal */
    uint32_t smoothing, one_minus_smoothing;
    uint32_t alternate_smoothing, alternate_one_minus_smoothing;
    uint32_t min_signal_remaining;
    uint32_t smoothing_bits; /* by how many bits the signal goes up for the estimate */
    uint32_t spectral_subtraction_bits;
} kernel_signal_filter_bank_spectral_subtraction_t;

/* inputs: channels   outputs: channels without noise, the estimate of the noise   keeps: the estimate */
extern const kernel_t kernel_signal_filter_bank_spectral_subtraction;

#endif
