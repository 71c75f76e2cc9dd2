/* What SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND have in common: pixels of a block, dealt out among batches */
#ifndef ARENA_KERNEL_DEALT_H
#define ARENA_KERNEL_DEALT_H

#include <string.h>

#include "kernel.h"

typedef struct {
    int32_t batches; /* of the side with few of them */
    int32_t block_h, block_w;
    int32_t out_h, out_w; /* of the operator's output */
    int32_t in_h, in_w;   /* of its input */
    int32_t top, left;    /* padded before pixels are dealt out, or cut off after they are put together */
    int32_t pixel;        /* bytes */
} kernel_dealt_t;

/* One pixel of a picture, or zeros where there is none. */
static inline void dealt_put(const kernel_dealt_t *p, uint8_t *to, const uint8_t *from, int32_t batch, int32_t y,
                             int32_t x) {
    if (y < 0 || x < 0 || y >= p->in_h || x >= p->in_w) {
        memset(to, 0, (size_t)p->pixel);
        return;
    }
    memcpy(to, from + ((batch * p->in_h + y) * p->in_w + x) * p->pixel, (size_t)p->pixel);
}

#endif
