#include "batch_matmul.h"

/* Where the row and the column of an element of the output begin. */
typedef struct {
    int32_t left, right;
} start_t;

static start_t start_of(const kernel_batch_matmul_shape_t *s, int32_t at) {
    const int32_t batch = at / (s->rows * s->columns);
    const int32_t row = at / s->columns % s->rows;
    const int32_t column = at % s->columns;
    return (start_t){
        pair_place(&s->batches, s->batches.left, batch) + row * s->left_row,
        pair_place(&s->batches, s->batches.right, batch) + column * s->right_column,
    };
}

static int32_t elements(const kernel_batch_matmul_shape_t *s) {
    return pair_count(&s->batches) * s->rows * s->columns;
}

static int64_t sum_of(const kernel_batch_matmul_t *p, const kernel_call_t *call, start_t start) {
    const kernel_batch_matmul_shape_t *s = &p->shape;
    int64_t sum = 0;
    for (int32_t at = 0; at < s->depth; ++at) {
        const int32_t left = element_read(call->inputs[0], start.left + at * s->left_depth, p->element);
        const int32_t right = element_read(call->inputs[1], start.right + at * s->right_depth, p->element);
        sum += (int64_t)(left + p->left_offset) * (right + p->right_offset);
    }
    return sum;
}

static bool run(const kernel_call_t *call) {
    const kernel_batch_matmul_t *p = call->params;
    for (int32_t at = 0; at < elements(&p->shape); ++at) {
        const int64_t sum = sum_of(p, call, start_of(&p->shape, at));
        const int32_t scaled = p->element == ELEMENT_S16 ? fixed_scaled_wide(sum, p->scale)
                                                         : fixed_scaled((int32_t)sum, p->scale);
        element_write(call->outputs[0], at, p->element, fixed_clamp(scaled + p->output_offset, p->lowest, p->highest));
    }
    return true;
}

static bool run_f32(const kernel_call_t *call) {
    const kernel_batch_matmul_shape_t *s = &((const kernel_batch_matmul_f32_t *)call->params)->shape;
    const float *left = call->inputs[0];
    const float *right = call->inputs[1];
    for (int32_t at = 0; at < elements(s); ++at) {
        const start_t start = start_of(s, at);
        float sum = 0.0f;
        for (int32_t depth = 0; depth < s->depth; ++depth) {
            sum += left[start.left + depth * s->left_depth] * right[start.right + depth * s->right_depth];
        }
        ((float *)call->outputs[0])[at] = sum;
    }
    return true;
}

const kernel_t kernel_batch_matmul = {run, NULL};
const kernel_t kernel_batch_matmul_f32 = {run_f32, NULL};
