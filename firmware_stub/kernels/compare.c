#include "compare.h"

static bool holds(const kernel_compare_t *p, int32_t left, int32_t right) {
    return (p->when & (left < right ? COMPARE_LESS : left > right ? COMPARE_GREATER : COMPARE_EQUAL)) != 0;
}

/* Nothing is less than, equal to or greater than what is no number. */
static bool holds_f32(const kernel_compare_t *p, float left, float right) {
    return ((p->when & COMPARE_LESS) != 0 && left < right) || ((p->when & COMPARE_EQUAL) != 0 && left == right) ||
           ((p->when & COMPARE_GREATER) != 0 && left > right);
}

static bool run_choose(const kernel_call_t *call) {
    const kernel_compare_t *p = call->params;
    const int32_t count = pair_count(&p->pair);
    for (int32_t at = 0; at < count; ++at) {
        const int32_t left = element_read(call->inputs[0], pair_place(&p->pair, p->pair.left, at), p->element);
        const int32_t right = element_read(call->inputs[1], pair_place(&p->pair, p->pair.right, at), p->element);
        element_write(call->outputs[0], at, p->element, holds(p, left, right) ? left : right);
    }
    return true;
}

static bool run_choose_f32(const kernel_call_t *call) {
    const kernel_compare_t *p = call->params;
    const int32_t count = pair_count(&p->pair);
    for (int32_t at = 0; at < count; ++at) {
        const float left = ((const float *)call->inputs[0])[pair_place(&p->pair, p->pair.left, at)];
        const float right = ((const float *)call->inputs[1])[pair_place(&p->pair, p->pair.right, at)];
        ((float *)call->outputs[0])[at] = holds_f32(p, left, right) ? left : right;
    }
    return true;
}

static bool run_compare(const kernel_call_t *call) {
    const kernel_compare_t *p = call->params;
    const int32_t count = pair_count(&p->pair);
    for (int32_t at = 0; at < count; ++at) {
        const int32_t left = element_read(call->inputs[0], pair_place(&p->pair, p->pair.left, at), p->element);
        const int32_t right = element_read(call->inputs[1], pair_place(&p->pair, p->pair.right, at), p->element);
        ((uint8_t *)call->outputs[0])[at] = holds(p, left, right) ? 1u : 0u;
    }
    return true;
}

static bool run_compare_f32(const kernel_call_t *call) {
    const kernel_compare_t *p = call->params;
    const int32_t count = pair_count(&p->pair);
    for (int32_t at = 0; at < count; ++at) {
        const float left = ((const float *)call->inputs[0])[pair_place(&p->pair, p->pair.left, at)];
        const float right = ((const float *)call->inputs[1])[pair_place(&p->pair, p->pair.right, at)];
        ((uint8_t *)call->outputs[0])[at] = holds_f32(p, left, right) ? 1u : 0u;
    }
    return true;
}

const kernel_t kernel_choose = {run_choose, NULL};
const kernel_t kernel_choose_f32 = {run_choose_f32, NULL};
const kernel_t kernel_compare = {run_compare, NULL};
const kernel_t kernel_compare_f32 = {run_compare_f32, NULL};
