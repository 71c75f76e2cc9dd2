#include "cast.h"

#define FARTHEST 9.0e18f /* beyond it lies what int64_t cannot hold */

static int64_t whole(const void *from, int32_t at, kernel_cast_type_t type) {
    switch (type) {
        case CAST_U8:
            return ((const uint8_t *)from)[at];
        case CAST_S8:
            return ((const int8_t *)from)[at];
        case CAST_S16:
            return ((const int16_t *)from)[at];
        case CAST_S32:
            return ((const int32_t *)from)[at];
        case CAST_U32:
            return ((const uint32_t *)from)[at];
        case CAST_F32:
            break;
    }
    const float value = ((const float *)from)[at];
    return value > -FARTHEST && value < FARTHEST ? (int64_t)value : 0;
}

static void write(void *to, int32_t at, kernel_cast_type_t type, int64_t value) {
    switch (type) {
        case CAST_U8:
        case CAST_S8:
            ((uint8_t *)to)[at] = (uint8_t)value;
            return;
        case CAST_S16:
            ((uint16_t *)to)[at] = (uint16_t)value;
            return;
        case CAST_S32:
        case CAST_U32:
            ((uint32_t *)to)[at] = (uint32_t)value;
            return;
        case CAST_F32:
            ((float *)to)[at] = (float)value;
            return;
    }
}

static bool run(const kernel_call_t *call) {
    const kernel_cast_t *p = call->params;
    for (int32_t at = 0; at < p->count; ++at) {
        if (p->from == CAST_F32 && p->to == CAST_F32) {
            ((float *)call->outputs[0])[at] = ((const float *)call->inputs[0])[at];
        } else {
            write(call->outputs[0], at, p->to, whole(call->inputs[0], at, p->from));
        }
    }
    return true;
}

const kernel_t kernel_cast = {run, NULL};
