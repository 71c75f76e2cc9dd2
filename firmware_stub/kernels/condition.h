/* What MINIMUM, MAXIMUM and the comparisons have in common: a condition of two numbers */
#ifndef ARENA_KERNEL_CONDITION_H
#define ARENA_KERNEL_CONDITION_H

#include "elements.h"
#include "kernel.h"

/* What a condition asks: a sum of these. */
#define COMPARE_LESS 1
#define COMPARE_EQUAL 2
#define COMPARE_GREATER 4

typedef struct {
    kernel_pair_t pair;
    kernel_element_t element; /* where they are whole numbers */
    int32_t when;             /* the left side is that, seen from the right one */
} kernel_condition_t;

static inline bool condition_holds(const kernel_condition_t *p, int32_t left, int32_t right) {
    return (p->when & (left < right ? COMPARE_LESS : left > right ? COMPARE_GREATER : COMPARE_EQUAL)) != 0;
}

/* Nothing is less than, equal to or greater than what is no number. */
static inline bool condition_holds_f32(const kernel_condition_t *p, float left, float right) {
    return ((p->when & COMPARE_LESS) != 0 && left < right) || ((p->when & COMPARE_EQUAL) != 0 && left == right) ||
           ((p->when & COMPARE_GREATER) != 0 && left > right);
}

#endif
