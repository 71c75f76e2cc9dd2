/* UNIDIRECTIONAL_SEQUENCE_LSTM: int8 or int16 with a cell state of 16 bits, and floats */
#ifndef ARENA_KERNEL_LSTM_H
#define ARENA_KERNEL_LSTM_H

#include "elements.h"
#include "fixed_point.h"
#include "kernel.h"

/* Positions of gates: in the operator's inputs they stand in this order, weights first, then recurrent ones, then
 * biases. */
typedef enum { LSTM_INPUT, LSTM_FORGET, LSTM_CELL, LSTM_OUTPUT, LSTM_GATES } kernel_lstm_position_t;

typedef struct {
    int32_t batches, steps, in_c, state_c;
    int32_t batch_stride, step_stride; /* from one batch, one step, to the next, in rows of input and output */
} kernel_lstm_shape_t;

typedef struct {
    fixed_scale_t input_scale; /* of products with the input, into units of 2^-12 */
    fixed_scale_t hidden_scale;
    int32_t input_weight_offset; /* minus the zero point of these weights */
    int32_t hidden_weight_offset;
} kernel_lstm_gate_t;

typedef struct {
    kernel_lstm_shape_t shape;
    kernel_element_t element; /* int8 with biases of int32, or int16 with biases and sums of 64 bits */
    int32_t input_offset;     /* minus the input's zero point */
    int32_t hidden_offset;    /* minus the hidden state's zero point */
    kernel_lstm_gate_t gates[LSTM_GATES];
    fixed_scale_t forget_scale; /* forget gate times cell state, into the cell state */
    fixed_scale_t update_scale; /* input gate times cell gate, into the cell state */
    fixed_scale_t hidden_scale; /* output gate times tanh of the cell, into the hidden state */
    int32_t lowest, highest;    /* of the hidden state */
    int32_t cell_multiplier;    /* of the cell state as an argument of tanh */
    int32_t cell_right_shift;
    int32_t clip;             /* of the cell state; 32768 for none */
    const uint16_t *logistic; /* 256 values of 65536 / (1 + exp(-n / 24)) */
} kernel_lstm_t;

typedef struct {
    kernel_lstm_shape_t shape;
    float clip; /* of the cell state; the largest number for none */
} kernel_lstm_f32_t;

/* inputs: values, 4 weights [state_c][in_c], 4 recurrent weights [state_c][state_c], 4 biases   outputs: values, hidden
 * state, cell state. Every gate of an element is computed when it is needed, and the new hidden state stands in the
 * output until the step is over: it needs no scratch, though TFLM's kernel does. */
extern const kernel_t kernel_lstm;
extern const kernel_t kernel_lstm_f32;

#endif
