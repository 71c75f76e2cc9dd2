/* CAST */
#ifndef ARENA_KERNEL_CAST_H
#define ARENA_KERNEL_CAST_H

#include "kernel.h"

typedef enum { CAST_U8, CAST_S8, CAST_S16, CAST_S32, CAST_U32, CAST_F32 } kernel_cast_type_t; /* a bool is a U8 */

typedef struct {
    int32_t count;
    kernel_cast_type_t from, to;
} kernel_cast_t;

/* inputs: values   outputs: values; whole numbers keep their lowest bits, floats lose what is behind the point;
 * forward */
extern const kernel_t kernel_cast;

#endif
