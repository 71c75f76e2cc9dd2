#include "logical.h"

static bool run(const kernel_call_t *call) {
    const kernel_logical_t *p = call->params;
    const uint8_t *lefts = call->inputs[0];
    const uint8_t *rights = call->inputs[1];
    const int32_t count = pair_count(&p->pair);
    for (int32_t at = 0; at < count; ++at) {
        const bool left = lefts[pair_place(&p->pair, p->pair.left, at)] != 0u;
        const bool right = rights[pair_place(&p->pair, p->pair.right, at)] != 0u;
        ((uint8_t *)call->outputs[0])[at] = (p->is_or != 0 ? left || right : left && right) ? 1u : 0u;
    }
    return true;
}

const kernel_t kernel_logical = {run, NULL};
