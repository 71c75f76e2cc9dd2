/* Functions of a float: NEG, ABS, SQUARE, SQRT, RSQRT, EXP, LOG, SIN, COS, FLOOR, CEIL, ROUND */
#ifndef ARENA_KERNEL_FUNCTION_H
#define ARENA_KERNEL_FUNCTION_H

#include "kernel.h"

typedef enum {
    FUNCTION_NEGATION,
    FUNCTION_ABSOLUTE,
    FUNCTION_SQUARE,
    FUNCTION_SQUARE_ROOT,
    FUNCTION_INVERSE_ROOT,
    FUNCTION_EXPONENTIAL,
    FUNCTION_LOGARITHM,
    FUNCTION_SINE,
    FUNCTION_COSINE,
    FUNCTION_FLOOR,
    FUNCTION_CEILING,
    FUNCTION_ROUND
} kernel_function_t;

typedef struct {
    int32_t count;
    kernel_function_t function;
} kernel_function_f32_t;

/* inputs: values   outputs: values; both may start at the same byte */
extern const kernel_t kernel_function_f32;

#endif
