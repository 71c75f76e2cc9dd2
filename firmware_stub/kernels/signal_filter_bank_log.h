/* SignalFilterBankLog */
#ifndef ARENA_KERNEL_SIGNAL_FILTER_BANK_LOG_H
#define ARENA_KERNEL_SIGNAL_FILTER_BANK_LOG_H

#include "kernel.h"

typedef struct {
    int32_t count;
    uint32_t input_shift; /* to the left */
    uint32_t output_scale;
    const uint16_t *bends; /* 65536 (log2(1 + n / 128) - n / 128) for n from 0 to 128 */
} kernel_signal_filter_bank_log_t;

/* inputs: channels of uint32   outputs: natural logarithms as int16 */
extern const kernel_t kernel_signal_filter_bank_log;

#endif
