#include "mean.h"

static bool run(const kernel_call_t *call) {
    const kernel_mean_t *p = call->params;
    const int32_t outputs = reduction_count(p->axes.kept);
    const int32_t elements = reduction_count(p->axes.gone);
    for (int32_t at = 0; at < outputs; ++at) {
        const int32_t first = reduction_place(p->axes.kept, p->axes.kept_steps, at);
        int32_t sum = p->input_offset;
        for (int32_t element = 0; element < elements; ++element) {
            const int32_t place = first + reduction_place(p->axes.gone, p->axes.gone_steps, element);
            sum += element_read(call->inputs[0], place, p->element);
        }
        const int32_t scaled = fixed_scaled(sum, p->scale) + p->output_offset;
        element_write(call->outputs[0], at, p->element, fixed_clamp(scaled, p->lowest, p->highest));
    }
    return true;
}

static bool run_f32(const kernel_call_t *call) {
    const kernel_mean_f32_t *p = call->params;
    const float *input = call->inputs[0];
    const int32_t outputs = reduction_count(p->axes.kept);
    const int32_t elements = reduction_count(p->axes.gone);
    for (int32_t at = 0; at < outputs; ++at) {
        const int32_t first = reduction_place(p->axes.kept, p->axes.kept_steps, at);
        float sum = 0.0f;
        for (int32_t element = 0; element < elements; ++element) {
            sum += input[first + reduction_place(p->axes.gone, p->axes.gone_steps, element)];
        }
        ((float *)call->outputs[0])[at] = sum / p->divisor;
    }
    return true;
}

const kernel_t kernel_mean = {run, NULL};
const kernel_t kernel_mean_f32 = {run_f32, NULL};
