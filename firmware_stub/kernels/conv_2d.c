#include "conv_2d.h"

#include "arm_nnfunctions.h"
#include "fixed_point.h"

/* Everything that the library wants to know. It takes multipliers and shifts as if it would write them. */
typedef struct {
    cmsis_nn_conv_params params;
    cmsis_nn_per_channel_quant_params scales;
    cmsis_nn_dims input, filter, bias, output;
} described_t;

static described_t describe(const kernel_conv_2d_t *p) {
    const kernel_window_t *w = &p->window;
    return (described_t){
        {p->input_offset,
         p->output_offset,
         {w->stride_w, w->stride_h},
         {w->pad_w, w->pad_h},
         {w->dilation_w, w->dilation_h},
         {p->lowest, p->highest}},
        {(int32_t *)(uintptr_t)p->multipliers, (int32_t *)(uintptr_t)p->shifts},
        {w->batch, w->in_h, w->in_w, w->in_c},
        {w->out_c, w->window_h, w->window_w, p->filter_c},
        {1, 1, 1, w->out_c},
        {w->batch, w->out_h, w->out_w, w->out_c},
    };
}

static bool run(const kernel_call_t *call) {
    const described_t d = describe(call->params);
    const cmsis_nn_context context = {call->scratch[0], (int32_t)call->scratch_bytes[0]};
    return arm_convolve_wrapper_s8(&context, &d.params, &d.scales, &d.input, call->inputs[0], &d.filter,
                                   call->inputs[1], &d.bias, call->inputs[2], &d.output,
                                   call->outputs[0]) == ARM_CMSIS_NN_SUCCESS;
}

static uint32_t scratch(const void *params, uint32_t number) {
    const described_t d = describe(params);
    (void)number;
    return (uint32_t)arm_convolve_wrapper_s8_get_buffer_size(&d.params, &d.input, &d.filter, &d.output);
}

const kernel_t kernel_conv_2d = {run, scratch};

/* One output of one group: its window, as far as it lies inside the picture, times its filter. */
static int32_t grouped_sum(const kernel_conv_2d_t *p, const int8_t *input, const int8_t *filter, int32_t top,
                           int32_t left) {
    const kernel_window_t *w = &p->window;
    int32_t sum = 0;
    for (int32_t y = 0; y < w->window_h; ++y) {
        for (int32_t x = 0; x < w->window_w; ++x, filter += p->filter_c) {
            const int32_t in_y = top + y * w->dilation_h;
            const int32_t in_x = left + x * w->dilation_w;
            if (in_y < 0 || in_y >= w->in_h || in_x < 0 || in_x >= w->in_w) {
                continue;
            }
            const int8_t *pixel = input + (in_y * w->in_w + in_x) * w->in_c;
            for (int32_t c = 0; c < p->filter_c; ++c) {
                sum += (pixel[c] + p->input_offset) * filter[c];
            }
        }
    }
    return sum;
}

static bool run_grouped(const kernel_call_t *call) {
    const kernel_conv_2d_t *p = call->params;
    const kernel_window_t *w = &p->window;
    const int8_t *input = call->inputs[0];
    const int8_t *filters = call->inputs[1];
    const int32_t *bias = call->inputs[2];
    int8_t *output = call->outputs[0];
    const int32_t filters_per_group = w->out_c / (w->in_c / p->filter_c);
    for (int32_t pixel = 0; pixel < w->batch * w->out_h * w->out_w; ++pixel) {
        const int32_t out_x = pixel % w->out_w;
        const int32_t out_y = pixel / w->out_w % w->out_h;
        const int8_t *picture = input + pixel / (w->out_w * w->out_h) * w->in_h * w->in_w * w->in_c;
        for (int32_t c = 0; c < w->out_c; ++c) {
            const int32_t sum = grouped_sum(p, picture + c / filters_per_group * p->filter_c,
                                            filters + c * w->window_h * w->window_w * p->filter_c,
                                            out_y * w->stride_h - w->pad_h, out_x * w->stride_w - w->pad_w);
            const fixed_scale_t scale = {p->multipliers[c], p->shifts[c]};
            const int32_t scaled = fixed_scaled(sum + (bias != NULL ? bias[c] : 0), scale);
            *output++ = (int8_t)fixed_clamp(scaled + p->output_offset, p->lowest, p->highest);
        }
    }
    return true;
}

const kernel_t kernel_conv_2d_grouped = {run_grouped, NULL};

/* Sums in the order of TFLM's reference kernel. */
static float sum_f32(const kernel_conv_2d_f32_t *p, const float *input, const float *filter, int32_t top,
                     int32_t left) {
    const kernel_window_t *w = &p->window;
    float sum = 0.0f;
    for (int32_t y = 0; y < w->window_h; ++y) {
        for (int32_t x = 0; x < w->window_w; ++x, filter += p->filter_c) {
            const int32_t in_y = top + y * w->dilation_h;
            const int32_t in_x = left + x * w->dilation_w;
            if (in_y < 0 || in_y >= w->in_h || in_x < 0 || in_x >= w->in_w) {
                continue;
            }
            const float *pixel = input + (in_y * w->in_w + in_x) * w->in_c;
            for (int32_t c = 0; c < p->filter_c; ++c) {
                sum += pixel[c] * filter[c];
            }
        }
    }
    return sum;
}

static bool run_f32(const kernel_call_t *call) {
    const kernel_conv_2d_f32_t *p = call->params;
    const kernel_window_t *w = &p->window;
    const float *input = call->inputs[0];
    const float *filters = call->inputs[1];
    const float *bias = call->inputs[2];
    float *output = call->outputs[0];
    const int32_t filters_per_group = w->out_c / (w->in_c / p->filter_c);
    for (int32_t pixel = 0; pixel < w->batch * w->out_h * w->out_w; ++pixel) {
        const int32_t out_x = pixel % w->out_w;
        const int32_t out_y = pixel / w->out_w % w->out_h;
        const float *picture = input + pixel / (w->out_w * w->out_h) * w->in_h * w->in_w * w->in_c;
        for (int32_t c = 0; c < w->out_c; ++c) {
            const float sum = (bias != NULL ? bias[c] : 0.0f) +
                              sum_f32(p, picture + c / filters_per_group * p->filter_c,
                                     filters + c * w->window_h * w->window_w * p->filter_c,
                                     out_y * w->stride_h - w->pad_h, out_x * w->stride_w - w->pad_w);
            *output++ = sum < p->lowest ? p->lowest : sum > p->highest ? p->highest : sum;
        }
    }
    return true;
}

const kernel_t kernel_conv_2d_f32 = {run_f32, NULL};
