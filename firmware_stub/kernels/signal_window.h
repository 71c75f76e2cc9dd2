/* SignalWindow */
#ifndef ARENA_KERNEL_SIGNAL_WINDOW_H
#define ARENA_KERNEL_SIGNAL_WINDOW_H

#include "kernel.h"

typedef struct {
    int32_t rows, size;
    int32_t shift;
} kernel_signal_window_t;

/* inputs: rows of samples, weights of one row   outputs: samples; forward */
extern const kernel_t kernel_signal_window;

#endif
