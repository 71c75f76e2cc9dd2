/* CUMSUM */
#ifndef ARENA_KERNEL_CUMSUM_H
#define ARENA_KERNEL_CUMSUM_H

#include "fixed_point.h"
#include "kernel.h"

typedef struct {
    int32_t outer, size, inner; /* elements in front of the axis, along it, and behind it */
    int32_t is_exclusive;       /* a sum does not count the element where it stands */
    int32_t is_reverse;         /* sums begin at the end of the axis */
    int32_t input_offset, output_offset;
    int32_t lift; /* elements are multiplied by 2^lift before they are scaled */
    fixed_scale_t input_scale, output_scale;
} kernel_cumsum_t;

/* inputs: int8, axis   outputs: int8; sums wrap at 32 bits. As TFLM has it, they begin with what a byte of 0 adds. */
extern const kernel_t kernel_cumsum;
/* the same with float, without offsets and scales */
extern const kernel_t kernel_cumsum_f32;

#endif
