/* SignalPCAN: a gain that depends on the noise */
#ifndef ARENA_KERNEL_SIGNAL_PCAN_H
#define ARENA_KERNEL_SIGNAL_PCAN_H

#include "kernel.h"

typedef struct {
    int32_t count;
    int32_t shift; /* of a product with a gain, to the right */
} kernel_signal_pcan_t;

/* inputs: channels, noise, table of gains   outputs: channels; forward
 * The table has the gains of 0, 1 and 2, then three coefficients for every number of bits from 2 on, four apart. */
extern const kernel_t kernel_signal_pcan;

#endif
