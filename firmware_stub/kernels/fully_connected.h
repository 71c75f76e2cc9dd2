/* FULLY_CONNECTED */
#ifndef ARENA_KERNEL_FULLY_CONNECTED_H
#define ARENA_KERNEL_FULLY_CONNECTED_H

#include "kernel.h"

typedef struct {
    int32_t batches, in_c, out_c;
    int32_t input_offset; /* minus the input's zero point */
    int32_t filter_offset;
    int32_t output_offset;
    int32_t lowest, highest;
    const int32_t *multipliers; /* one, or out_c of them; and of the shifts */
    const int32_t *shifts;
} kernel_fully_connected_t;

typedef struct {
    int32_t batches, in_c, out_c;
    float lowest, highest;
} kernel_fully_connected_f32_t;

/* inputs: batches of in_c, filter [out_c][in_c], bias or nothing   outputs: batches of out_c   scratch: 1 (CMSIS-NN) */
extern const kernel_t kernel_fully_connected;
/* the same with a scale for each output or a filter with a zero point, which CMSIS-NN 4.0 does not have; no scratch */
extern const kernel_t kernel_fully_connected_per_channel;
extern const kernel_t kernel_fully_connected_f32;

#endif
