#include "reduce_max.h"

#include <float.h>

static int32_t place(const kernel_reduce_max_t *p, int32_t first, int32_t element) {
    return first + reduction_place(p->axes.gone, p->axes.gone_steps, element);
}

static bool run(const kernel_call_t *call) {
    const kernel_reduce_max_t *p = call->params;
    const int32_t outputs = reduction_count(p->axes.kept);
    const int32_t elements = reduction_count(p->axes.gone);
    for (int32_t at = 0; at < outputs; ++at) {
        const int32_t first = reduction_place(p->axes.kept, p->axes.kept_steps, at);
        int32_t found = element_read(call->inputs[0], first, p->element);
        for (int32_t element = 1; element < elements; ++element) {
            const int32_t value = element_read(call->inputs[0], place(p, first, element), p->element);
            found = (p->is_min != 0 ? value < found : value > found) ? value : found;
        }
        element_write(call->outputs[0], at, p->element, found);
    }
    return true;
}

/* It begins with the end of the range, so that what is no number is passed over. */
static bool run_f32(const kernel_call_t *call) {
    const kernel_reduce_max_t *p = call->params;
    const float *input = call->inputs[0];
    const int32_t outputs = reduction_count(p->axes.kept);
    const int32_t elements = reduction_count(p->axes.gone);
    for (int32_t at = 0; at < outputs; ++at) {
        const int32_t first = reduction_place(p->axes.kept, p->axes.kept_steps, at);
        float found = p->is_min != 0 ? FLT_MAX : -FLT_MAX;
        for (int32_t element = 0; element < elements; ++element) {
            const float value = input[place(p, first, element)];
            found = (p->is_min != 0 ? value < found : value > found) ? value : found;
        }
        ((float *)call->outputs[0])[at] = found;
    }
    return true;
}

const kernel_t kernel_reduce_max = {run, NULL};
const kernel_t kernel_reduce_max_f32 = {run_f32, NULL};
