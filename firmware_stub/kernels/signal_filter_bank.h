/* SignalFilterBank */
#ifndef ARENA_KERNEL_SIGNAL_FILTER_BANK_H
#define ARENA_KERNEL_SIGNAL_FILTER_BANK_H

#include "kernel.h"

typedef struct {
    int32_t channels;
} kernel_signal_filter_bank_t;

/* inputs: energies, weights for a channel and for the one before it, and for each channel, and one before the first:
 * its first bin, its first weight, how many there are   outputs: uint64 */
extern const kernel_t kernel_signal_filter_bank;

#endif
