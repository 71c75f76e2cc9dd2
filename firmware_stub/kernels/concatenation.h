/* CONCATENATION and PACK */
#ifndef ARENA_KERNEL_CONCATENATION_H
#define ARENA_KERNEL_CONCATENATION_H

#include "kernel.h"

typedef struct {
    int32_t outer;       /* how often the pieces follow each other */
    int32_t count;       /* of pieces */
    int32_t first;       /* position of the first piece among the inputs */
    const int32_t *runs; /* bytes of each piece, each time */
} kernel_concatenation_t;

/* inputs: pieces   outputs: the whole */
extern const kernel_t kernel_concatenation;

#endif
