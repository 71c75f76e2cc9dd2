/* SignalFftAutoScale */
#ifndef ARENA_KERNEL_SIGNAL_FFT_AUTO_SCALE_H
#define ARENA_KERNEL_SIGNAL_FFT_AUTO_SCALE_H

#include "kernel.h"

typedef struct {
    int32_t count;
} kernel_signal_fft_auto_scale_t;

/* inputs: samples   outputs: samples that use all 16 bits, by how many bits they went up; forward */
extern const kernel_t kernel_signal_fft_auto_scale;

#endif
