/* MINIMUM and MAXIMUM, and the comparisons that conditions are made of */
#ifndef ARENA_KERNEL_COMPARE_H
#define ARENA_KERNEL_COMPARE_H

#include "elements.h"
#include "kernel.h"

/* When the right side counts: a sum of these. */
#define COMPARE_LESS 1
#define COMPARE_EQUAL 2
#define COMPARE_GREATER 4

typedef struct {
    kernel_pair_t pair;
    kernel_element_t element; /* where they are whole numbers */
    int32_t when;             /* the left side is that, seen from the right one */
} kernel_compare_t;

/* inputs: left, right   outputs: the left one where `when` holds, else the right one; forward */
extern const kernel_t kernel_choose;
extern const kernel_t kernel_choose_f32;
/* inputs: left, right   outputs: one byte each, 1 where `when` holds */
extern const kernel_t kernel_compare;
extern const kernel_t kernel_compare_f32;

#endif
