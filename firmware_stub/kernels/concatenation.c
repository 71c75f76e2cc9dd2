#include "concatenation.h"

#include <string.h>

static bool run(const kernel_call_t *call) {
    const kernel_concatenation_t *p = call->params;
    uint8_t *to = call->outputs[0];
    for (int32_t outer = 0; outer < p->outer; ++outer) {
        for (int32_t piece = 0; piece < p->count; ++piece) {
            const uint8_t *from = call->inputs[p->first + piece];
            if (p->runs[piece] > 0) {
                memcpy(to, from + outer * p->runs[piece], (size_t)p->runs[piece]);
                to += p->runs[piece];
            }
        }
    }
    return true;
}

const kernel_t kernel_concatenation = {run, NULL};
