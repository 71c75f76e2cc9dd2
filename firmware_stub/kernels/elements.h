/* Whole numbers of several widths, read and written as 32 bits, and pairs of inputs of which one may be repeated. */
#ifndef ARENA_KERNEL_ELEMENTS_H
#define ARENA_KERNEL_ELEMENTS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum { ELEMENT_S8, ELEMENT_U8, ELEMENT_S16, ELEMENT_S32 } kernel_element_t;

static inline int32_t element_read(const void *from, int32_t index, kernel_element_t element) {
    switch (element) {
        case ELEMENT_S8:
            return ((const int8_t *)from)[index];
        case ELEMENT_U8:
            return ((const uint8_t *)from)[index];
        case ELEMENT_S16:
            return ((const int16_t *)from)[index];
        case ELEMENT_S32:
            break;
    }
    return ((const int32_t *)from)[index];
}

static inline void element_write(void *to, int32_t index, kernel_element_t element, int32_t value) {
    switch (element) {
        case ELEMENT_S8:
            ((int8_t *)to)[index] = (int8_t)value;
            return;
        case ELEMENT_U8:
            ((uint8_t *)to)[index] = (uint8_t)value;
            return;
        case ELEMENT_S16:
            ((int16_t *)to)[index] = (int16_t)value;
            return;
        case ELEMENT_S32:
            ((int32_t *)to)[index] = value;
            return;
    }
}

#define KERNEL_RANK 6

/* Two inputs of one output: its dimensions, outermost first and filled up with 1 in front, and by how many elements
 * each input goes on along each of them; 0 where it is repeated. */
typedef struct {
    int32_t sizes[KERNEL_RANK];
    int32_t left[KERNEL_RANK];
    int32_t right[KERNEL_RANK];
} kernel_pair_t;

/* The element of an input that belongs to element `position` of the output. */
static inline int32_t pair_place(const kernel_pair_t *pair, const int32_t *steps, int32_t position) {
    int32_t place = 0;
    for (int32_t axis = KERNEL_RANK - 1; axis >= 0 && position > 0; --axis) {
        place += position % pair->sizes[axis] * steps[axis];
        position /= pair->sizes[axis];
    }
    return place;
}

/* Elements of the output. */
static inline int32_t pair_count(const kernel_pair_t *pair) {
    int32_t count = 1;
    for (int32_t axis = 0; axis < KERNEL_RANK; ++axis) {
        count *= pair->sizes[axis];
    }
    return count;
}

#endif
