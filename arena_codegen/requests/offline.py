"""F3. What follows from an offline plan that the model carries: variables that become requests, and --honor-plan."""

from __future__ import annotations

from dataclasses import replace

from arena_codegen.errors import Finding, ModelError, UsageError
from arena_codegen.model.offline_plan import ONLINE, OfflinePlan
from arena_codegen.model.types import Model, Tensor
from arena_codegen.options import PlanOptions
from arena_codegen.requests.types import MAX_ARENA, Request, element_alignment, place_of


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
    hint = "" if plan.faults else "--honor-plan keeps the offsets that it fixes; arena-codegen check judges it"
    return (*plan.faults, Finding("the offline plan that the model carries is ignored", model.file, hint, is_note=True))


def _alignment(row: Request, offset: int, model: Model) -> int:
    """The row's own alignment, or as much of it as the plan keeps, but never less than the element needs."""
    assert row.tensor is not None
    width = element_alignment(model.subgraphs[row.subgraph].tensors[row.tensor].dtype.bytes or 1)
    alignment = row.alignment
    while alignment > width and offset % alignment:
        alignment //= 2
    return alignment
