"""F3. Requests for scratch buffers: as the kernels are known to make them, or as a device printed them."""

from __future__ import annotations

from arena_codegen.errors import Finding, ModelError
from arena_codegen.kernels.base import KernelLibrary
from arena_codegen.kernels.recorded import Expected, read_log, scratch_of
from arena_codegen.model.types import Model, Operator
from arena_codegen.options import PlanOptions
from arena_codegen.planning.problem import align_up
from arena_codegen.requests.types import TFLM_ALIGNMENT, Request, place_of
from arena_codegen.timeline import Timeline

SCRATCH_ALIGNMENT = 4
"""Kernels keep 32-bit sums in their scratch buffers."""

MAX_SCRATCH = 12
"""TFLM refuses more scratch requests of one operator (micro_allocator.cc, kMaxScratchBuffersPerOp)."""


def known_scratch(
    model: Model, timeline: Timeline, kernels: KernelLibrary, options: PlanOptions
) -> tuple[list[Request], dict[str, Finding]]:
    """What the kernels ask for, and by name the operators whose scratch nobody knows."""
    rows: list[Request] = []
    unknown: dict[str, Finding] = {}
    for graph in model.subgraphs:
        for operator in graph.operators:
            sizes = kernels.scratch(graph, operator)
            if sizes is None:
                unknown.setdefault(operator.name, _unknown_scratch(model, operator, kernels))
                continue
            span = timeline.spans[graph.index][operator.index]
            for number, size in enumerate(sizes):
                rows.append(_scratch_request(operator, number, size, span.first, span.last, options))
    return rows, unknown


def _scratch_request(
    operator: Operator, number: int, size: int, first: int, last: int, options: PlanOptions
) -> Request:
    return Request(
        kind="scratch",
        subgraph=operator.subgraph,
        tensor=None,
        operator=operator.index,
        name=f"scratch {number} of {operator.label}",
        dtype=None,
        shape=(),
        role="scratch",
        bytes=size,
        alignment=max(options.align, SCRATCH_ALIGNMENT),
        first=first,
        last=last,
    )


def _unknown_scratch(model: Model, operator: Operator, kernels: KernelLibrary) -> Finding:
    return Finding(
        f"nobody knows whether {operator.name} needs scratch buffers with {kernels.version}; the plan has none for it",
        model.where(operator.subgraph, operator.index),
        "such a plan needs --requests LOG: print the requests on the device, with RecordedMemory of tflm_planner.h",
    )


def recorded_scratch(model: Model, timeline: Timeline, options: PlanOptions, tensors: list[Request]) -> list[Request]:
    """The scratch that a device printed after all tensors; each belongs to the operator of its first scope."""
    expected = [_expected(model, timeline, row) for row in tensors]
    rows: list[Request] = []
    numbers: dict[tuple[int, int], int] = {}
    for record in scratch_of(read_log(options.requests or ""), expected):
        step = timeline.steps[record.first] if 0 <= record.first <= record.last <= timeline.end else None
        if step is None:
            what = f"{record.size} bytes of scratch in scopes {record.first}..{record.last}, where no operator runs"
            raise ModelError(Finding(what, f"requests log · line {record.line}", "is it the log of this model?"))
        operator = model.subgraphs[step[0]].operators[step[1]]
        number = numbers[step] = numbers.get(step, -1) + 1
        rows.append(_scratch_request(operator, number, record.size, record.first, record.last, options))
    return rows


def _expected(model: Model, timeline: Timeline, row: Request) -> Expected:
    """A tensor as TFLM asks for it: of state with an offset, TFLM counts no more than the scopes that use it."""
    assert row.tensor is not None
    life = timeline.lives[row.subgraph][row.tensor]
    return Expected(align_up(row.bytes, TFLM_ALIGNMENT), life.first, life.last, place_of(model, row))


def check_scratch(model: Model, rows: list[Request]) -> None:
    """Raises ModelError for operators that ask for more scratch buffers than TFLM allows."""
    counts: dict[tuple[int, int | None], int] = {}
    for row in rows:
        counts[row.subgraph, row.operator] = counts.get((row.subgraph, row.operator), 0) + 1
    faults = [
        Finding(
            f"operator asks for {count} scratch buffers, TFLM allows {MAX_SCRATCH}",
            model.where(subgraph, operator),
            "AllocateTensors() would refuse it on the device",
        )
        for (subgraph, operator), count in counts.items()
        if count > MAX_SCRATCH
    ]
    if faults:
        raise ModelError(faults)
