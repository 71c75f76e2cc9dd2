"""A plan that was made elsewhere: the offline plan inside a model, ours or Vela's, or a layout, held against the model.

F7. Nothing is taken on trust: sizes and lifetimes are those of the model's own requests. What kernels permit to share
is no fault.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from arena_codegen.errors import Finding, place
from arena_codegen.kernels import library
from arena_codegen.kernels.base import KernelLibrary
from arena_codegen.layout.types import Layout
from arena_codegen.model.offline_plan import ONLINE, OfflinePlan
from arena_codegen.model.types import Model
from arena_codegen.options import PlanOptions, plan_options
from arena_codegen.planning.check import judge
from arena_codegen.planning.problem import Buffer, Problem, align_up
from arena_codegen.planning.result import Plan
from arena_codegen.planning.strategies.greedy import greedy
from arena_codegen.requests import MAX_ARENA, SCRATCH_ALIGNMENT, Request, Requests, as_shipped, collect, to_problem
from arena_codegen.requests.offline import npu_pairs
from arena_codegen.requests.shares import IN_PLACE
from arena_codegen.requests.types import element_alignment, place_of
from arena_codegen.timeline import Life, Span, Timeline, lay_timeline


@dataclass(frozen=True, slots=True)
class Judged:
    """What was looked at: tensors with a fixed offset and all in the arena; the head that comes out; all faults."""

    fixed: int
    tensors: int
    head: int
    faults: tuple[Finding, ...]


def judge_offline_plan(model: Model, plan: OfflinePlan, kernels: str, target: str) -> Judged:
    """The plan in a model's metadata: length, count, range, alignment, and who lies on whom."""
    options = PlanOptions(kernels=kernels, target=target, align=1, overlap=True)
    requests = collect(model, lay_timeline(model), library(kernels, target), options)
    tensors = [row for row in requests.rows if row.tensor is not None]
    fixed = [row for row in tensors if _offset(plan, row) != ONLINE]
    faults = [*plan.faults, *_badly_placed(model, plan, fixed), *_forgotten(model, plan, requests.timeline)]
    shipped = as_shipped(requests)
    offsets = greedy(shipped)
    if not faults:
        faults += _collisions(requests, plan)
    head = max((offset + b.size for offset, b in zip(offsets, shipped.buffers, strict=True)), default=0)
    return Judged(len(fixed), len(tensors), head, tuple(faults))


def _offset(plan: OfflinePlan, row: Request) -> int:
    return ONLINE if row.tensor is None else plan.offsets[row.subgraph][row.tensor]


def _badly_placed(model: Model, plan: OfflinePlan, fixed: list[Request]) -> Iterator[Finding]:
    for row in fixed:
        assert row.tensor is not None
        offset = _offset(plan, row)
        width = element_alignment(model.subgraphs[row.subgraph].tensors[row.tensor].dtype.bytes or 1)
        if offset % width:
            what = f"offset {offset} is no multiple of {width}, which {row.dtype} needs"
            yield Finding(what, place_of(model, row), "TFLM does not look; the device faults, or is slow")
        if offset + align_up(row.bytes, 16) > MAX_ARENA:
            yield Finding(f"offset {offset} lies beyond 2 GiB", place_of(model, row))


def _forgotten(model: Model, plan: OfflinePlan, timeline: Timeline) -> Iterator[Finding]:
    """Variables of later subgraphs that TFLM gives no memory.

    It looks for them in the offsets of the first subgraph, at their own index (micro_allocator.cc, AllocateVariables).
    """
    flat = [offset for graph in plan.offsets for offset in graph]
    for graph in model.subgraphs[1:]:
        for tensor in graph.tensors:
            own = plan.offsets[graph.index][tensor.index]
            if tensor.is_variable and own == ONLINE and flat[tensor.index] != ONLINE:
                what = f"TFLM takes entry {tensor.index} of the plan for this variable's, and gives it no memory"
                yield Finding(what, model.where(graph.index, tensor=tensor.index), f"leave entry {tensor.index} at -1")


def _collisions(requests: Requests, plan: OfflinePlan) -> list[Finding]:
    """Tensors that are alive together at the same bytes; variables are alive all the time."""
    problem = to_problem(requests)
    buffers, offsets = [], []
    for row, buffer in zip(requests.rows, problem.buffers, strict=True):
        offset = _offset(plan, row)
        offsets.append(max(offset, 0))
        buffers.append(Buffer(0 if offset == ONLINE else buffer.size, buffer.first, buffer.last, 1, None, row.name))
    shares = {pair: spans for pair, spans in problem.shares.items() if all(buffers[index].size for index in pair)}
    owned = npu_pairs(requests.model, requests.timeline, list(requests.rows))
    shares |= {(min(pair), max(pair)): () for pair in owned}
    reduced = Problem(tuple(buffers), 1, shares)
    peak = max((offset + b.size for offset, b in zip(offsets, buffers, strict=True)), default=0)
    faults = judge(reduced, Plan(tuple(offsets), peak, 0, "offline"))
    return [replace(fault, where=fault.where or requests.model.file) for fault in faults]


def judge_rows(model: Model, layout: Layout, file: str) -> tuple[Finding, ...]:
    """Rows of a layout that are too small or too short-lived for the model's tensors, or not aligned for them."""
    timeline = lay_timeline(model)
    faults = []
    for row in layout.buffers:
        if row.tensor is None:
            assert row.operator is not None
            what, needed, width = "operator", row.bytes, SCRATCH_ALIGNMENT
            life: Life | Span = timeline.spans[row.subgraph][row.operator]
        else:
            tensor = model.subgraphs[row.subgraph].tensors[row.tensor]
            what, needed, width = "tensor", tensor.bytes, element_alignment(tensor.dtype.bytes or 1)
            life = timeline.lives[row.subgraph][row.tensor]
        found = []
        if row.bytes != needed:
            found.append(f"row {row.index} says that it is for {row.bytes} bytes, the {what} has {needed}")
        if row.size < needed:
            found.append(f"row {row.index} has {row.size} bytes, the {what} needs {needed}")
        if row.first > life.first or row.last < life.last:
            scopes = f"{life.first}..{life.last}"
            found.append(f"row {row.index} lives in scopes {row.first}..{row.last}, the {what} in {scopes}")
        if row.offset % width:
            found.append(f"row {row.index} lies at {row.offset}, which is no multiple of {width}")
        where = place(file, model.where(row.subgraph, row.operator, row.tensor))
        faults += [Finding(fault, where) for fault in found]
    return tuple(faults)


def judge_scratch(model: Model, layout: Layout, kernels: str, target: str, file: str) -> tuple[Finding, ...]:
    """Scratch buffers of a layout that are not those of the kernels that it was made for, in number or in size."""
    options = PlanOptions(kernels=kernels, target=target)
    requests = collect(model, lay_timeline(model), library(kernels, target), options)
    ours = [(row.subgraph, row.operator, row.bytes) for row in requests.rows if row.tensor is None]
    theirs = [(row.subgraph, row.operator, row.bytes, row.size) for row in layout.buffers if row.tensor is None]
    if len(ours) != len(theirs):
        what = f"the layout has {len(theirs)} scratch buffers, kernels {kernels} ask for {len(ours)}"
        return (Finding(what, file, "plan again with --json"),)
    return tuple(
        Finding(f"{count} bytes of scratch, kernels {kernels} ask for {needed}", model.where(subgraph, operator))
        for (subgraph, operator, needed), (*place, count, size) in zip(ours, theirs, strict=True)
        if place != [subgraph, operator] or count != needed or size < needed
    )


def judge_shares(model: Model, layout: Layout, kernels: KernelLibrary, file: str) -> tuple[Finding, ...]:
    """Bytes that a layout shares although the kernels that it was made for do not permit it there."""
    rows = layout.buffers
    used = [
        (rows[share.index], row)
        for row in rows
        for share in row.shares
        if row.offset < rows[share.index].end and rows[share.index].offset < row.end
    ]
    if not used:
        return ()
    permitted = {pair for overlap in (False, True) for pair in _permitted(model, layout, kernels, overlap)}
    return tuple(
        Finding(
            f"row {output.index} lies on row {source.index}, which {kernels.version} does not permit",
            place(file, model.where(output.subgraph, tensor=output.tensor)),
            "plan again with --json",
        )
        for source, output in used
        if (source.index, output.index) not in permitted
    )


def _permitted(model: Model, layout: Layout, kernels: KernelLibrary, overlap: bool) -> Iterator[tuple[int, int]]:
    """Input and output, as rows of the layout, of every pair that lies as the model's kernels permit it."""
    wishes = {name: layout.options[name] for name in ("align", "keep", "segment") if name in layout.options}
    options = plan_options(**wishes, overlap=overlap)
    requests = collect(model, lay_timeline(model), kernels, options)
    places = {(row.subgraph, row.tensor): row for row in layout.buffers}
    for pair in npu_pairs(model, requests.timeline, list(requests.rows)):
        source, output = (places[row.subgraph, row.tensor] for row in (requests.rows[index] for index in pair))
        yield source.index, output.index
    for share in requests.shares:
        source, output = (
            places[row.subgraph, row.tensor] for row in (requests.rows[share.input], requests.rows[share.output])
        )
        above = source.offset - output.offset
        if above == 0 if share.rule == IN_PLACE else above >= share.distance:
            yield source.index, output.index
