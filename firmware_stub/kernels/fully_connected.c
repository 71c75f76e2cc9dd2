#include "fully_connected.h"

#include "arm_nnfunctions.h"
#include "fixed_point.h"

static bool run(const kernel_call_t *call) {
    const kernel_fully_connected_t *p = call->params;
    const cmsis_nn_context context = {call->scratch[0], (int32_t)call->scratch_bytes[0]};
    const cmsis_nn_fc_params params = {p->input_offset, p->filter_offset, p->output_offset, {p->lowest, p->highest}};
    const cmsis_nn_per_tensor_quant_params scale = {p->multipliers[0], p->shifts[0]};
    const cmsis_nn_dims input = {p->batches, 1, 1, p->in_c};
    const cmsis_nn_dims filter = {p->in_c, 1, 1, p->out_c};
    const cmsis_nn_dims bias = {1, 1, 1, p->out_c};
    const cmsis_nn_dims output = {p->batches, 1, 1, p->out_c};
    return arm_fully_connected_s8(&context, &params, &scale, &input, call->inputs[0], &filter, call->inputs[1], &bias,
                                  call->inputs[2], &output, call->outputs[0]) == ARM_CMSIS_NN_SUCCESS;
}

static uint32_t scratch(const void *params, uint32_t number) {
    const kernel_fully_connected_t *p = params;
    const cmsis_nn_dims filter = {p->in_c, 1, 1, p->out_c};
    (void)number;
    return (uint32_t)arm_fully_connected_s8_get_buffer_size(&filter);
}

const kernel_t kernel_fully_connected = {run, scratch};

static int32_t row_by_column(const int8_t *row, const int8_t *column, const kernel_fully_connected_t *p) {
    int32_t sum = 0;
    for (int32_t at = 0; at < p->in_c; ++at) {
        sum += (row[at] + p->input_offset) * (column[at] + p->filter_offset);
    }
    return sum;
}

static bool run_per_channel(const kernel_call_t *call) {
    const kernel_fully_connected_t *p = call->params;
    const int8_t *row = call->inputs[0];
    const int32_t *bias = call->inputs[2];
    int8_t *output = call->outputs[0];
    for (int32_t batch = 0; batch < p->batches; ++batch, row += p->in_c) {
        const int8_t *column = call->inputs[1];
        for (int32_t c = 0; c < p->out_c; ++c, column += p->in_c) {
            const int32_t sum = row_by_column(row, column, p) + (bias != NULL ? bias[c] : 0);
            const int32_t scaled = fixed_scaled(sum, (fixed_scale_t){p->multipliers[c], p->shifts[c]});
            *output++ = (int8_t)fixed_clamp(scaled + p->output_offset, p->lowest, p->highest);
        }
    }
    return true;
}

const kernel_t kernel_fully_connected_per_channel = {run_per_channel, NULL};

static bool run_f32(const kernel_call_t *call) {
    const kernel_fully_connected_f32_t *p = call->params;
    const float *row = call->inputs[0];
    const float *bias = call->inputs[2];
    float *output = call->outputs[0];
    for (int32_t batch = 0; batch < p->batches; ++batch, row += p->in_c) {
        const float *column = call->inputs[1];
        for (int32_t c = 0; c < p->out_c; ++c, column += p->in_c) {
            float sum = 0.0f;
            for (int32_t at = 0; at < p->in_c; ++at) {
                sum += row[at] * column[at];
            }
            sum += bias != NULL ? bias[c] : 0.0f;
            *output++ = sum < p->lowest ? p->lowest : sum > p->highest ? p->highest : sum;
        }
    }
    return true;
}

const kernel_t kernel_fully_connected_f32 = {run_f32, NULL};
