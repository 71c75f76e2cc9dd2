/* What the second generated file tells the firmware about a model: who reads and writes what, and in which order.
 *
 * The offset table is not repeated here: it comes from the generated header, as users get it. Pass 1 (offsets.c) walks
 * that table alone; pass 2 (lifetimes.c) walks the operators below and never looks at a lifetime of the table.
 * All indices of buffers are rows of the table.
 */
#ifndef ARENA_RUN_H
#define ARENA_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "arena_codegen/plan.h"

#define RUN_ABI 1u
#define RUN_NOT_IN_ARENA (-1) /* in lists: a constant, a variable, an empty tensor, an absent input */

/* `count` entries of run_t.lists from `at` on, or of the array that a comment names. */
typedef struct {
    uint32_t at;
    uint32_t count;
} run_span_t;

#define RUN_FROM_START 1u /* holds its bytes from before the inputs are written: kept apart from all others, or used by nobody */
#define RUN_TO_END 2u     /* whole when the invocation ends: an output of the model, or kept by the user */

typedef struct {
    const char *name;   /* printable ASCII */
    uint32_t bytes;     /* what the model, or the kernel, needs; from the model, not from the plan */
    uint32_t size;      /* rounded up to its alignment: what nobody else may touch */
    uint32_t alignment; /* of its offset */
    uint32_t flags;     /* RUN_... */
} run_buffer_t;

typedef enum {
    RUN_PLAIN,     /* reads its inputs, writes its outputs */
    RUN_IF,        /* callees: then, else; the first input is the condition */
    RUN_WHILE,     /* callees: condition, body */
    RUN_CALL_ONCE, /* callees: the one that runs in the first invocation only */
} run_kind_t;

typedef struct {
    const char *name; /* `op 2 CONV_2D`, `subgraph 1 op 0 ADD` */
    run_kind_t kind;
    run_span_t inputs;  /* buffers */
    run_span_t outputs; /* buffers */
    run_span_t scratch; /* buffers */
    run_span_t callees; /* subgraphs */
} run_operator_t;

typedef struct {
    run_span_t operators; /* of run_t.operators, in the order in which they run */
    run_span_t inputs;    /* buffers */
    run_span_t outputs;   /* buffers */
} run_graph_t;

/* A permitted share: `output` may stand in bytes of `input`, both of one operator, which dies as the output is born. */
typedef struct {
    uint32_t input;
    uint32_t output;
    uint32_t in_place; /* 1: at the same offset only; 0: `input` lies at least `distance` bytes above `output` */
    int32_t distance;
} run_share_t;

/* A plan to judge. */
typedef struct {
    const arena_plan_t *plan;
    const uint32_t *order;     /* all buffers, by their first scope */
    const run_share_t *shares; /* by input; NULL where there is none */
    uint32_t share_count;
} run_plan_t;

/* What the passes know of a buffer while they run. */
typedef struct {
    uint32_t written;    /* when it was written last: a count of all writes; 0 is never */
    uint32_t generation; /* how many times it was written */
    uint32_t lost;       /* 1 from the report of its damage until it is written again */
} run_state_t;

/* A subgraph that runs: its next operator, and how far that one has come. */
typedef struct {
    uint32_t graph;
    uint32_t position;
    uint32_t phase;
} run_frame_t;

/* Everything. The arrays at the end are the firmware's working memory, sized for this model. */
typedef struct {
    uint32_t abi; /* RUN_ABI */
    const char *model;
    uint8_t *arena;
    uint32_t arena_bytes;
    const run_plan_t *plans;
    uint32_t plan_count;
    const run_buffer_t *buffers;
    uint32_t buffer_count;
    const run_operator_t *operators;
    uint32_t operator_count;
    const run_graph_t *graphs; /* the first one is the model's main graph */
    uint32_t graph_count;
    const int32_t *lists;
    const int32_t *steps; /* the operator that runs in each scope from 0 on, -1 for none */
    uint32_t step_count;
    run_state_t *states;  /* buffer_count */
    uint32_t *alive;      /* buffer_count */
    uint8_t *once;        /* operator_count: whether a CALL_ONCE has run */
    run_frame_t *frames;  /* frame_count: as deep as calls nest, the main graph included */
    uint32_t frame_count;
} run_t;

extern const run_t arena_run;

#endif
