#include "signal_filter_bank.h"

static uint64_t weighed(const uint32_t *bins, const int16_t *weights, int32_t count) {
    uint64_t sum = 0u;
    for (int32_t at = 0; at < count; ++at) {
        sum += (uint64_t)weights[at] * bins[at];
    }
    return sum;
}

/* A channel rises over one range of bins and falls over the next one, in which the channel behind it rises. */
static bool run(const kernel_call_t *call) {
    const kernel_signal_filter_bank_t *p = call->params;
    const uint32_t *bins = call->inputs[0];
    const int16_t *rising = call->inputs[1];
    const int16_t *falling = call->inputs[2];
    const int16_t *first_bins = call->inputs[3];
    const int16_t *first_weights = call->inputs[4];
    const int16_t *widths = call->inputs[5];
    uint64_t *output = call->outputs[0];
    uint64_t before = 0u;
    for (int32_t range = 0; range <= p->channels; ++range) {
        const uint32_t *from = bins + first_bins[range];
        if (range > 0) {
            output[range - 1] = before + weighed(from, rising + first_weights[range], widths[range]);
        }
        before = weighed(from, falling + first_weights[range], widths[range]);
    }
    return true;
}

const kernel_t kernel_signal_filter_bank = {run, NULL};
