#include "signal_filter_bank_spectral_subtraction.h"

#include <string.h>

typedef kernel_signal_filter_bank_spectral_subtraction_t subtraction_t;

/* What is left of a channel; its estimate moves on. */
static uint32_t without_noise(const subtraction_t *p, int32_t channel, uint32_t value, uint32_t *estimate) {
    const uint32_t smoothing = channel % 2 == 0 ? p->smoothing : p->alternate_smoothing;
    const uint32_t rest = channel % 2 == 0 ? p->one_minus_smoothing : p->alternate_one_minus_smoothing;
    const uint32_t signal = value << p->smoothing_bits;
    const uint64_t mixed = (uint64_t)signal * smoothing + (uint64_t)*estimate * rest;
    *estimate = (uint32_t)(mixed >> p->spectral_subtraction_bits);
    const uint32_t noise = *estimate < signal ? *estimate : signal;
    *estimate = p->clamps != 0 ? noise : *estimate;
    const uint32_t least = (uint32_t)((uint64_t)value * p->min_signal_remaining >> p->spectral_subtraction_bits);
    const uint32_t left = (signal - noise) >> p->smoothing_bits;
    return left > least ? left : least;
}

static bool run(const kernel_call_t *call) {
    const subtraction_t *p = call->params;
    const uint32_t *input = call->inputs[0];
    uint32_t *estimates = call->kept;
    for (int32_t channel = 0; channel < p->channels; ++channel) {
        ((uint32_t *)call->outputs[0])[channel] = without_noise(p, channel, input[channel], &estimates[channel]);
    }
    memcpy(call->outputs[1], estimates, (size_t)p->channels * sizeof *estimates);
    return true;
}

const kernel_t kernel_signal_filter_bank_spectral_subtraction = {run, NULL};
