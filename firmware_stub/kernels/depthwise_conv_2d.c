#include "depthwise_conv_2d.h"

#include "arm_nnfunctions.h"

/* Everything that the library wants to know. It takes multipliers and shifts as if it would write them. */
typedef struct {
    cmsis_nn_dw_conv_params params;
    cmsis_nn_per_channel_quant_params scales;
    cmsis_nn_dims input, filter, bias, output;
} described_t;

static described_t describe(const kernel_depthwise_conv_2d_t *p) {
    const kernel_window_t *w = &p->window;
    return (described_t){
        {p->input_offset,
         p->output_offset,
         p->depth_multiplier,
         {w->stride_w, w->stride_h},
         {w->pad_w, w->pad_h},
         {w->dilation_w, w->dilation_h},
         {p->lowest, p->highest}},
        {(int32_t *)(uintptr_t)p->multipliers, (int32_t *)(uintptr_t)p->shifts},
        {w->batch, w->in_h, w->in_w, w->in_c},
        {1, w->window_h, w->window_w, w->out_c},
        {1, 1, 1, w->out_c},
        {w->batch, w->out_h, w->out_w, w->out_c},
    };
}

static bool run(const kernel_call_t *call) {
    const described_t d = describe(call->params);
    const cmsis_nn_context context = {call->scratch[0], (int32_t)call->scratch_bytes[0]};
    return arm_depthwise_conv_wrapper_s8(&context, &d.params, &d.scales, &d.input, call->inputs[0], &d.filter,
                                         call->inputs[1], &d.bias, call->inputs[2], &d.output,
                                         call->outputs[0]) == ARM_CMSIS_NN_SUCCESS;
}

static uint32_t scratch(const void *params, uint32_t number) {
    const described_t d = describe(params);
    (void)number;
    return (uint32_t)arm_depthwise_conv_wrapper_s8_get_buffer_size(&d.params, &d.input, &d.filter, &d.output);
}

const kernel_t kernel_depthwise_conv_2d = {run, scratch};

static float sum_f32(const kernel_depthwise_conv_2d_f32_t *p, const float *input, const float *filter, int32_t top,
                     int32_t left) {
    const kernel_window_t *w = &p->window;
    float sum = 0.0f;
    for (int32_t y = 0; y < w->window_h; ++y) {
        for (int32_t x = 0; x < w->window_w; ++x, filter += w->out_c) {
            const int32_t in_y = top + y * w->dilation_h;
            const int32_t in_x = left + x * w->dilation_w;
            if (in_y >= 0 && in_y < w->in_h && in_x >= 0 && in_x < w->in_w) {
                sum += input[(in_y * w->in_w + in_x) * w->in_c] * *filter;
            }
        }
    }
    return sum;
}

static bool run_f32(const kernel_call_t *call) {
    const kernel_depthwise_conv_2d_f32_t *p = call->params;
    const kernel_window_t *w = &p->window;
    const float *input = call->inputs[0];
    const float *filters = call->inputs[1];
    const float *bias = call->inputs[2];
    float *output = call->outputs[0];
    for (int32_t pixel = 0; pixel < w->batch * w->out_h * w->out_w; ++pixel) {
        const int32_t out_x = pixel % w->out_w;
        const int32_t out_y = pixel / w->out_w % w->out_h;
        const float *picture = input + pixel / (w->out_w * w->out_h) * w->in_h * w->in_w * w->in_c;
        for (int32_t c = 0; c < w->out_c; ++c) {
            const float sum = (bias != NULL ? bias[c] : 0.0f) +
                              sum_f32(p, picture + c / p->depth_multiplier, filters + c, out_y * w->stride_h - w->pad_h,
                                      out_x * w->stride_w - w->pad_w);
            *output++ = sum < p->lowest ? p->lowest : sum > p->highest ? p->highest : sum;
        }
    }
    return true;
}

const kernel_t kernel_depthwise_conv_2d_f32 = {run_f32, NULL};
