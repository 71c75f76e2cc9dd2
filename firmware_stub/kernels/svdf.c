#include "svdf.h"

#include <string.h>

/* All memories move on by one, over the borders of filters; the place that is wrong then is written next. */
static void forget_oldest(const kernel_svdf_t *p, void *state) {
    const size_t width = p->state == ELEMENT_S8 ? 1u : 2u;
    const size_t count = (size_t)(p->batches * p->filters * p->memory);
    memmove(state, (const uint8_t *)state + width, (count - 1u) * width);
}

static void remember(const kernel_svdf_t *p, const int8_t *input, const int8_t *weights, void *state, int32_t batch) {
    const int32_t lowest = p->state == ELEMENT_S8 ? INT8_MIN : INT16_MIN;
    const int32_t highest = p->state == ELEMENT_S8 ? INT8_MAX : INT16_MAX;
    for (int32_t filter = 0; filter < p->filters; ++filter, weights += p->in_c) {
        int32_t sum = 0;
        for (int32_t at = 0; at < p->in_c; ++at) {
            sum += weights[at] * (input[at] - p->input_zero_point);
        }
        const int32_t feature = fixed_clamp(fixed_scaled(sum, p->feature_scale), lowest, highest);
        const int32_t newest = (batch * p->filters + filter) * p->memory + p->memory - 1;
        element_write(state, newest, p->state, feature + p->state_zero_point);
    }
}

/* Sums wrap, as those of TFLM do on every processor that it runs on. */
static uint32_t over_time(const kernel_svdf_t *p, const void *weights, const void *state, int32_t batch,
                          int32_t filter) {
    uint32_t sum = 0u;
    for (int32_t at = 0; at < p->memory; ++at) {
        const int32_t held = element_read(state, (batch * p->filters + filter) * p->memory + at, p->state);
        sum += (uint32_t)(element_read(weights, filter * p->memory + at, p->state) * (held - p->state_zero_point));
    }
    return sum;
}

static bool run(const kernel_call_t *call) {
    const kernel_svdf_t *p = call->params;
    const int32_t *bias = call->inputs[3];
    void *state = call->outputs[1];
    const int32_t units = p->filters / p->rank;
    forget_oldest(p, state);
    for (int32_t batch = 0; batch < p->batches; ++batch) {
        remember(p, (const int8_t *)call->inputs[0] + batch * p->in_c, call->inputs[1], state, batch);
    }
    for (int32_t batch = 0; batch < p->batches; ++batch) {
        for (int32_t unit = 0; unit < units; ++unit) {
            uint32_t sum = bias != NULL ? (uint32_t)bias[unit] : 0u;
            for (int32_t rank = 0; rank < p->rank; ++rank) {
                sum += over_time(p, call->inputs[2], state, batch, unit * p->rank + rank);
            }
            const int32_t scaled = fixed_scaled((int32_t)sum, p->output_scale) + p->output_zero_point;
            ((int8_t *)call->outputs[0])[batch * units + unit] = (int8_t)fixed_clamp(scaled, INT8_MIN, INT8_MAX);
        }
    }
    return true;
}

static float product_f32(const float *a, const float *b, int32_t count) {
    float sum = 0.0f;
    for (int32_t at = 0; at < count; ++at) {
        sum += a[at] * b[at];
    }
    return sum;
}

static float unit_f32(const kernel_svdf_f32_t *p, const float *time, const float *state, float sum) {
    for (int32_t rank = 0; rank < p->rank; ++rank) {
        sum += product_f32(time + rank * p->memory, state + rank * p->memory, p->memory);
    }
    return sum < p->lowest ? p->lowest : sum > p->highest ? p->highest : sum;
}

static bool run_f32(const kernel_call_t *call) {
    const kernel_svdf_f32_t *p = call->params;
    const float *input = call->inputs[0];
    const float *features = call->inputs[1];
    const float *time = call->inputs[2];
    const float *bias = call->inputs[3];
    float *state = call->outputs[1];
    const int32_t count = p->batches * p->filters;
    const int32_t units = p->filters / p->rank;
    memmove(state, state + 1, (size_t)(count * p->memory - 1) * sizeof *state);
    for (int32_t at = 0; at < count; ++at) {
        const float *weights = features + at % p->filters * p->in_c;
        state[at * p->memory + p->memory - 1] = product_f32(weights, input + at / p->filters * p->in_c, p->in_c);
    }
    for (int32_t at = 0; at < p->batches * units; ++at) {
        const int32_t unit = at % units;
        const float *held = state + at * p->rank * p->memory;
        const float start = bias != NULL ? bias[unit] : 0.0f;
        ((float *)call->outputs[0])[at] = unit_f32(p, time + unit * p->rank * p->memory, held, start);
    }
    return true;
}

const kernel_t kernel_svdf = {run, NULL};
const kernel_t kernel_svdf_f32 = {run_f32, NULL};
