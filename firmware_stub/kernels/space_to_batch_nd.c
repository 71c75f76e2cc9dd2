#include "space_to_batch_nd.h"

#include <string.h>

/* One pixel of a picture, or zeros where there is none. */
static void put(const kernel_space_to_batch_nd_t *p, uint8_t *to, const uint8_t *from, int32_t batch, int32_t y,
                int32_t x) {
    if (y < 0 || x < 0 || y >= p->in_h || x >= p->in_w) {
        memset(to, 0, (size_t)p->pixel);
        return;
    }
    memcpy(to, from + ((batch * p->in_h + y) * p->in_w + x) * p->pixel, (size_t)p->pixel);
}

static bool run_deal(const kernel_call_t *call) {
    const kernel_space_to_batch_nd_t *p = call->params;
    uint8_t *to = call->outputs[0];
    for (int32_t batch = 0; batch < p->batches * p->block_h * p->block_w; ++batch) {
        const int32_t part = batch / p->batches;
        for (int32_t pixel = 0; pixel < p->out_h * p->out_w; ++pixel, to += p->pixel) {
            const int32_t y = pixel / p->out_w * p->block_h + part / p->block_w - p->top;
            const int32_t x = pixel % p->out_w * p->block_w + part % p->block_w - p->left;
            put(p, to, call->inputs[0], batch % p->batches, y, x);
        }
    }
    return true;
}

static bool run_collect(const kernel_call_t *call) {
    const kernel_space_to_batch_nd_t *p = call->params;
    uint8_t *to = call->outputs[0];
    for (int32_t batch = 0; batch < p->batches; ++batch) {
        for (int32_t pixel = 0; pixel < p->out_h * p->out_w; ++pixel, to += p->pixel) {
            const int32_t y = pixel / p->out_w + p->top;
            const int32_t x = pixel % p->out_w + p->left;
            const int32_t part = y % p->block_h * p->block_w + x % p->block_w;
            put(p, to, call->inputs[0], part * p->batches + batch, y / p->block_h, x / p->block_w);
        }
    }
    return true;
}

const kernel_t kernel_space_to_batch_nd = {run_deal, NULL};
const kernel_t kernel_batch_to_space_nd = {run_collect, NULL};
