/* Windows that move over a picture and leave one value: by CMSIS-NN for int8, here for floats */
#ifndef ARENA_KERNEL_POOL_2D_LOOP_H
#define ARENA_KERNEL_POOL_2D_LOOP_H

#include "arm_nnfunctions.h"
#include "pool_2d.h"

typedef struct {
    cmsis_nn_pool_params params;
    cmsis_nn_dims input, window, output;
} pool_described_t;

/* One picture of the batch: the library does not count them. */
static inline pool_described_t pool_describe(const kernel_pool_2d_t *p) {
    const kernel_window_t *w = &p->window;
    return (pool_described_t){
        {{w->stride_w, w->stride_h}, {w->pad_w, w->pad_h}, {p->lowest, p->highest}},
        {1, w->in_h, w->in_w, w->in_c},
        {1, w->window_h, w->window_w, 1},
        {1, w->out_h, w->out_w, w->out_c},
    };
}

typedef arm_cmsis_nn_status (*pool_t)(const cmsis_nn_context *, const cmsis_nn_pool_params *, const cmsis_nn_dims *,
                                      const int8_t *, const cmsis_nn_dims *, const cmsis_nn_dims *, int8_t *);

static inline bool pool_each(const kernel_call_t *call, pool_t pool, const cmsis_nn_context *context) {
    const kernel_pool_2d_t *p = call->params;
    const kernel_window_t *w = &p->window;
    const pool_described_t d = pool_describe(p);
    const int8_t *input = call->inputs[0];
    int8_t *output = call->outputs[0];
    for (int32_t picture = 0; picture < w->batch; ++picture) {
        if (pool(context, &d.params, &d.input, input, &d.window, &d.output, output) != ARM_CMSIS_NN_SUCCESS) {
            return false;
        }
        input += w->in_h * w->in_w * w->in_c;
        output += w->out_h * w->out_w * w->out_c;
    }
    return true;
}

/* The average, or the largest, of what of a window lies inside the picture. */
static inline float pool_value(const kernel_window_t *w, const float *input, int32_t top, int32_t left,
                               bool is_average) {
    float sum = 0.0f;
    float largest = -__FLT_MAX__;
    int32_t count = 0;
    for (int32_t y = top < 0 ? 0 : top; y < top + w->window_h && y < w->in_h; ++y) {
        for (int32_t x = left < 0 ? 0 : left; x < left + w->window_w && x < w->in_w; ++x) {
            const float value = input[(y * w->in_w + x) * w->in_c];
            sum += value;
            largest = value > largest ? value : largest;
            ++count;
        }
    }
    return is_average ? sum / (float)count : largest;
}

static inline bool pool_f32(const kernel_call_t *call, bool is_average) {
    const kernel_pool_2d_f32_t *p = call->params;
    const kernel_window_t *w = &p->window;
    const float *input = call->inputs[0];
    float *output = call->outputs[0];
    for (int32_t pixel = 0; pixel < w->batch * w->out_h * w->out_w; ++pixel) {
        const int32_t out_x = pixel % w->out_w;
        const int32_t out_y = pixel / w->out_w % w->out_h;
        const float *picture = input + pixel / (w->out_w * w->out_h) * w->in_h * w->in_w * w->in_c;
        for (int32_t c = 0; c < w->out_c; ++c) {
            const float value = pool_value(w, picture + c, out_y * w->stride_h - w->pad_h,
                                           out_x * w->stride_w - w->pad_w, is_average);
            *output++ = value < p->lowest ? p->lowest : value > p->highest ? p->highest : value;
        }
    }
    return true;
}

#endif
