#include "function.h"

#include <math.h>

static float value_at(kernel_function_t function, float x) {
    switch (function) {
        case FUNCTION_NEGATION:
            return -x;
        case FUNCTION_SQUARE:
            return x * x;
        case FUNCTION_SQUARE_ROOT:
            return sqrtf(x);
        case FUNCTION_INVERSE_ROOT:
            return 1.0f / sqrtf(x);
        case FUNCTION_EXPONENTIAL:
            return expf(x);
        case FUNCTION_LOGARITHM:
            return logf(x);
        case FUNCTION_SINE:
            return sinf(x);
        case FUNCTION_COSINE:
            return cosf(x);
        case FUNCTION_FLOOR:
            return floorf(x);
        case FUNCTION_CEILING:
            return ceilf(x);
        case FUNCTION_ROUND: /* halves to the even side */
            return rintf(x);
        default:
            return fabsf(x);
    }
}

static bool run_f32(const kernel_call_t *call) {
    const kernel_function_f32_t *p = call->params;
    const float *input = call->inputs[0];
    float *output = call->outputs[0];
    for (int32_t at = 0; at < p->count; ++at) {
        output[at] = value_at(p->function, input[at]);
    }
    return true;
}

const kernel_t kernel_function_f32 = {run_f32, NULL};
