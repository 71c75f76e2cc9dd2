#include "reshape.h"

#include <string.h>

static bool run(const kernel_call_t *call) {
    const kernel_reshape_t *params = call->params;
    memmove(call->outputs[0], call->inputs[0], params->bytes);
    return true;
}

const kernel_t kernel_reshape = {run, NULL};
