"""F3. What follows from an offline plan that the model carries: variables that become requests, and --honor-plan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from arena_codegen.errors import Finding, ModelError, UsageError
from arena_codegen.model.offline_plan import ONLINE, OfflinePlan, read_offline_plan
from arena_codegen.model.types import Model, Operator, Tensor
from arena_codegen.options import PlanOptions
from arena_codegen.requests.types import MAX_ARENA, Request, Share, element_alignment, place_of
from arena_codegen.timeline import Timeline

NPU = "ethos-u"
"""The custom operator that Vela makes of all that the Ethos-U computes."""


def is_planned_variable(tensor: Tensor, plan: OfflinePlan | None) -> bool:
    """True for a variable tensor with an offset: TFLM's planner gets a request for it; it leaves the tail."""
    return plan is not None and tensor.is_variable and plan.offsets[tensor.subgraph][tensor.index] != ONLINE


def honor(model: Model, options: PlanOptions, plan: OfflinePlan | None, rows: list[Request]) -> list[Request]:
    """The rows with the offsets that the model's own plan fixes, where --honor-plan asks for them.

    Raises UsageError for a model without a plan and for a --pin elsewhere, ModelError for a plan that cannot be kept.
    """
    if not options.honor_plan:
        return rows
    if plan is None:
        raise UsageError(Finding("--honor-plan: the model carries no offline plan", model.file))
    faults = list(plan.faults)
    kept = []
    for row in rows:
        offset = plan.offsets[row.subgraph][row.tensor] if row.tensor is not None else ONLINE
        if offset == ONLINE:
            kept.append(row)
            continue
        alignment = _alignment(row, offset, model)
        if offset % alignment or offset + row.size > MAX_ARENA:
            what = f"offline plan puts this tensor at {offset}, where no {row.dtype} can lie"
            faults.append(Finding(what, place_of(model, row), f"multiples of {alignment}, below 2 GiB"))
        elif row.offset not in (None, offset):
            what = f"--pin puts this tensor at {row.offset}, the offline plan at {offset}"
            raise UsageError(Finding(what, place_of(model, row), "leave out --pin, or --honor-plan"))
        kept.append(replace(row, offset=offset, alignment=alignment))
    if faults:
        raise ModelError(faults)
    return kept


def ignored_plan(model: Model, options: PlanOptions, plan: OfflinePlan | None) -> tuple[Finding, ...]:
    """What to say of a plan that the model carries: its faults, and that it is ignored where it is."""
    if plan is None or options.honor_plan or (plan.is_empty and not plan.faults):
        return ()
    if fixed := fixed_for_npu(model):
        return (*plan.faults, replace(fixed, what=f"the offline plan that the model carries is ignored: {fixed.what}"))
    hint = "" if plan.faults else "--honor-plan keeps the offsets that it fixes; arena-codegen check judges it"
    return (*plan.faults, Finding("the offline plan that the model carries is ignored", model.file, hint, is_note=True))


def fixed_for_npu(model: Model) -> Finding | None:
    """Why a plan of Vela's must not be replaced: its command stream holds the offsets of what it computes on."""
    plan = read_offline_plan(model)
    for graph in model.subgraphs:
        for operator in graph.operators:
            tensors = (*operator.inputs, *operator.outputs)
            if plan and _is_npu(operator) and any(plan.offsets[graph.index][t] != ONLINE for t in tensors if t >= 0):
                what = f"{NPU} reads and writes at its offsets, and would compute on other bytes"
                return Finding(what, model.where(graph.index, operator.index), "--honor-plan keeps them")
    return None


def _alignment(row: Request, offset: int, model: Model) -> int:
    """The row's own alignment, or as much of it as the plan keeps, but never less than the element needs."""
    assert row.tensor is not None
    width = element_alignment(model.subgraphs[row.subgraph].tensors[row.tensor].dtype.bytes or 1)
    alignment = row.alignment
    while alignment > width and offset % alignment:
        alignment //= 2
    return alignment


def npu_shares(model: Model, timeline: Timeline, options: PlanOptions, rows: list[Request]) -> tuple[Share, ...]:
    """Bytes that the model's own plan lets an NPU share on purpose, where --honor-plan keeps that plan.

    Both places are fixed, so the distance that is permitted is the one that they have.
    """
    if not options.honor_plan:
        return ()
    return tuple(
        Share(one, other, "overlap", start - end, f"{NPU} arranges these bytes itself, as its plan says")
        for one, other in npu_pairs(model, timeline, rows)
        if (start := rows[one].offset) is not None and (end := rows[other].offset) is not None
        if start < end + rows[other].size and end < start + rows[one].size
    )


def npu_pairs(model: Model, timeline: Timeline, rows: list[Request]) -> Iterator[tuple[int, int]]:
    """Pairs of rows that an NPU's operator may lay on each other, what it reads first; each pair once.

    Its scratch memory, which nothing writes and nobody else reads, spans all that Vela placed, the CPU's tensors too.
    What it reads for the last time and what it writes are its own business.
    """
    places = {(row.subgraph, row.tensor): index for index, row in enumerate(rows) if row.tensor is not None}
    pairs: set[tuple[int, int]] = set()
    for graph in model.subgraphs:
        for operator in graph.operators:
            if not _is_npu(operator):
                continue
            step = timeline.spans[graph.index][operator.index].last
            read = [places[key] for tensor in operator.inputs if (key := (graph.index, tensor)) in places]
            written = [places[key] for tensor in operator.outputs if (key := (graph.index, tensor)) in places]
            scratch = [index for index in read if _is_npu_scratch(model, timeline, rows[index])]
            pairs |= {(one, other) for one in scratch for other in places.values() if other != one}
            pairs |= {(i, j) for i in read for j in written if rows[i].last == step == rows[j].first}
    yield from sorted(pair for pair in pairs if pair[::-1] not in pairs or pair[0] < pair[1])


def _is_npu_scratch(model: Model, timeline: Timeline, row: Request) -> bool:
    assert row.tensor is not None
    life, operators = timeline.lives[row.subgraph][row.tensor], model.subgraphs[row.subgraph].operators
    is_given = life.producer is not None or life.is_output or row.role != "intermediate"
    return not is_given and all(_is_npu(operators[reader]) for reader in life.readers)


def _is_npu(operator: Operator) -> bool:
    return operator.is_custom and operator.name == NPU
