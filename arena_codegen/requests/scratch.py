"""F3. Requests for scratch buffers, as the kernels are known to make them."""

from __future__ import annotations

from arena_codegen.errors import Finding, ModelError
from arena_codegen.kernels.base import KernelLibrary
from arena_codegen.model.types import Model, Operator
from arena_codegen.options import PlanOptions
from arena_codegen.requests.types import Request
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
                rows.append(scratch_request(operator, number, size, span.first, span.last, options))
    return rows, unknown


def scratch_request(
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
