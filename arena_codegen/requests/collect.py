"""Who asks for memory, in TFLM's order: the one place where tensors and lifetimes meet.

F3. Model + Timeline + kernels + the user's wishes → Requests → Problem. The order is that of TFLM's planner: tensors
that need memory by subgraph and index, then scratch buffers by subgraph, operator and order of request
(micro_allocation_info.cc, AllocationInfoBuilder).
"""

from __future__ import annotations

from arena_codegen.errors import Finding
from arena_codegen.kernels.base import KernelLibrary
from arena_codegen.model.offline_plan import ONLINE, read_offline_plan
from arena_codegen.model.types import Model, Tensor
from arena_codegen.options import PlanOptions
from arena_codegen.planning.problem import Buffer, Problem, align_up
from arena_codegen.requests.offline import honor, ignored_plan, is_planned_variable, npu_shares
from arena_codegen.requests.scratch import check_scratch, known_scratch
from arena_codegen.requests.shares import as_intervals, permitted_shares, pinned_together
from arena_codegen.requests.types import TFLM_ALIGNMENT, Request, Requests, element_alignment, place_of
from arena_codegen.requests.wishes import apply_wishes, check_pins
from arena_codegen.timeline import UNUSED, Timeline


def collect(model: Model, timeline: Timeline, kernels: KernelLibrary, options: PlanOptions) -> Requests:
    """Every request of the model, with the user's wishes applied; scratch as the device printed it, where it did.

    Raises UsageError where a wish names no tensor of the arena, or pins collide, ModelError where an operator asks for
    more scratch buffers than TFLM allows or the device's log is not one of this model.
    """
    offline = read_offline_plan(model)
    tensors = [
        _tensor_request(tensor, timeline, options)
        for graph in model.subgraphs
        for tensor in graph.tensors
        if needs_memory(tensor, timeline) or is_planned_variable(tensor, offline)
    ]
    if options.requests is None:
        scratch, unknown = known_scratch(model, timeline, kernels, options)
    else:
        from arena_codegen.requests.printed import recorded_scratch

        scratch, unknown = recorded_scratch(model, timeline, options, tensors), {}
    check_scratch(model, scratch)
    rows = honor(model, options, offline, apply_wishes(model, timeline, options, tensors)) + scratch
    shares = permitted_shares(model, timeline, kernels, options, rows) + npu_shares(model, timeline, options, rows)
    shares = tuple(sorted(shares, key=lambda share: (share.output, share.input)))
    check_pins(model, rows, pinned_together(rows, shares))
    called = _called(model, timeline)
    warnings = model.warnings + _orphans(model, timeline, called) + _unreachable(model, called, scratch)
    warnings += _int4(model, tensors) + tuple(unknown.values()) + ignored_plan(model, options, offline)
    return Requests(model, timeline, kernels, options, tuple(rows), tuple(unknown), warnings, shares)


def to_problem(requests: Requests) -> Problem:
    """The planner's view of the requests, buffer by buffer in the same order."""
    buffers = tuple(Buffer(row.size, row.first, row.last, row.alignment, row.offset, row.name) for row in requests.rows)
    alignment = max((row.alignment for row in requests.rows), default=1)
    shares = as_intervals(requests.rows, requests.shares)
    return Problem(buffers, max(alignment, requests.options.align), shares)


def as_shipped(requests: Requests) -> Problem:
    """What TFLM's own planner gets: sizes rounded up to 16, its scopes, and offsets of the model's own offline plan.

    None of the user's wishes. Fixed offsets may be unaligned and collide: TFLM does not look.
    """
    plan = read_offline_plan(requests.model)
    buffers = []
    for row in requests.rows:
        life = row if row.tensor is None else requests.timeline.lives[row.subgraph][row.tensor]
        offset = ONLINE if plan is None or row.tensor is None else plan.offsets[row.subgraph][row.tensor]
        size = align_up(row.bytes, TFLM_ALIGNMENT)
        fixed = None if offset == ONLINE else offset
        buffers.append(Buffer(size, life.first, life.last, 1 if plan else TFLM_ALIGNMENT, fixed, row.name))
    return Problem(tuple(buffers), TFLM_ALIGNMENT)


def needs_memory(tensor: Tensor, timeline: Timeline) -> bool:
    """True where TFLM's planner gets a request for the tensor (micro_allocation_info.cc, `needs_allocating`)."""
    role = timeline.lives[tensor.subgraph][tensor.index].role
    return role not in ("constant", "variable") and tensor.bytes > 0


def _tensor_request(tensor: Tensor, timeline: Timeline, options: PlanOptions) -> Request:
    """A variable that comes here is state: alive from before the first operator to the end."""
    life = timeline.lives[tensor.subgraph][tensor.index]
    is_state = tensor.is_variable
    return Request(
        kind="tensor",
        subgraph=tensor.subgraph,
        tensor=tensor.index,
        operator=None,
        name=tensor.name,
        dtype=tensor.dtype.name,
        shape=tensor.shape,
        role=life.role,
        bytes=tensor.bytes,
        alignment=max(options.align, element_alignment(tensor.dtype.bytes or 1)),
        first=UNUSED if is_state else life.first,
        last=timeline.end if is_state else life.last,
    )


def _called(model: Model, timeline: Timeline) -> set[int]:
    """The subgraphs that run: the main one, and all that an operator which runs calls."""
    return {0} | {
        callee
        for graph in model.subgraphs
        for operator in graph.operators
        if operator.callees and timeline.spans[graph.index][operator.index].first != UNUSED
        for callee in operator.callees
    }


def _orphans(model: Model, timeline: Timeline, called: set[int]) -> tuple[Finding, ...]:
    """A warning for each tensor that nothing uses but TFLM allocates, in subgraphs that run."""
    return tuple(
        Finding(
            f"no operator uses this tensor, yet TFLM allocates its {tensor.bytes} bytes",
            model.where(graph.index, tensor=tensor.index),
            "remove it from the model; converters do, and editors often forget to",
        )
        for graph in model.subgraphs
        if graph.index in called
        for tensor in graph.tensors
        if needs_memory(tensor, timeline) and not timeline.lives[graph.index][tensor.index].is_used
    )


def _unreachable(model: Model, called: set[int], scratch: list[Request]) -> tuple[Finding, ...]:
    """A warning for each subgraph that nothing calls: TFLM allocates its tensors all the same."""
    asking = {row.subgraph for row in scratch}
    return tuple(
        Finding(
            "nothing calls this subgraph, yet TFLM allocates its tensors"
            + ", and its scratch with a lifetime that it never set: AllocateTensors() may crash"
            * (graph.index in asking),
            model.where(graph.index),
            "remove the subgraph from the model",
        )
        for graph in model.subgraphs
        if graph.index not in called
    )


def _int4(model: Model, rows: list[Request]) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            f"INT4 in the arena: TFLM gives each element a whole byte, so {row.bytes} bytes are planned",
            place_of(model, row),
            is_note=True,
        )
        for row in rows
        if row.dtype == "INT4"
    )
