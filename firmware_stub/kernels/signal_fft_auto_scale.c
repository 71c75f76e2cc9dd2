#include "signal_fft_auto_scale.h"

#include "bits.h"

/* As TFLM has it: the size of the lowest number is no int16_t, so that something negative stands there for a while. */
static int16_t largest_size(const int16_t *samples, int32_t count) {
    int16_t largest = 0;
    for (int32_t at = 0; at < count; ++at) {
        if (samples[at] > largest) {
            largest = samples[at];
        } else if (-samples[at] > largest) {
            largest = (int16_t)-samples[at];
        }
    }
    return largest;
}

static bool run(const kernel_call_t *call) {
    const kernel_signal_fft_auto_scale_t *p = call->params;
    const int16_t *samples = call->inputs[0];
    int16_t *output = call->outputs[0];
    const int16_t largest = largest_size(samples, p->count);
    const int32_t shift = largest > 0 ? 15 - (int32_t)bits_of((uint64_t)largest) : 0;
    for (int32_t at = 0; at < p->count; ++at) {
        output[at] = (int16_t)(samples[at] * (1 << shift));
    }
    *(int32_t *)call->outputs[1] = shift;
    return true;
}

const kernel_t kernel_signal_fft_auto_scale = {run, NULL};
