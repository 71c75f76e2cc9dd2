/* Copies of blocks of a tensor, axis by axis. */
#ifndef ARENA_KERNEL_STRIDED_H
#define ARENA_KERNEL_STRIDED_H

#include <stdint.h>
#include <string.h>

#define STRIDED_RANK 6

/* `run` bytes at a time, sizes[0] * ... * sizes[5] times; all in bytes but the sizes. */
typedef struct {
    int32_t sizes[STRIDED_RANK]; /* outermost first */
    int32_t from_steps[STRIDED_RANK];
    int32_t to_steps[STRIDED_RANK];
    int32_t from_start, to_start;
    int32_t run;
} kernel_strided_t;

static inline void strided_copy(const kernel_strided_t *p, uint8_t *to, const uint8_t *from) {
    int32_t place[STRIDED_RANK] = {0};
    from += p->from_start;
    to += p->to_start;
    for (;;) {
        int32_t axis = STRIDED_RANK - 1;
        memcpy(to, from, (size_t)p->run);
        while (axis >= 0 && ++place[axis] == p->sizes[axis]) {
            from -= (p->sizes[axis] - 1) * p->from_steps[axis];
            to -= (p->sizes[axis] - 1) * p->to_steps[axis];
            place[axis--] = 0;
        }
        if (axis < 0) {
            return;
        }
        from += p->from_steps[axis];
        to += p->to_steps[axis];
    }
}

#endif
