#include "conv_2d_s16.h"

#include "fixed_point.h"

/* The window whose upper left corner is there, as far as it lies inside the picture, times its filter. */
static int64_t sum_of(const kernel_conv_2d_s16_t *p, const int16_t *picture, const int8_t *filter, int32_t top,
                      int32_t left) {
    const kernel_window_t *w = &p->window;
    int64_t sum = 0;
    for (int32_t y = 0; y < w->window_h; ++y) {
        for (int32_t x = 0; x < w->window_w; ++x, filter += p->pixel_step) {
            const int32_t in_y = top + y * w->dilation_h;
            const int32_t in_x = left + x * w->dilation_w;
            if (in_y < 0 || in_y >= w->in_h || in_x < 0 || in_x >= w->in_w) {
                continue;
            }
            const int16_t *pixel = picture + (in_y * w->in_w + in_x) * w->in_c;
            for (int32_t c = 0; c < p->filter_c; ++c) {
                sum += pixel[c] * filter[c];
            }
        }
    }
    return sum;
}

static bool run(const kernel_call_t *call) {
    const kernel_conv_2d_s16_t *p = call->params;
    const kernel_window_t *w = &p->window;
    const int64_t *bias = call->inputs[2];
    int16_t *output = call->outputs[0];
    const int32_t filters_per_group = w->out_c / (w->in_c / p->filter_c);
    for (int32_t pixel = 0; pixel < w->batch * w->out_h * w->out_w; ++pixel) {
        const int32_t left = pixel % w->out_w * w->stride_w - w->pad_w;
        const int32_t top = pixel / w->out_w % w->out_h * w->stride_h - w->pad_h;
        const int32_t picture = pixel / (w->out_w * w->out_h) * w->in_h * w->in_w * w->in_c;
        for (int32_t c = 0; c < w->out_c; ++c) {
            const int16_t *input = (const int16_t *)call->inputs[0] + picture + c / filters_per_group * p->filter_c;
            const int8_t *filter = (const int8_t *)call->inputs[1] + c * p->channel_step;
            const int64_t sum = sum_of(p, input, filter, top, left) + (bias != NULL ? bias[c] : 0);
            const int32_t scaled = fixed_scaled_wide(sum, (fixed_scale_t){p->multipliers[c], p->shifts[c]});
            *output++ = (int16_t)fixed_clamp(scaled, p->lowest, p->highest);
        }
    }
    return true;
}

const kernel_t kernel_conv_2d_s16 = {run, NULL};
