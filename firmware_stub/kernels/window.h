/* A window that moves over a picture: shapes of convolutions and pools, channels last. */
#ifndef ARENA_KERNEL_WINDOW_H
#define ARENA_KERNEL_WINDOW_H

#include <stdint.h>

typedef struct {
    int32_t batch;
    int32_t in_h, in_w, in_c;
    int32_t out_h, out_w, out_c;
    int32_t window_h, window_w;
    int32_t stride_h, stride_w;
    int32_t pad_h, pad_w; /* in front; what is behind follows from the sizes */
    int32_t dilation_h, dilation_w;
} kernel_window_t;

#endif
