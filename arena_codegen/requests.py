"""Who asks for memory, in TFLM's order: the one place where tensors and lifetimes meet.

F3. Model + Timeline + kernels + the user's wishes → Requests → Problem. The order is that of TFLM's planner: tensors that
need memory by subgraph and index, then scratch buffers by subgraph, operator and order of request
(micro_allocation_info.cc, AllocationInfoBuilder).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from arena_codegen.errors import Finding, UsageError
from arena_codegen.kernels.base import KernelLibrary
from arena_codegen.model.find import find_tensor
from arena_codegen.model.types import Model, Tensor
from arena_codegen.options import PlanOptions
from arena_codegen.planning.problem import Buffer, Problem, align_up
from arena_codegen.timeline import UNUSED, Timeline

SCRATCH_ALIGNMENT = 4
"""Kernels keep 32-bit sums in their scratch buffers."""

MAX_ARENA = 2**31 - 1
"""TFLM counts offsets in 32-bit signed integers."""


@dataclass(frozen=True, slots=True)
class Request:
    """One ask for memory.

    `tensor` is None for scratch, `operator` None for tensors; both are indices of `subgraph`. `bytes` is raw. `first` and
    `last` are the planned lifetime: TFLM's scopes, longer where the user keeps the tensor. `offset` is a pin.
    """

    kind: str
    subgraph: int
    tensor: int | None
    operator: int | None
    name: str
    dtype: str | None
    shape: tuple[int, ...]
    role: str
    bytes: int
    alignment: int
    first: int
    last: int
    offset: int | None = None

    @property
    def size(self) -> int:
        """Bytes rounded up to the alignment."""
        return align_up(self.bytes, self.alignment)


@dataclass(frozen=True, slots=True)
class Requests:
    """All requests of a model, with what could not be known.

    `unknown_scratch` names operators whose scratch nobody knows. `warnings` are worth a line to the user.
    """

    model: Model
    timeline: Timeline
    kernels: KernelLibrary
    options: PlanOptions
    rows: tuple[Request, ...]
    unknown_scratch: tuple[str, ...]
    warnings: tuple[Finding, ...]


def collect(model: Model, timeline: Timeline, kernels: KernelLibrary, options: PlanOptions) -> Requests:
    """Every request of the model, with the user's wishes applied.

    Raises UsageError where a wish names no tensor of the arena, or pins collide.
    """
    tensors = [
        _tensor_request(tensor, timeline, options)
        for graph in model.subgraphs
        for tensor in graph.tensors
        if needs_memory(tensor, timeline)
    ]
    scratch, unknown = _scratch_requests(model, timeline, kernels, options)
    rows = _wishes(model, timeline, options, tensors) + scratch
    _check_pins(model, rows)
    called = _called(model, timeline)
    warnings = model.warnings + _orphans(model, timeline, called) + _unreachable(model, called, scratch)
    warnings += _int4(model, tensors)
    return Requests(model, timeline, kernels, options, tuple(rows), unknown, warnings)


def to_problem(requests: Requests) -> Problem:
    """The planner's view of the requests, buffer by buffer in the same order."""
    buffers = tuple(
        Buffer(row.size, row.first, row.last, row.alignment, row.offset, row.name) for row in requests.rows
    )
    alignment = max((row.alignment for row in requests.rows), default=1)
    return Problem(buffers, max(alignment, requests.options.align))


def needs_memory(tensor: Tensor, timeline: Timeline) -> bool:
    """True where TFLM's planner gets a request for the tensor (micro_allocation_info.cc, `needs_allocating`)."""
    role = timeline.lives[tensor.subgraph][tensor.index].role
    return role not in ("constant", "variable") and tensor.bytes > 0


def _tensor_request(tensor: Tensor, timeline: Timeline, options: PlanOptions) -> Request:
    life = timeline.lives[tensor.subgraph][tensor.index]
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
        alignment=max(options.align, _element_alignment(tensor.dtype.bytes or 1)),
        first=life.first,
        last=life.last,
    )


def _element_alignment(size: int) -> int:
    """The largest alignment that a Cortex-M asks of an element: its size, at most 8."""
    return min(size, 8)


def _scratch_requests(
    model: Model, timeline: Timeline, kernels: KernelLibrary, options: PlanOptions
) -> tuple[list[Request], tuple[str, ...]]:
    rows: list[Request] = []
    unknown: dict[str, None] = {}
    for graph in model.subgraphs:
        for operator in graph.operators:
            sizes = kernels.scratch(graph, operator)
            if sizes is None:
                unknown[operator.name] = None
                continue
            span = timeline.spans[graph.index][operator.index]
            rows.extend(
                Request(
                    kind="scratch",
                    subgraph=graph.index,
                    tensor=None,
                    operator=operator.index,
                    name=f"scratch {number} of {operator.label}",
                    dtype=None,
                    shape=(),
                    role="scratch",
                    bytes=size,
                    alignment=max(options.align, SCRATCH_ALIGNMENT),
                    first=span.first,
                    last=span.last,
                )
                for number, size in enumerate(sizes)
            )
    return rows, tuple(unknown)


def _wishes(model: Model, timeline: Timeline, options: PlanOptions, rows: list[Request]) -> list[Request]:
    """The tensor requests with keep, segment and pin applied; all wishes that cannot be met are reported together."""
    position = {(row.subgraph, row.tensor): index for index, row in enumerate(rows)}
    rows = list(rows)
    faults: list[Finding] = []

    def find(option: str, text: str) -> int | None:
        try:
            subgraph, tensor = find_tensor(model, text)
        except UsageError as error:
            faults.extend(replace(finding, where=finding.where or option) for finding in error.findings)
            return None
        if (subgraph, tensor) not in position:
            role = timeline.lives[subgraph][tensor].role
            why = f"a {role} takes no place there" if role in ("constant", "variable") else "it has no bytes"
            faults.append(Finding(f"{option} {text}: not in the arena: {why}", model.where(subgraph, tensor=tensor)))
            return None
        return position[subgraph, tensor]

    for text in options.keep:
        if (index := find("--keep", text)) is not None:
            rows[index] = replace(rows[index], last=timeline.end)
    if options.segment == "io":
        main = model.subgraphs[0]
        for tensor in dict.fromkeys(main.inputs + main.outputs):
            if (index := position.get((0, tensor))) is not None:
                rows[index] = replace(rows[index], first=UNUSED, last=timeline.end)
    for text, offset in options.pins:
        if (index := find("--pin", text)) is not None:
            row = rows[index]
            if offset < 0 or offset % row.alignment or offset + row.size > MAX_ARENA:
                hint = f"offsets are multiples of {row.alignment}, from 0 on, below 2 GiB"
                faults.append(Finding(f"--pin {text}@{offset}: not a possible offset", _place(model, row), hint))
            elif row.offset not in (None, offset):
                faults.append(Finding(f"--pin {text}@{offset}: already pinned at {row.offset}", _place(model, row)))
            else:
                rows[index] = replace(row, offset=offset)
    if faults:
        raise UsageError(faults)
    return rows


def _check_pins(model: Model, rows: list[Request]) -> None:
    pinned = [row for row in rows if row.offset is not None and row.size]
    faults = [
        Finding(
            f"--pin puts two buffers that are alive together at the same bytes: {_span(one)} and {_span(other)}",
            _place(model, other),
            f"scopes {one.first}..{one.last} and {other.first}..{other.last} meet; move one of the two",
        )
        for position, one in enumerate(pinned)
        for other in pinned[position + 1 :]
        if one.first <= other.last and other.first <= one.last and _touch(one, other)
    ]
    if faults:
        raise UsageError(faults)


def _touch(one: Request, other: Request) -> bool:
    assert one.offset is not None and other.offset is not None
    return one.offset < other.offset + other.size and other.offset < one.offset + one.size


def _span(row: Request) -> str:
    assert row.offset is not None
    return f"{row.name or f'tensor {row.tensor}'} [{row.offset}, {row.offset + row.size})"


def _place(model: Model, row: Request) -> str:
    return model.where(row.subgraph, row.operator, row.tensor)


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
            + (", and its scratch with a lifetime that it never set: AllocateTensors() may crash" * (graph.index in asking)),
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
            _place(model, row),
        )
        for row in rows
        if row.dtype == "INT4"
    )
