/* SLICE, STRIDED_SLICE and TRANSPOSE: one block of the input, with its axes in some order */
#ifndef ARENA_KERNEL_SLICE_H
#define ARENA_KERNEL_SLICE_H

#include "kernel.h"
#include "strided.h"

typedef kernel_strided_t kernel_slice_t;

/* inputs: values, ...   outputs: values */
extern const kernel_t kernel_slice;

#endif
