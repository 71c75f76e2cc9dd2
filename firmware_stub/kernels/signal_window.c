#include "signal_window.h"

#include "fixed_point.h"

static bool run(const kernel_call_t *call) {
    const kernel_signal_window_t *p = call->params;
    const int16_t *samples = call->inputs[0];
    const int16_t *weights = call->inputs[1];
    int16_t *output = call->outputs[0];
    for (int32_t at = 0; at < p->rows * p->size; ++at) {
        const int32_t weighed = samples[at] * weights[at % p->size] >> p->shift;
        output[at] = (int16_t)fixed_clamp(weighed, INT16_MIN, INT16_MAX);
    }
    return true;
}

const kernel_t kernel_signal_window = {run, NULL};
