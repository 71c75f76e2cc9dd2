#include "choose.h"

static bool run(const kernel_call_t *call) {
    const kernel_condition_t *p = call->params;
    const int32_t count = pair_count(&p->pair);
    for (int32_t at = 0; at < count; ++at) {
        const int32_t left = element_read(call->inputs[0], pair_place(&p->pair, p->pair.left, at), p->element);
        const int32_t right = element_read(call->inputs[1], pair_place(&p->pair, p->pair.right, at), p->element);
        element_write(call->outputs[0], at, p->element, condition_holds(p, left, right) ? left : right);
    }
    return true;
}

static bool run_f32(const kernel_call_t *call) {
    const kernel_condition_t *p = call->params;
    const int32_t count = pair_count(&p->pair);
    for (int32_t at = 0; at < count; ++at) {
        const float left = ((const float *)call->inputs[0])[pair_place(&p->pair, p->pair.left, at)];
        const float right = ((const float *)call->inputs[1])[pair_place(&p->pair, p->pair.right, at)];
        ((float *)call->outputs[0])[at] = condition_holds_f32(p, left, right) ? left : right;
    }
    return true;
}

const kernel_t kernel_choose = {run, NULL};
const kernel_t kernel_choose_f32 = {run_f32, NULL};
