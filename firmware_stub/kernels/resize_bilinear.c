#include "resize_bilinear.h"

/* The four elements around element `at` of the output, as places in the input. */
typedef struct {
    int32_t y, x; /* of the output */
    int32_t upper_left, lower_left, upper_right, lower_right;
} corners_t;

static corners_t corners(const kernel_resize_bilinear_t *s, int32_t at) {
    const int32_t channel = at % s->channels;
    const int32_t x = at / s->channels % s->out_w;
    const int32_t y = at / s->channels / s->out_w % s->out_h;
    const int32_t batch = at / s->channels / s->out_w / s->out_h;
    const int32_t upper = (batch * s->in_h + s->above[y]) * s->in_w;
    const int32_t lower = (batch * s->in_h + s->below[y]) * s->in_w;
    return (corners_t){
        y,
        x,
        (upper + s->left[x]) * s->channels + channel,
        (lower + s->left[x]) * s->channels + channel,
        (upper + s->right[x]) * s->channels + channel,
        (lower + s->right[x]) * s->channels + channel,
    };
}

static int32_t elements(const kernel_resize_bilinear_t *s) {
    return s->batch * s->out_h * s->out_w * s->channels;
}

static bool run(const kernel_call_t *call) {
    const kernel_resize_bilinear_t *p = call->params;
    const int8_t *input = call->inputs[0];
    for (int32_t at = 0; at < elements(p); ++at) {
        const corners_t c = corners(p, at);
        const int32_t down = p->row_parts[c.y];
        const int32_t right = p->column_parts[c.x];
        const int32_t upper = input[c.upper_left] * (1024 - right) + input[c.upper_right] * right;
        const int32_t lower = input[c.lower_left] * (1024 - right) + input[c.lower_right] * right;
        const int32_t sum = upper * (1024 - down) + lower * down;
        ((int8_t *)call->outputs[0])[at] = (int8_t)((sum + (sum > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20));
    }
    return true;
}

static bool run_f32(const kernel_call_t *call) {
    const kernel_resize_bilinear_t *p = call->params;
    const float *input = call->inputs[0];
    for (int32_t at = 0; at < elements(p); ++at) {
        const corners_t c = corners(p, at);
        const float down = p->row_fractions[c.y];
        const float right = p->column_fractions[c.x];
        const float left_side = input[c.upper_left] * (1.0f - down) * (1.0f - right) +
                                input[c.lower_left] * down * (1.0f - right);
        const float with_upper_right = left_side + input[c.upper_right] * (1.0f - down) * right;
        ((float *)call->outputs[0])[at] = with_upper_right + input[c.lower_right] * down * right;
    }
    return true;
}

const kernel_t kernel_resize_bilinear = {run, NULL};
const kernel_t kernel_resize_bilinear_f32 = {run_f32, NULL};
