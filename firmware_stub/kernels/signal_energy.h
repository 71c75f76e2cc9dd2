/* SignalEnergy */
#ifndef ARENA_KERNEL_SIGNAL_ENERGY_H
#define ARENA_KERNEL_SIGNAL_ENERGY_H

#include "kernel.h"

typedef struct {
    int32_t first, end; /* the bins that have an energy */
    int32_t count;      /* of all bins; the others are 0, where TFLM leaves what there was */
} kernel_signal_energy_t;

/* inputs: complex numbers of int16   outputs: uint32; forward */
extern const kernel_t kernel_signal_energy;

#endif
