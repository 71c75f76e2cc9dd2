#include "lstm.h"

#include <math.h>
#include <string.h>

#include "curves.h"

#define WEIGHTS 1
#define RECURRENT 5
#define BIASES 9

/* What an element of one step sees: a row of the input, and the hidden state of its batch. */
typedef struct {
    const kernel_call_t *call;
    const kernel_lstm_shape_t *shape;
    const void *input;
    const void *hidden;
    int32_t element;
} view_t;

/* Its row of weights for a gate, and of recurrent ones, of so many bytes each. */
static const void *weights_of(const view_t *v, kernel_lstm_position_t gate, int32_t width) {
    return (const uint8_t *)v->call->inputs[WEIGHTS + gate] + v->element * v->shape->in_c * width;
}

static const void *recurrent_of(const view_t *v, kernel_lstm_position_t gate, int32_t width) {
    return (const uint8_t *)v->call->inputs[RECURRENT + gate] + v->element * v->shape->state_c * width;
}

static int32_t to_s16(int32_t value) {
    return fixed_clamp(value, INT16_MIN, INT16_MAX);
}

static int32_t product(const int8_t *weights, int32_t weight_offset, const int8_t *values, int32_t offset,
                       int32_t count, int32_t sum) {
    for (int32_t at = 0; at < count; ++at) {
        sum += (weights[at] + weight_offset) * (values[at] + offset);
    }
    return sum;
}

static int64_t product_s16(const int8_t *weights, int32_t weight_offset, const int16_t *values, int32_t offset,
                           int32_t count, int64_t sum) {
    for (int32_t at = 0; at < count; ++at) {
        sum += (weights[at] + weight_offset) * (values[at] + offset);
    }
    return sum;
}

/* A gate before its curve, in units of 2^-12. */
static int32_t gate(const view_t *v, const kernel_lstm_t *p, kernel_lstm_position_t which) {
    const kernel_lstm_gate_t *g = &p->gates[which];
    const int32_t in_c = p->shape.in_c;
    const int32_t state_c = p->shape.state_c;
    const int8_t *weights = weights_of(v, which, 1);
    const int8_t *recurrent = recurrent_of(v, which, 1);
    const void *biases = v->call->inputs[BIASES + which];
    if (p->element == ELEMENT_S8) {
        const int32_t bias = ((const int32_t *)biases)[v->element];
        const int32_t seen = product(weights, g->input_weight_offset, v->input, p->input_offset, in_c, bias);
        const int32_t recalled = product(recurrent, g->hidden_weight_offset, v->hidden, p->hidden_offset, state_c, 0);
        return to_s16(to_s16(fixed_scaled(seen, g->input_scale)) + to_s16(fixed_scaled(recalled, g->hidden_scale)));
    }
    const int64_t bias = ((const int64_t *)biases)[v->element];
    const int64_t seen = product_s16(weights, g->input_weight_offset, v->input, p->input_offset, in_c, bias);
    const int64_t recalled = product_s16(recurrent, g->hidden_weight_offset, v->hidden, p->hidden_offset, state_c, 0);
    return to_s16(to_s16(fixed_scaled_wide(seen, g->input_scale)) +
                  to_s16(fixed_scaled_wide(recalled, g->hidden_scale)));
}

static int32_t open(const view_t *v, const kernel_lstm_t *p, kernel_lstm_position_t which) {
    return curve_logistic(p->logistic, curve_argument(gate(v, p, which), 3, 0));
}

/* One element of one step: its cell state moves on; gives its new hidden state. */
static int32_t step_element(const view_t *v, const kernel_lstm_t *p, int16_t *cell) {
    const int32_t update = curve_tanh(p->logistic, curve_argument(gate(v, p, LSTM_CELL), 3, 0));
    const int32_t kept = to_s16(fixed_scaled(open(v, p, LSTM_FORGET) * *cell, p->forget_scale));
    const int32_t added = to_s16(fixed_scaled(open(v, p, LSTM_INPUT) * update, p->update_scale));
    const int32_t next = fixed_clamp(to_s16(kept + added), -p->clip, p->clip);
    const int32_t shown = curve_tanh(p->logistic, curve_argument(next, p->cell_multiplier, p->cell_right_shift));
    *cell = (int16_t)next;
    const int32_t scaled = fixed_scaled(shown * open(v, p, LSTM_OUTPUT), p->hidden_scale) - p->hidden_offset;
    return fixed_clamp(scaled, p->lowest, p->highest);
}

static bool run(const kernel_call_t *call) {
    const kernel_lstm_t *p = call->params;
    const kernel_lstm_shape_t *s = &p->shape;
    const int32_t width = p->element == ELEMENT_S8 ? 1 : 2;
    for (int32_t batch = 0; batch < s->batches; ++batch) {
        uint8_t *hidden = (uint8_t *)call->outputs[1] + batch * s->state_c * width;
        int16_t *cell = (int16_t *)call->outputs[2] + batch * s->state_c;
        for (int32_t step = 0; step < s->steps; ++step) {
            const int32_t row = batch * s->batch_stride + step * s->step_stride;
            uint8_t *output = (uint8_t *)call->outputs[0] + row * s->state_c * width;
            view_t view = {call, s, (const uint8_t *)call->inputs[0] + row * s->in_c * width, hidden, 0};
            for (; view.element < s->state_c; ++view.element) {
                element_write(output, view.element, p->element, step_element(&view, p, &cell[view.element]));
            }
            memcpy(hidden, output, (size_t)(s->state_c * width));
        }
    }
    return true;
}

static float product_f32(const float *weights, const float *values, int32_t count) {
    float sum = 0.0f;
    for (int32_t at = 0; at < count; ++at) {
        sum += values[at] * weights[at];
    }
    return sum;
}

static float gate_f32(const view_t *v, kernel_lstm_position_t which) {
    const float seen = product_f32(weights_of(v, which, 4), v->input, v->shape->in_c);
    const float recalled = product_f32(recurrent_of(v, which, 4), v->hidden, v->shape->state_c);
    return seen + ((const float *)v->call->inputs[BIASES + which])[v->element] + recalled;
}

static float step_element_f32(const view_t *v, const kernel_lstm_f32_t *p, float *cell) {
    const float kept = curve_logistic_f32(gate_f32(v, LSTM_FORGET)) * *cell;
    const float added = curve_logistic_f32(gate_f32(v, LSTM_INPUT)) * tanhf(gate_f32(v, LSTM_CELL));
    *cell = fmaxf(fminf(kept + added, p->clip), -p->clip);
    return tanhf(*cell) * curve_logistic_f32(gate_f32(v, LSTM_OUTPUT));
}

static bool run_f32(const kernel_call_t *call) {
    const kernel_lstm_f32_t *p = call->params;
    const kernel_lstm_shape_t *s = &p->shape;
    for (int32_t batch = 0; batch < s->batches; ++batch) {
        float *hidden = (float *)call->outputs[1] + batch * s->state_c;
        float *cell = (float *)call->outputs[2] + batch * s->state_c;
        for (int32_t step = 0; step < s->steps; ++step) {
            const int32_t row = batch * s->batch_stride + step * s->step_stride;
            float *output = (float *)call->outputs[0] + row * s->state_c;
            view_t view = {call, s, (const float *)call->inputs[0] + row * s->in_c, hidden, 0};
            for (; view.element < s->state_c; ++view.element) {
                output[view.element] = step_element_f32(&view, p, &cell[view.element]);
            }
            memcpy(hidden, output, (size_t)s->state_c * sizeof *hidden);
        }
    }
    return true;
}

const kernel_t kernel_lstm = {run, NULL};
const kernel_t kernel_lstm_f32 = {run_f32, NULL};
