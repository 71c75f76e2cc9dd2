/* Operators run in the model's order. Before an operator its inputs are whole; right after it its outputs are judged.
 *
 * Values travel as in TFLM's kernels (if.cc, while.cc, call_once.cc):
 *
 *   IF         the condition picks a branch; inputs 1.. -> its inputs, it runs, its outputs -> outputs
 *   WHILE      inputs -> condition's inputs and outputs; condition runs; while it says so: outputs -> body's inputs,
 *              body runs, its outputs -> outputs -> condition's inputs, condition runs
 *   CALL_ONCE  its subgraph runs, in the first invocation only
 *
 * A subgraph may run many times, and what is known of its tensors holds for the last time: those are judged at the end.
 */
#include "execute.h"

#include <string.h>

#include "../board/board.h"
#include "../board/text.h"
#include "fill.h"
#include "tell.h"
#include "tensors.h"

#define DONE UINT32_MAX

static uint32_t depth; /* frames in use */
static uint32_t now;   /* the invocation that runs */
static bool all_right; /* of this invocation, so far */

static int32_t entry(network_span_t span, uint32_t at) {
    return network.lists[span.at + at];
}

static int64_t number_of(const network_operator_t *operator) {
    return operator == NULL ? TELL_END : operator - network.operators;
}

static const char *name_of(const network_operator_t *operator) {
    return operator == NULL ? "the end" : operator->name;
}

static void failed(const char *what, const network_operator_t *operator, int32_t tensor, const char *text) {
    const tell_number_t note[] = {{what, now}, {"operator", number_of(operator)}, {"tensor", tensor}};
    all_right = false;
    tell_point(false, network.invocations[now].name, name_of(operator), text);
    tell_note(note, 3u);
}

/* The host gets the bytes of a tensor; the note says what they are. */
static void send(const network_operator_t *operator, int32_t tensor) {
    const uint32_t bytes = network.tensors[tensor].bytes;
    const tell_number_t note[] = {
        {"tensor", tensor}, {"invocation", now}, {"operator", number_of(operator)}, {"bytes", bytes}};
    board_send(tensors_read(tensor), bytes);
    tell_note(note, 4u);
}

static void expect_whole(const network_operator_t *operator, int32_t tensor) {
    if (!tensors_whole(tensor)) {
        failed("lost", operator, tensor, network.tensors[tensor].name);
        send(operator, tensor);
    }
}

static void judge(const network_operator_t *operator, int32_t tensor) {
    if (!tensors_right(tensor, now)) {
        failed("wrong", operator, tensor, network.tensors[tensor].name);
        send(operator, tensor);
    } else if (network.tensors[tensor].judge == NETWORK_BY_HOST) {
        send(operator, tensor);
    }
}

static void expect_all_whole(const network_operator_t *operator, network_span_t tensors) {
    for (uint32_t at = 0; at < tensors.count; ++at) {
        expect_whole(operator, entry(tensors, at));
    }
}

/* Outputs are remembered; those of the main graph are judged at once. */
static void close_outputs(const network_operator_t *operator, bool is_main) {
    for (uint32_t at = 0; at < operator->outputs.count; ++at) {
        const int32_t tensor = entry(operator->outputs, at);
        tensors_written(tensor);
        if (is_main) {
            judge(operator, tensor);
        }
    }
}

static void *scratch_of(const network_scratch_t *scratch) {
    if (scratch->buffer != NETWORK_NONE) {
        return network.arena + network.plan->buffers[scratch->buffer].offset;
    }
    return scratch->bytes > 0u ? network.spare + scratch->spare : NULL;
}

static void run_kernel(const network_operator_t *operator) {
    const void *inputs[NETWORK_MOST_TENSORS] = {NULL}; /* what is not listed is absent */
    void *outputs[NETWORK_MOST_TENSORS] = {NULL};
    void *scratch[NETWORK_MOST_SCRATCH];
    uint32_t scratch_bytes[NETWORK_MOST_SCRATCH];
    for (uint32_t at = 0; at < operator->inputs.count; ++at) {
        inputs[at] = tensors_read(entry(operator->inputs, at));
    }
    for (uint32_t at = 0; at < operator->outputs.count; ++at) {
        outputs[at] = tensors_write(entry(operator->outputs, at));
    }
    for (uint32_t at = 0; at < operator->scratch.count; ++at) {
        const network_scratch_t *row = &network.scratch[operator->scratch.at + at];
        scratch[at] = scratch_of(row);
        scratch_bytes[at] = row->bytes;
    }
    const kernel_call_t call = {inputs, outputs, scratch, scratch_bytes, operator->params, operator->kept};
    const uint64_t before = board_instructions();
    const bool accepted = operator->kernel->run(&call);
    const uint64_t after = board_instructions();
    const tell_number_t note[] = {
        {"operator", number_of(operator)}, {"invocation", now}, {"instructions", (int64_t)(after - before)}};
    tell_note(note, 3u);
    if (!accepted) {
        failed("refused", operator, NETWORK_NONE, "the kernel refuses");
    }
}

/* Value by value, as far as both lists go. */
static void copy(const network_operator_t *operator, network_span_t from, uint32_t skip, network_span_t to) {
    for (uint32_t at = 0; at < to.count && at + skip < from.count; ++at) {
        const int32_t source = entry(from, at + skip);
        const int32_t target = entry(to, at);
        expect_whole(operator, source);
        if (tensors_write(target) != NULL && tensors_write(target) != tensors_read(source)) {
            memcpy(tensors_write(target), tensors_read(source), network.tensors[target].bytes);
        }
        tensors_written(target);
    }
}

static const network_graph_t *callee(const network_operator_t *operator, uint32_t number) {
    return &network.graphs[entry(operator->callees, number)];
}

/* One call is made: the number of the callee, or DONE. `phase` counts the calls that have returned. */
static uint32_t advance_if(const network_operator_t *operator, uint32_t phase) {
    const uint32_t branch = *(const uint8_t *)tensors_read(entry(operator->inputs, 0u)) != 0u ? 0u : 1u;
    if (phase > 0u) {
        copy(operator, callee(operator, branch)->outputs, 0u, operator->outputs);
        return DONE;
    }
    copy(operator, operator->inputs, 1u, callee(operator, branch)->inputs);
    return branch;
}

static uint32_t advance_while(const network_operator_t *operator, uint32_t phase) {
    const network_graph_t *condition = callee(operator, 0u);
    const network_graph_t *body = callee(operator, 1u);
    if (phase == 0u) {
        copy(operator, operator->inputs, 0u, condition->inputs);
        copy(operator, operator->inputs, 0u, operator->outputs);
        return 0u;
    }
    if (phase % 2u == 0u) {
        copy(operator, body->outputs, 0u, operator->outputs);
        copy(operator, operator->outputs, 0u, condition->inputs);
        return 0u;
    }
    expect_all_whole(operator, condition->outputs);
    if (*(const uint8_t *)tensors_read(entry(condition->outputs, 0u)) == 0u) {
        return DONE;
    }
    copy(operator, operator->outputs, 0u, body->inputs);
    return 1u;
}

static uint32_t advance_call_once(const network_operator_t *operator, uint32_t phase) {
    uint8_t *has_run = &network.once[number_of(operator)];
    if (phase > 0u || *has_run != 0u) {
        return DONE;
    }
    *has_run = 1u;
    return 0u;
}

static uint32_t advance(const network_operator_t *operator, uint32_t phase) {
    switch (operator->kind) {
        case NETWORK_IF:
            return advance_if(operator, phase);
        case NETWORK_WHILE:
            return advance_while(operator, phase);
        case NETWORK_CALL_ONCE:
            return advance_call_once(operator, phase);
        case NETWORK_PLAIN:
            if (operator->kernel != NULL) {
                run_kernel(operator);
            }
            break;
    }
    return DONE;
}

static void push(uint32_t graph) {
    network.frames[depth++] = (network_frame_t){graph, 0u, 0u};
}

/* Moves the innermost subgraph on: to its next call, its next operator, or back to its caller. */
static void step(void) {
    network_frame_t *frame = &network.frames[depth - 1u];
    const network_span_t operators = network.graphs[frame->graph].operators;
    if (frame->position == operators.count) {
        --depth;
        return;
    }
    const network_operator_t *operator = &network.operators[operators.at + frame->position];
    board_running(operator->name);
    if (frame->phase == 0u) {
        text_put("# "); /* the last line of a run that had to be ended from outside */
        text_put(operator->name);
        text_put("\n");
        expect_all_whole(operator, operator->inputs);
        if (!all_right) {
            return;
        }
    }
    const uint32_t call = advance(operator, frame->phase++);
    if (call != DONE) {
        push((uint32_t)entry(operator->callees, call));
        return;
    }
    close_outputs(operator, depth == 1u);
    if (all_right && depth == 1u) {
        tell_point(true, network.invocations[now].name, operator->name, "outputs as expected");
    }
    frame->position += 1u;
    frame->phase = 0u;
}

static void fill_inputs(void) {
    const network_span_t inputs = network.graphs[0].inputs;
    const network_invocation_t *invocation = &network.invocations[now];
    for (uint32_t at = 0; at < inputs.count; ++at) {
        const int32_t tensor = entry(inputs, at);
        if (tensors_write(tensor) != NULL) {
            fill(tensors_write(tensor), network.tensors[tensor].bytes, network.elements[at], invocation->fill,
                 invocation->seed + at);
            tensors_written(tensor);
        }
    }
}

/* Tensors of called subgraphs hold what they must, as far as they were written; the caller reads whole outputs. */
static void close_invocation(void) {
    for (uint32_t tensor = 0; tensor < network.tensor_count; ++tensor) {
        if (!tensors_right((int32_t)tensor, now)) {
            failed("wrong", NULL, (int32_t)tensor, network.tensors[tensor].name);
        }
    }
    expect_all_whole(NULL, network.graphs[0].outputs);
    if (all_right) {
        tell_point(true, network.invocations[now].name, name_of(NULL), "the outputs survived");
    }
}

/* State to which the model's own offline plan gives a place lies in the arena while an invocation runs; between two, in
 * its array, since the arena is painted. */
static void carry_state(bool into_arena) {
    for (uint32_t tensor = 0; tensor < network.tensor_count; ++tensor) {
        const network_tensor_t *row = &network.tensors[tensor];
        if (row->state != NULL && row->buffer != NETWORK_NONE) {
            void *const place = tensors_write((int32_t)tensor);
            memcpy(into_arena ? place : row->state, into_arena ? row->state : place, row->bytes);
        }
    }
}

bool execute(uint32_t invocation) {
    now = invocation;
    all_right = true;
    board_running("the model's inputs");
    tensors_forget();
    carry_state(true);
    fill_inputs();
    push(0u);
    while (depth > 0u && all_right) {
        step();
    }
    depth = 0u;
    carry_state(false);
    if (all_right) {
        close_invocation();
    }
    return all_right;
}

void execute_reset(void) {
    for (uint32_t at = 0; at < network.state_count; ++at) {
        memset(network.states[at].state, network.states[at].value, network.states[at].bytes);
    }
    memset(network.once, 0, network.operator_count);
}

static bool operator_scratch_suffices(const network_operator_t *operator) {
    bool suffices = true;
    for (uint32_t at = 0; operator->kernel != NULL && operator->kernel->scratch != NULL && at < operator->scratch.count;
         ++at) {
        const uint32_t planned = network.scratch[operator->scratch.at + at].bytes;
        const uint32_t needed = operator->kernel->scratch(operator->params, at);
        if (planned < needed) {
            const tell_number_t note[] = {
                {"scratch", at}, {"operator", number_of(operator)}, {"planned", planned}, {"needed", needed}};
            tell_point(false, "", operator->name, "a scratch buffer of the plan is too small");
            tell_note(note, 4u);
            suffices = false;
        }
    }
    return suffices;
}

bool execute_scratch_suffices(void) {
    bool suffices = true;
    for (uint32_t operator = 0; operator < network.operator_count; ++operator) {
        suffices = operator_scratch_suffices(&network.operators[operator]) && suffices;
    }
    if (suffices) {
        tell_point(true, "", "", "every scratch buffer has the bytes that the kernels ask for");
    }
    return suffices;
}
