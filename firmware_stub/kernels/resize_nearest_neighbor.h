/* RESIZE_NEAREST_NEIGHBOR */
#ifndef ARENA_KERNEL_RESIZE_NEAREST_NEIGHBOR_H
#define ARENA_KERNEL_RESIZE_NEAREST_NEIGHBOR_H

#include "kernel.h"

typedef struct {
    int32_t batch, in_h, in_w, out_h, out_w;
    int32_t pixel;          /* bytes */
    const int32_t *rows;    /* of the input, out_h of them */
    const int32_t *columns; /* of the input, out_w of them */
} kernel_resize_nearest_neighbor_t;

/* inputs: picture, size   outputs: picture */
extern const kernel_t kernel_resize_nearest_neighbor;

#endif
