/* Activations of floats and of 16 bits: RELU, RELU6, LEAKY_RELU, HARD_SWISH, LOGISTIC, TANH; of a byte they are a
 * lookup. Other functions of a float: NEG, ABS, SQUARE, SQRT, RSQRT, EXP, LOG, SIN, COS, FLOOR, CEIL, ROUND */
#ifndef ARENA_KERNEL_ACTIVATION_H
#define ARENA_KERNEL_ACTIVATION_H

#include "fixed_point.h"
#include "kernel.h"

typedef enum {
    ACTIVATION_RELU,
    ACTIVATION_RELU6,
    ACTIVATION_LEAKY_RELU,
    ACTIVATION_HARD_SWISH,
    ACTIVATION_LOGISTIC,
    ACTIVATION_TANH,
    ACTIVATION_NEGATION,
    ACTIVATION_ABSOLUTE,
    ACTIVATION_SQUARE,
    ACTIVATION_SQUARE_ROOT,
    ACTIVATION_INVERSE_ROOT,
    ACTIVATION_EXPONENTIAL,
    ACTIVATION_LOGARITHM,
    ACTIVATION_SINE,
    ACTIVATION_COSINE,
    ACTIVATION_FLOOR,
    ACTIVATION_CEILING,
    ACTIVATION_ROUND
} kernel_curve_t;

typedef struct {
    int32_t count;
    kernel_curve_t curve;
    float slope; /* of LEAKY_RELU below 0 */
} kernel_activation_f32_t;

typedef struct {
    int32_t count;
    int32_t input_offset, output_offset;
    fixed_scale_t above; /* 0 */
    fixed_scale_t below;
    int32_t sign_below; /* 1, or -1 for a negative slope */
} kernel_leaky_relu_s16_t;

/* LOGISTIC and TANH of 16 bits: a straight line between two entries of a table. */
typedef struct {
    int32_t count;
    int32_t multiplier;
    int32_t right_shift;
    const uint16_t *logistic; /* 256 values of 65536 / (1 + exp(-n / 24)) */
} kernel_curve_s16_t;

/* inputs: values   outputs: values; both may start at the same byte */
extern const kernel_t kernel_activation_f32;
extern const kernel_t kernel_leaky_relu_s16;
extern const kernel_t kernel_logistic_s16;
extern const kernel_t kernel_tanh_s16;

#endif
