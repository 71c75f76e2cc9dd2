/* BATCH_MATMUL */
#ifndef ARENA_KERNEL_BATCH_MATMUL_H
#define ARENA_KERNEL_BATCH_MATMUL_H

#include "elements.h"
#include "fixed_point.h"
#include "kernel.h"

typedef struct {
    kernel_pair_t batches; /* of matrices; steps are elements */
    int32_t rows, depth, columns;
    int32_t left_row, left_depth; /* elements from one to the next: either side may stand transposed */
    int32_t right_depth, right_column;
} kernel_batch_matmul_shape_t;

typedef struct {
    kernel_batch_matmul_shape_t shape;
    kernel_element_t element; /* int8, or int16 with sums of 64 bits */
    int32_t left_offset, right_offset, output_offset;
    fixed_scale_t scale;
    int32_t lowest, highest;
} kernel_batch_matmul_t;

typedef struct {
    kernel_batch_matmul_shape_t shape;
} kernel_batch_matmul_f32_t;

/* inputs: matrices, matrices   outputs: matrices */
extern const kernel_t kernel_batch_matmul;
extern const kernel_t kernel_batch_matmul_f32;

#endif
