/* CONV_2D, DEPTHWISE_CONV_2D and FULLY_CONNECTED of 16 bits, with weights of 8 bits and sums of 64 */
#ifndef ARENA_KERNEL_CONV_2D_S16_H
#define ARENA_KERNEL_CONV_2D_S16_H

#include "kernel.h"
#include "window.h"

typedef struct {
    kernel_window_t window;
    int32_t filter_c;                 /* channels that an output sees, in_c over the number of groups */
    int32_t channel_step, pixel_step; /* weights from one output channel, one pixel of the window, to the next */
    int32_t lowest, highest;
    const int32_t *multipliers; /* out_c of them, and of the shifts */
    const int32_t *shifts;
} kernel_conv_2d_s16_t;

/* inputs: picture, filter, bias of int64 or nothing   outputs: picture; all zero points are 0 */
extern const kernel_t kernel_conv_2d_s16;

#endif
