/* BATCH_TO_SPACE_ND: the pixels of a block are put together again */
#ifndef ARENA_KERNEL_BATCH_TO_SPACE_ND_H
#define ARENA_KERNEL_BATCH_TO_SPACE_ND_H

#include "dealt.h"

/* inputs: pictures, block, what is cut off   outputs: pictures */
extern const kernel_t kernel_batch_to_space_nd;

#endif
