#include "gather.h"

#include <string.h>

static bool run(const kernel_call_t *call) {
    const kernel_gather_t *p = call->params;
    const uint8_t *from = call->inputs[0];
    const int32_t *positions = call->inputs[1];
    uint8_t *to = call->outputs[0];
    for (int32_t slice = 0; slice < p->batches * p->outer; ++slice, from += p->size * p->run) {
        const int32_t *batch = positions + slice / p->outer * p->positions;
        for (int32_t at = 0; at < p->positions; ++at, to += p->run) {
            if (batch[at] < 0 || batch[at] >= p->size) {
                return false;
            }
            memcpy(to, from + batch[at] * p->run, (size_t)p->run);
        }
    }
    return true;
}

const kernel_t kernel_gather = {run, NULL};
