#include "batch_to_space_nd.h"

static bool run(const kernel_call_t *call) {
    const kernel_dealt_t *p = call->params;
    uint8_t *to = call->outputs[0];
    for (int32_t batch = 0; batch < p->batches; ++batch) {
        for (int32_t pixel = 0; pixel < p->out_h * p->out_w; ++pixel, to += p->pixel) {
            const int32_t y = pixel / p->out_w + p->top;
            const int32_t x = pixel % p->out_w + p->left;
            const int32_t part = y % p->block_h * p->block_w + x % p->block_w;
            dealt_put(p, to, call->inputs[0], part * p->batches + batch, y / p->block_h, x / p->block_w);
        }
    }
    return true;
}

const kernel_t kernel_batch_to_space_nd = {run, NULL};
