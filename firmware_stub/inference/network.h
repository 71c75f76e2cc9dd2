/* What the generated network tells the firmware: operators with their parameters, tensors, and what they must hold.
 *
 * The offset table is the one of the generated header, as users get it. Tensors of all subgraphs stand in one table.
 */
#ifndef ARENA_NETWORK_H
#define ARENA_NETWORK_H

#include <stdint.h>

#include "../kernels/kernel.h"
#include "arena_codegen/plan.h"

#define NETWORK_ABI 1u
#define NETWORK_NONE (-1)
#define NETWORK_MOST_TENSORS 64u /* of one operator, each way */
#define NETWORK_MOST_SCRATCH 8u

/* `count` entries of network_t.lists from `at` on, or of the array that a comment names. */
typedef struct {
    uint32_t at;
    uint32_t count;
} network_span_t;

typedef enum {
    NETWORK_UNJUDGED, /* not in the arena, or nobody knows what it must hold */
    NETWORK_BY_HASH,  /* bit-exact: the CRC-32 of its bytes is known */
    NETWORK_BY_HOST   /* floating point: its bytes are sent to the host, which knows the tolerance */
} network_judge_t;

/* In the arena where `buffer` is a row of the plan's table, else constant, else state, else it has no bytes at all. */
typedef struct {
    const char *name;
    uint32_t bytes;
    int32_t buffer;
    const void *constant;
    void *state;
    network_judge_t judge;
} network_tensor_t;

typedef enum {
    NETWORK_PLAIN,    /* its kernel runs; nothing happens without one */
    NETWORK_IF,       /* callees: then, else; the first input is the condition */
    NETWORK_WHILE,    /* callees: condition, body */
    NETWORK_CALL_ONCE /* callees: the one that runs in the first invocation only */
} network_kind_t;

typedef struct {
    const char *name; /* `op 2 CONV_2D`, `subgraph 1 op 0 ADD` */
    network_kind_t kind;
    const kernel_t *kernel;
    const void *params;
    network_span_t inputs;  /* tensors; NETWORK_NONE for an absent one */
    network_span_t outputs; /* tensors */
    network_span_t scratch; /* of network_t.scratch */
    network_span_t callees; /* subgraphs */
    void *kept;             /* state that only the kernel knows; NULL for none */
} network_operator_t;

/* A scratch buffer: a row of the plan's table, else bytes of network_t.spare from `spare` on (a plan for other
 * kernels). */
typedef struct {
    int32_t buffer;
    uint32_t bytes;
    uint32_t spare;
} network_scratch_t;

typedef struct {
    network_span_t operators; /* of network_t.operators, in the order in which they run */
    network_span_t inputs;    /* tensors */
    network_span_t outputs;   /* tensors */
} network_graph_t;

typedef enum {
    NETWORK_BYTES,    /* int8 */
    NETWORK_UNSIGNED, /* uint8 */
    NETWORK_HALVES,   /* int16 */
    NETWORK_WORDS,    /* int32 and int64: small numbers, which may be indices */
    NETWORK_LONGS,
    NETWORK_FLOATS,
    NETWORK_BOOLS
} network_element_t;

typedef enum { NETWORK_LOWEST, NETWORK_HIGHEST, NETWORK_PATTERN, NETWORK_RANDOM } network_fill_t;

/* An invocation: what its inputs hold. */
typedef struct {
    const char *name;
    network_fill_t fill;
    uint32_t seed;
} network_invocation_t;

/* State to be set before the first invocation: every byte of it is `value`. */
typedef struct {
    uint8_t *state;
    uint32_t bytes;
    uint8_t value;
} network_state_t;

/* What a tensor held when it was written last. */
typedef struct {
    uint32_t hash;
    uint32_t is_known; /* 1 from its first write in this invocation on */
} network_held_t;

typedef struct {
    uint32_t graph;
    uint32_t position;
    uint32_t phase;
} network_frame_t;

typedef struct {
    uint32_t abi; /* NETWORK_ABI */
    const char *model;
    const arena_plan_t *plan;
    uint8_t *arena;
    uint32_t arena_bytes;
    const network_tensor_t *tensors;
    uint32_t tensor_count;
    const network_operator_t *operators;
    uint32_t operator_count;
    const network_graph_t *graphs; /* the first one is the model's main graph */
    uint32_t graph_count;
    const int32_t *lists;
    const network_scratch_t *scratch;
    uint8_t *spare;
    const network_element_t *elements; /* of the main graph's inputs */
    const network_invocation_t *invocations;
    uint32_t invocation_count;
    const uint32_t *expected; /* CRC-32, tensor_count for each invocation */
    const network_state_t *states;
    uint32_t state_count;
    network_held_t *held;    /* tensor_count */
    uint8_t *once;           /* operator_count: whether a CALL_ONCE has run */
    network_frame_t *frames; /* graph_count */
} network_t;

extern const network_t network;

#endif
