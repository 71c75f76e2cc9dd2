#include "resize_nearest_neighbor.h"

#include <string.h>

static bool run(const kernel_call_t *call) {
    const kernel_resize_nearest_neighbor_t *p = call->params;
    const uint8_t *picture = call->inputs[0];
    uint8_t *to = call->outputs[0];
    for (int32_t batch = 0; batch < p->batch; ++batch, picture += p->in_h * p->in_w * p->pixel) {
        for (int32_t y = 0; y < p->out_h; ++y) {
            const uint8_t *row = picture + p->rows[y] * p->in_w * p->pixel;
            for (int32_t x = 0; x < p->out_w; ++x, to += p->pixel) {
                memcpy(to, row + p->columns[x] * p->pixel, (size_t)p->pixel);
            }
        }
    }
    return true;
}

const kernel_t kernel_resize_nearest_neighbor = {run, NULL};
