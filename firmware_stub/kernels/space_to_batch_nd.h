/* SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND: the pixels of a block are dealt out among batches, or put together again */
#ifndef ARENA_KERNEL_SPACE_TO_BATCH_ND_H
#define ARENA_KERNEL_SPACE_TO_BATCH_ND_H

#include "kernel.h"

typedef struct {
    int32_t batches; /* of the side with few of them */
    int32_t block_h, block_w;
    int32_t out_h, out_w; /* of the operator's output */
    int32_t in_h, in_w;   /* of its input */
    int32_t top, left;    /* padded before pixels are dealt out, or cut off after they are put together */
    int32_t pixel;        /* bytes */
} kernel_space_to_batch_nd_t;

/* inputs: pictures, block, paddings   outputs: pictures; paddings are 0, as TFLM leaves them */
extern const kernel_t kernel_space_to_batch_nd;
/* inputs: pictures, block, what is cut off   outputs: pictures */
extern const kernel_t kernel_batch_to_space_nd;

#endif
