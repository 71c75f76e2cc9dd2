#include "dequantize.h"

/* Computed as double and rounded once. */
static bool run(const kernel_call_t *call) {
    const kernel_dequantize_t *p = call->params;
    float *output = call->outputs[0];
    for (int32_t at = 0; at < p->count; ++at) {
        const int32_t value = element_read(call->inputs[0], at, p->element) - p->zero_point;
        output[at] = (float)((double)p->scale * value);
    }
    return true;
}

const kernel_t kernel_dequantize = {run, NULL};
