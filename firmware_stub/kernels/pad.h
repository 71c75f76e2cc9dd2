/* PAD and PADV2 */
#ifndef ARENA_KERNEL_PAD_H
#define ARENA_KERNEL_PAD_H

#include "kernel.h"
#include "strided.h"

typedef struct {
    kernel_strided_t block; /* where the input goes */
    int32_t bytes;          /* of the output */
    int32_t width;          /* of an element, at most 4 bytes */
    uint32_t value;         /* the bits of what stands around the input, where no input says so */
} kernel_pad_t;

/* inputs: values, paddings, and for PADV2 what stands around them   outputs: values */
extern const kernel_t kernel_pad;

#endif
