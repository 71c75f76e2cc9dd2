/* Pass 2, lifetimes: the model's operators run in their order, without kernels; the plan gives offsets and nothing else.
 *
 * An operator holds its inputs, outputs and scratch from its start to its end, subgraphs that it calls included: that is
 * how TFLM counts. So its inputs are whole before and, but for bytes that a permitted share took over, after; its outputs
 * are written as it starts, and whole as it ends. Values travel as in TFLM's kernels (if.cc, while.cc, call_once.cc):
 *
 *   IF         inputs 1.. -> then's inputs, then runs, its outputs -> outputs; the same with else
 *   WHILE      inputs -> condition's inputs and outputs; condition runs; twice: outputs -> body's inputs, body runs,
 *              its outputs -> outputs -> condition's inputs, condition runs
 *   CALL_ONCE  its subgraph runs, in the first invocation only
 *
 * A copy is: the source is whole, the destination is written. TFLM takes one branch of an IF; here both run in turn, and
 * what one of them breaks is found in the other, or after the IF.
 */
#include "../board/board.h"
#include "../board/text.h"
#include "check.h"
#include "report.h"

#define INVOCATIONS 2u
#define DONE UINT32_MAX

static uint32_t depth;            /* frames in use */
static uint32_t invocation_start; /* buffers_clock() as the invocation began */
static const run_operator_t *current;
static const char *place = "the model's inputs";
static bool all_whole; /* of what was judged since it was set */

static int32_t entry(run_span_t span, uint32_t at) {
    return arena_run.lists[span.at + at];
}

static bool is_of_this_invocation(uint32_t buffer) {
    return arena_run.states[buffer].written > invocation_start;
}

static void write(int32_t buffer) {
    if (buffer != RUN_NOT_IN_ARENA) {
        buffers_write((uint32_t)buffer);
    }
}

static void expect(int32_t buffer, buffers_permit_t permit) {
    if (buffer != RUN_NOT_IN_ARENA && !buffers_whole((uint32_t)buffer, place, RUN_NO_SCOPE, permit)) {
        all_whole = false;
    }
}

static void expect_all(run_span_t span, buffers_permit_t permit) {
    for (uint32_t at = 0; at < span.count; ++at) {
        expect(entry(span, at), permit);
    }
}

/* An output of the operator that runs may have taken over bytes of its input. */
static bool is_output_of_current(uint32_t input, uint32_t output, int32_t scope) {
    (void)input;
    (void)scope;
    for (uint32_t at = 0; at < current->outputs.count; ++at) {
        if (entry(current->outputs, at) == (int32_t)output) {
            return true;
        }
    }
    return false;
}

/* Writes buffers; what of them holds its bytes already, for instance since the invocation began, is whole until then. */
static void replace_all(run_span_t span) {
    for (uint32_t at = 0; at < span.count; ++at) {
        const int32_t buffer = entry(span, at);
        if (buffer != RUN_NOT_IN_ARENA && (arena_run.buffers[buffer].flags & (RUN_FROM_START | RUN_TO_END)) != 0u &&
            is_of_this_invocation((uint32_t)buffer)) {
            expect(buffer, NULL);
        }
        write(buffer);
    }
}

/* Value by value: the source is whole, the destination is written. Destinations without a source are written too. */
static void copy(run_span_t from, uint32_t skip, run_span_t to) {
    for (uint32_t at = 0; at < to.count; ++at) {
        if (at + skip < from.count) {
            expect(entry(from, at + skip), NULL);
        }
        write(entry(to, at));
    }
    expect_all(to, NULL);
}

/* As `copy`, into the outputs of an operator, which hold bytes since it began. */
static void copy_out(run_span_t from, run_span_t outputs) {
    for (uint32_t at = 0; at < outputs.count; ++at) {
        if (at < from.count) {
            expect(entry(from, at), NULL);
        }
        expect(entry(outputs, at), NULL);
        write(entry(outputs, at));
    }
    expect_all(outputs, NULL);
}

static void begin(const run_operator_t *operator) {
    expect_all(operator->inputs, NULL);
    replace_all(operator->scratch);
    replace_all(operator->outputs);
    expect_all(operator->inputs, is_output_of_current);
    expect_all(operator->scratch, NULL);
    expect_all(operator->outputs, NULL);
}

static void finish(const run_operator_t *operator) {
    expect_all(operator->inputs, is_output_of_current);
    expect_all(operator->scratch, NULL);
    expect_all(operator->outputs, NULL);
}

static const run_graph_t *callee(const run_operator_t *operator, uint32_t number) {
    return &arena_run.graphs[entry(operator->callees, number)];
}

/* One call is made: the number of the callee, or DONE. `phase` counts the calls that have returned. */
static uint32_t advance_if(const run_operator_t *operator, uint32_t phase) {
    if (phase > 0u) {
        copy_out(callee(operator, phase - 1u)->outputs, operator->outputs);
    }
    if (phase == 2u) {
        return DONE;
    }
    copy(operator->inputs, 1u, callee(operator, phase)->inputs);
    return phase;
}

static uint32_t advance_while(const run_operator_t *operator, uint32_t phase) {
    const run_graph_t *condition = callee(operator, 0u);
    const run_graph_t *body = callee(operator, 1u);
    if (phase == 0u) {
        copy(operator->inputs, 0u, condition->inputs);
        copy_out(operator->inputs, operator->outputs);
        return 0u;
    }
    if (phase % 2u == 0u) {
        copy_out(body->outputs, operator->outputs);
        copy(operator->outputs, 0u, condition->inputs);
        return 0u;
    }
    expect_all(condition->outputs, NULL);
    if (phase == 5u) {
        return DONE;
    }
    copy(operator->outputs, 0u, body->inputs);
    return 1u;
}

static uint32_t advance_call_once(const run_operator_t *operator, uint32_t phase) {
    uint8_t *has_run = &arena_run.once[operator - arena_run.operators];
    if (phase > 0u || *has_run != 0u) {
        return DONE;
    }
    *has_run = 1u;
    const run_span_t none = {0u, 0u};
    copy(none, 0u, callee(operator, 0u)->inputs);
    return 0u;
}

static uint32_t advance(const run_operator_t *operator, uint32_t phase) {
    switch (operator->kind) {
        case RUN_IF:
            return advance_if(operator, phase);
        case RUN_WHILE:
            return advance_while(operator, phase);
        case RUN_CALL_ONCE:
            return advance_call_once(operator, phase);
        case RUN_PLAIN:
            break;
    }
    return DONE;
}

static void push(uint32_t graph) {
    arena_run.frames[depth++] = (run_frame_t){graph, 0u, 0u};
}

static void close_operator(void) {
    if (ground_guards_whole(place, RUN_NO_SCOPE) && all_whole && report_point(true)) {
        report_place(place, RUN_NO_SCOPE);
        text_decimal(current->inputs.count);
        text_put(" inputs, ");
        text_decimal(current->outputs.count);
        text_put(" outputs whole");
        report_close();
    }
}

/* Moves the innermost subgraph on: to its next call, its next operator, or back to its caller. */
static void step(void) {
    run_frame_t *frame = &arena_run.frames[depth - 1u];
    const run_span_t operators = arena_run.graphs[frame->graph].operators;
    if (frame->position == operators.count) {
        --depth;
        return;
    }
    all_whole = true;
    current = &arena_run.operators[operators.at + frame->position];
    place = current->name;
    board_running(place);
    if (frame->phase == 0u) {
        begin(current);
    }
    const uint32_t call = advance(current, frame->phase++);
    if (call != DONE) {
        push((uint32_t)entry(current->callees, call));
        return;
    }
    finish(current);
    close_operator();
    frame->position += 1u;
    frame->phase = 0u;
}

/* What holds bytes of its own from the start, and the inputs, are written. */
static void begin_invocation(void) {
    place = "the model's inputs";
    all_whole = true;
    invocation_start = buffers_clock();
    for (uint32_t index = 0; index < arena_run.buffer_count; ++index) {
        if ((arena_run.buffers[index].flags & RUN_FROM_START) != 0u) {
            buffers_write(index);
        }
    }
    for (uint32_t index = 0; index < arena_run.buffer_count; ++index) {
        if ((arena_run.buffers[index].flags & RUN_FROM_START) != 0u) {
            expect((int32_t)index, NULL);
        }
    }
    replace_all(arena_run.graphs[0].inputs);
    expect_all(arena_run.graphs[0].inputs, NULL);
}

/* The caller reads the outputs; what must survive has survived. An output that no operator writes is written now. */
static void end_invocation(void) {
    const run_span_t outputs = arena_run.graphs[0].outputs;
    place = "the end of the invocation";
    all_whole = true;
    for (uint32_t at = 0; at < outputs.count; ++at) {
        const int32_t buffer = entry(outputs, at);
        if (buffer != RUN_NOT_IN_ARENA && !is_of_this_invocation((uint32_t)buffer)) {
            write(buffer);
        }
    }
    expect_all(outputs, NULL);
    for (uint32_t index = 0; index < arena_run.buffer_count; ++index) {
        if ((arena_run.buffers[index].flags & RUN_TO_END) != 0u && is_of_this_invocation(index)) {
            expect((int32_t)index, NULL);
        }
    }
}

static void close_invocation(uint32_t number) {
    if (ground_guards_whole(place, RUN_NO_SCOPE) && all_whole && report_point(true)) {
        text_put("invocation ");
        text_decimal(number);
        text_put(": outputs and kept tensors survived to the end");
        report_close();
    }
}

void lifetimes_pass(void) {
    buffers_forget();
    for (uint32_t operator = 0; operator < arena_run.operator_count; ++operator) {
        arena_run.once[operator] = 0u;
    }
    for (uint32_t number = 1u; number <= INVOCATIONS; ++number) {
        begin_invocation();
        push(0u);
        while (depth > 0u) {
            step();
        }
        end_invocation();
        close_invocation(number);
    }
}
