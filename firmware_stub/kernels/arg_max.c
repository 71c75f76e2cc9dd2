#include "arg_max.h"

static bool run(const kernel_call_t *call) {
    const kernel_arg_max_t *p = call->params;
    const int8_t *input = call->inputs[0];
    for (int32_t at = 0; at < p->outer * p->inner; ++at) {
        const int8_t *row = input + at / p->inner * p->size * p->inner + at % p->inner;
        int32_t found = 0;
        for (int32_t position = 1; position < p->size; ++position) {
            const int32_t rise = row[position * p->inner] - row[found * p->inner];
            found = (p->is_min != 0 ? rise < 0 : rise > 0) ? position : found;
        }
        ((int32_t *)call->outputs[0])[at] = found;
    }
    return true;
}

static bool run_f32(const kernel_call_t *call) {
    const kernel_arg_max_t *p = call->params;
    const float *input = call->inputs[0];
    for (int32_t at = 0; at < p->outer * p->inner; ++at) {
        const float *row = input + at / p->inner * p->size * p->inner + at % p->inner;
        int32_t found = 0;
        for (int32_t position = 1; position < p->size; ++position) {
            const float value = row[position * p->inner];
            const float best = row[found * p->inner];
            found = (p->is_min != 0 ? value < best : value > best) ? position : found;
        }
        ((int32_t *)call->outputs[0])[at] = found;
    }
    return true;
}

const kernel_t kernel_arg_max = {run, NULL};
const kernel_t kernel_arg_max_f32 = {run_f32, NULL};
