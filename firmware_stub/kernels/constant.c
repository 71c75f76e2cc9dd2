#include "constant.h"

#include <string.h>

static bool run(const kernel_call_t *call) {
    const kernel_constant_t *p = call->params;
    memcpy(call->outputs[0], p->values, p->bytes);
    return true;
}

const kernel_t kernel_constant = {run, NULL};
