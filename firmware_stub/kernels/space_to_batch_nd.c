#include "space_to_batch_nd.h"

static bool run(const kernel_call_t *call) {
    const kernel_dealt_t *p = call->params;
    uint8_t *to = call->outputs[0];
    for (int32_t batch = 0; batch < p->batches * p->block_h * p->block_w; ++batch) {
        const int32_t part = batch / p->batches;
        for (int32_t pixel = 0; pixel < p->out_h * p->out_w; ++pixel, to += p->pixel) {
            const int32_t y = pixel / p->out_w * p->block_h + part / p->block_w - p->top;
            const int32_t x = pixel % p->out_w * p->block_w + part % p->block_w - p->left;
            dealt_put(p, to, call->inputs[0], batch % p->batches, y, x);
        }
    }
    return true;
}

const kernel_t kernel_space_to_batch_nd = {run, NULL};
