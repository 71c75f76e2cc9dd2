/* SPACE_TO_BATCH_ND: the pixels of a block are dealt out among batches */
#ifndef ARENA_KERNEL_SPACE_TO_BATCH_ND_H
#define ARENA_KERNEL_SPACE_TO_BATCH_ND_H

#include "dealt.h"

/* inputs: pictures, block, paddings   outputs: pictures; paddings are 0, as TFLM leaves them */
extern const kernel_t kernel_space_to_batch_nd;

#endif
