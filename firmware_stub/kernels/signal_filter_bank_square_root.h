/* SignalFilterBankSquareRoot */
#ifndef ARENA_KERNEL_SIGNAL_FILTER_BANK_SQUARE_ROOT_H
#define ARENA_KERNEL_SIGNAL_FILTER_BANK_SQUARE_ROOT_H

#include "kernel.h"

typedef struct {
    int32_t count;
} kernel_signal_filter_bank_square_root_t;

/* inputs: uint64, by how many bits roots go down, less than 32   outputs: uint32 */
extern const kernel_t kernel_signal_filter_bank_square_root;

#endif
