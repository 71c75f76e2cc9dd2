/* The comparisons that conditions are made of */
#ifndef ARENA_KERNEL_COMPARE_H
#define ARENA_KERNEL_COMPARE_H

#include "condition.h"

/* inputs: left, right   outputs: one byte each, 1 where `when` holds */
extern const kernel_t kernel_compare;
extern const kernel_t kernel_compare_f32;

#endif
