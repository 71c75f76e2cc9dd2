/* What a kernel is to the firmware: a function that computes one operator, and what it asks of its scratch memory.
 *
 * An operator has a file of its own, <operator>.c, and a header that declares its kernels and their parameters.
 * Everything that does not change from one invocation to the next (multipliers, shifts, tables) is in the parameters,
 * computed on the host; a kernel keeps nothing but in the bytes that the call gives it for that.
 */
#ifndef ARENA_KERNEL_H
#define ARENA_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const void *const *inputs; /* in the operator's order; NULL for one that is absent or not listed */
    void *const *outputs;      /* likewise; state that the operator changes stands behind the outputs */
    void *const *scratch;      /* in the order of requests; NULL for one of no bytes */
    const uint32_t *scratch_bytes;
    const void *params; /* the kernel's own structure */
    void *kept;         /* bytes of this operator, which stay from one invocation to the next; NULL where it has none */
} kernel_call_t;

typedef struct {
    /* Computes the outputs. False where a library refuses. */
    bool (*run)(const kernel_call_t *call);
    /* Bytes that scratch buffer `number` must have. NULL where the kernel has none. */
    uint32_t (*scratch)(const void *params, uint32_t number);
} kernel_t;

#endif
