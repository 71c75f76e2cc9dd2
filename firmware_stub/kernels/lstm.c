#include "lstm.h"

#include <string.h>

#include "curves.h"

#define WEIGHTS 1
#define RECURRENT 5
#define BIASES 9

static int32_t to_s16(int32_t value) {
    return fixed_clamp(value, INT16_MIN, INT16_MAX);
}

static int32_t product(const int8_t *weights, const int8_t *values, int32_t offset, int32_t count, int32_t sum) {
    for (int32_t at = 0; at < count; ++at) {
        sum += weights[at] * (values[at] + offset);
    }
    return sum;
}

/* One element of a gate, before its curve, in units of 2^-12. */
static int32_t gate(const kernel_call_t *call, kernel_lstm_gate_t which, int32_t element, const int8_t *input,
                    const int8_t *hidden) {
    const kernel_lstm_t *p = call->params;
    const int32_t *bias = call->inputs[BIASES + which];
    const int8_t *weights = (const int8_t *)call->inputs[WEIGHTS + which] + element * p->in_c;
    const int8_t *recurrent = (const int8_t *)call->inputs[RECURRENT + which] + element * p->state_c;
    const int32_t seen = product(weights, input, p->input_offset, p->in_c, bias != NULL ? bias[element] : 0);
    const int32_t recalled = product(recurrent, hidden, p->hidden_offset, p->state_c, 0);
    return to_s16(to_s16(fixed_scaled(seen, p->input_scales[which])) +
                  to_s16(fixed_scaled(recalled, p->hidden_scales[which])));
}

static int32_t curved(const kernel_lstm_t *p, int32_t value, int32_t is_tanh) {
    const int32_t x = curve_argument(value, 3, 0);
    return is_tanh != 0 ? curve_tanh(p->logistic, x) : curve_logistic(p->logistic, x);
}

/* One element of one step: its cell state moves on; gives its new hidden state. */
static int8_t step_element(const kernel_call_t *call, int32_t element, const int8_t *input, const int8_t *hidden,
                           int16_t *cell) {
    const kernel_lstm_t *p = call->params;
    const int32_t forget = curved(p, gate(call, LSTM_FORGET, element, input, hidden), 0);
    const int32_t entry = curved(p, gate(call, LSTM_INPUT, element, input, hidden), 0);
    const int32_t update = curved(p, gate(call, LSTM_CELL, element, input, hidden), p->cell_is_tanh);
    const int32_t exit = curved(p, gate(call, LSTM_OUTPUT, element, input, hidden), 0);
    const int32_t kept = to_s16(fixed_scaled(forget * *cell, p->forget_scale));
    int32_t next = to_s16(kept + to_s16(fixed_scaled(entry * update, p->update_scale)));
    next = p->clip > 0 ? fixed_clamp(next, -p->clip, p->clip) : next;
    *cell = (int16_t)next;
    const int32_t shown = curve_tanh(p->logistic, curve_argument(next, p->cell_multiplier, p->cell_right_shift));
    const int32_t scaled = fixed_scaled(shown * exit, p->hidden_scale) + p->hidden_zero_point;
    return (int8_t)fixed_clamp(scaled, INT8_MIN, INT8_MAX);
}

static bool run(const kernel_call_t *call) {
    const kernel_lstm_t *p = call->params;
    for (int32_t batch = 0; batch < p->batches; ++batch) {
        int8_t *hidden = (int8_t *)call->outputs[1] + batch * p->state_c;
        int16_t *cell = (int16_t *)call->outputs[2] + batch * p->state_c;
        for (int32_t step = 0; step < p->steps; ++step) {
            const int32_t row = batch * p->batch_stride + step * p->step_stride;
            const int8_t *input = (const int8_t *)call->inputs[0] + row * p->in_c;
            int8_t *output = (int8_t *)call->outputs[0] + row * p->state_c;
            for (int32_t element = 0; element < p->state_c; ++element) {
                output[element] = step_element(call, element, input, hidden, &cell[element]);
            }
            memcpy(hidden, output, (size_t)p->state_c);
        }
    }
    return true;
}

const kernel_t kernel_lstm = {run, NULL};
