#include "signal_energy.h"

static bool run(const kernel_call_t *call) {
    const kernel_signal_energy_t *p = call->params;
    const int16_t *bins = call->inputs[0];
    uint32_t *output = call->outputs[0];
    for (int32_t at = 0; at < p->count; ++at) {
        const bool counts = at >= p->first && at < p->end;
        const int32_t real = counts ? bins[2 * at] : 0;
        const int32_t imaginary = counts ? bins[2 * at + 1] : 0;
        output[at] = (uint32_t)(real * real) + (uint32_t)(imaginary * imaginary);
    }
    return true;
}

const kernel_t kernel_signal_energy = {run, NULL};
