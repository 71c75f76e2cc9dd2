#include "transpose_conv.h"

#include "fixed_point.h"

/* One output, where the pictures begin at `picture` and the filter of its channel at `filter`. */
typedef struct {
    const kernel_window_t *w;
    const void *picture;
    const void *filter;
    int32_t out_y, out_x;
} target_t;

/* The input pixel from which element (y, x) of the window reaches the target, or -1: outside, or between two steps. */
static int32_t source_of(const target_t *t, int32_t y, int32_t x) {
    const int32_t far_y = t->out_y + t->w->pad_h - y;
    const int32_t far_x = t->out_x + t->w->pad_w - x;
    if (far_y < 0 || far_x < 0 || far_y % t->w->stride_h != 0 || far_x % t->w->stride_w != 0) {
        return -1;
    }
    const int32_t in_y = far_y / t->w->stride_h;
    const int32_t in_x = far_x / t->w->stride_w;
    return in_y < t->w->in_h && in_x < t->w->in_w ? (in_y * t->w->in_w + in_x) * t->w->in_c : -1;
}

static int64_t gathered(const target_t *t, kernel_element_t element, int32_t input_offset) {
    int64_t sum = 0;
    for (int32_t y = 0; y < t->w->window_h; ++y) {
        for (int32_t x = 0; x < t->w->window_w; ++x) {
            const int32_t pixel = source_of(t, y, x);
            const int8_t *filter = (const int8_t *)t->filter + (y * t->w->window_w + x) * t->w->in_c;
            for (int32_t c = 0; pixel >= 0 && c < t->w->in_c; ++c) {
                sum += (element_read(t->picture, pixel + c, element) + input_offset) * filter[c];
            }
        }
    }
    return sum;
}

static float gathered_f32(const target_t *t) {
    float sum = 0.0f;
    for (int32_t y = 0; y < t->w->window_h; ++y) {
        for (int32_t x = 0; x < t->w->window_w; ++x) {
            const int32_t pixel = source_of(t, y, x);
            const float *filter = (const float *)t->filter + (y * t->w->window_w + x) * t->w->in_c;
            for (int32_t c = 0; pixel >= 0 && c < t->w->in_c; ++c) {
                sum += ((const float *)t->picture)[pixel + c] * filter[c];
            }
        }
    }
    return sum;
}

/* The target of an output element, counted through all of the output. */
static target_t target_of(const kernel_window_t *w, const kernel_call_t *call, int32_t at, int32_t picture_width,
                          int32_t filter_width) {
    const int32_t channel = at % w->out_c;
    const int32_t pixel = at / w->out_c;
    const int32_t batch = pixel / (w->out_h * w->out_w);
    return (target_t){
        w,
        (const uint8_t *)call->inputs[2] + batch * w->in_h * w->in_w * w->in_c * picture_width,
        (const uint8_t *)call->inputs[1] + channel * w->window_h * w->window_w * w->in_c * filter_width,
        pixel / w->out_w % w->out_h,
        pixel % w->out_w,
    };
}

static int32_t outputs_of(const kernel_window_t *w) {
    return w->batch * w->out_h * w->out_w * w->out_c;
}

static bool run(const kernel_call_t *call) {
    const kernel_transpose_conv_t *p = call->params;
    const int32_t *bias = call->inputs[3];
    for (int32_t at = 0; at < outputs_of(&p->window); ++at) {
        const int32_t channel = at % p->window.out_c;
        const target_t target = target_of(&p->window, call, at, 1, 1);
        const int32_t products = (int32_t)gathered(&target, ELEMENT_S8, p->input_offset);
        const int32_t sum = products + (bias != NULL ? bias[channel] : 0);
        const int32_t scaled = fixed_scaled(sum, (fixed_scale_t){p->multipliers[channel], p->shifts[channel]});
        ((int8_t *)call->outputs[0])[at] = (int8_t)fixed_clamp(scaled + p->output_offset, p->lowest, p->highest);
    }
    return true;
}

static int64_t bias_of(const kernel_transpose_conv_t *p, const void *bias, int32_t channel) {
    if (bias == NULL) {
        return 0;
    }
    return p->bias == ELEMENT_S16 ? ((const int16_t *)bias)[channel] : ((const int64_t *)bias)[channel];
}

static bool run_s16(const kernel_call_t *call) {
    const kernel_transpose_conv_t *p = call->params;
    for (int32_t at = 0; at < outputs_of(&p->window); ++at) {
        const int32_t channel = at % p->window.out_c;
        const target_t target = target_of(&p->window, call, at, 2, 1);
        const int64_t sum = gathered(&target, ELEMENT_S16, 0) + bias_of(p, call->inputs[3], channel);
        const int32_t scaled = fixed_scaled_wide(sum, (fixed_scale_t){p->multipliers[channel], p->shifts[channel]});
        ((int16_t *)call->outputs[0])[at] = (int16_t)fixed_clamp(scaled, p->lowest, p->highest);
    }
    return true;
}

static bool run_f32(const kernel_call_t *call) {
    const kernel_transpose_conv_f32_t *p = call->params;
    const float *bias = call->inputs[3];
    for (int32_t at = 0; at < outputs_of(&p->window); ++at) {
        const target_t target = target_of(&p->window, call, at, 4, 4);
        const float sum = gathered_f32(&target) + (bias != NULL ? bias[at % p->window.out_c] : 0.0f);
        ((float *)call->outputs[0])[at] = sum < p->lowest ? p->lowest : sum > p->highest ? p->highest : sum;
    }
    return true;
}

const kernel_t kernel_transpose_conv = {run, NULL};
const kernel_t kernel_transpose_conv_s16 = {run_s16, NULL};
const kernel_t kernel_transpose_conv_f32 = {run_f32, NULL};
