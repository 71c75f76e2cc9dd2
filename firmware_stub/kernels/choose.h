/* MINIMUM and MAXIMUM */
#ifndef ARENA_KERNEL_CHOOSE_H
#define ARENA_KERNEL_CHOOSE_H

#include "condition.h"

/* inputs: left, right   outputs: the left one where `when` holds, else the right one; forward */
extern const kernel_t kernel_choose;
extern const kernel_t kernel_choose_f32;

#endif
