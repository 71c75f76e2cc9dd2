/* GATHER */
#ifndef ARENA_KERNEL_GATHER_H
#define ARENA_KERNEL_GATHER_H

#include "kernel.h"

typedef struct {
    int32_t batches;   /* of positions */
    int32_t outer;     /* slices of each that a position picks from */
    int32_t size;      /* of the axis that positions count along */
    int32_t positions; /* of a batch */
    int32_t run;       /* bytes behind a position */
} kernel_gather_t;

/* inputs: values, positions of int32   outputs: values; it refuses positions outside the axis */
extern const kernel_t kernel_gather;

#endif
