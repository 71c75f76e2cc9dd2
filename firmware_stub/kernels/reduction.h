/* What is taken together along some axes. */
#ifndef ARENA_KERNEL_REDUCTION_H
#define ARENA_KERNEL_REDUCTION_H

#include "elements.h"

/* How many elements of the output there are along the axes that stay and of the input along those that go, and by how
 * many elements of the input each axis goes on. */
typedef struct {
    int32_t kept[KERNEL_RANK];
    int32_t kept_steps[KERNEL_RANK];
    int32_t gone[KERNEL_RANK];
    int32_t gone_steps[KERNEL_RANK];
} kernel_reduction_t;

static inline int32_t reduction_count(const int32_t *sizes) {
    int32_t count = 1;
    for (int32_t axis = 0; axis < KERNEL_RANK; ++axis) {
        count *= sizes[axis];
    }
    return count;
}

/* The element of the input that is number `position` along these axes. */
static inline int32_t reduction_place(const int32_t *sizes, const int32_t *steps, int32_t position) {
    int32_t place = 0;
    for (int32_t axis = KERNEL_RANK - 1; axis >= 0 && position > 0; --axis) {
        place += position % sizes[axis] * steps[axis];
        position /= sizes[axis];
    }
    return place;
}

#endif
