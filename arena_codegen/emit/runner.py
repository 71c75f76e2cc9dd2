"""Model + Layout → the second generated file, which drives the firmware stub's pattern check.

F5. Pure. The header gives offsets, sizes and lifetimes; this file says what the model does, taken from the model and
never from the plan, so that a plan that is wrong about a lifetime or a size is seen. `firmware_stub/src/run.h` is the
format.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from arena_codegen.emit.environment import render
from arena_codegen.layout.types import BufferRow, Layout
from arena_codegen.model.find import find_tensor
from arena_codegen.model.types import Model, Operator, Subgraph
from arena_codegen.names import c_comment
from arena_codegen.planning.problem import align_up
from arena_codegen.requests import SCRATCH_ALIGNMENT
from arena_codegen.timeline import Timeline, lay_timeline

NAME_LIMIT = 80
"""Characters of a name on the board; both its ends are kept."""

PER_LINE = 16

NOT_IN_ARENA = -1

KINDS = {"IF": "RUN_IF", "WHILE": "RUN_WHILE", "CALL_ONCE": "RUN_CALL_ONCE"}


@dataclass(slots=True)
class _Lists:
    """All lists of the file, one after another; a list is named by where it begins and how long it is."""

    values: list[int] = field(default_factory=list)

    def add(self, values: Iterable[int]) -> str:
        at = len(self.values)
        self.values.extend(values)
        return f"{{{at}, {len(self.values) - at}}}"


@dataclass(frozen=True, slots=True)
class _PlanText:
    """A plan as C; `table` is empty for the header's own."""

    number: int
    table: list[str]
    peak: str
    alignment: str
    kernels: str
    order: list[str]
    shares: list[str]
    row: str


def render_runner(model: Model, layouts: Sequence[Layout], *, header: str, prefix: str) -> str:
    """The text of the file. `header` is the file name of the first layout's header, `prefix` its C prefix.

    Further layouts are plans of the same requests with other offsets or lifetimes: the board judges all of them in one
    start, in the arena of the first, which must hold the largest.
    """
    first = layouts[0]
    timeline = lay_timeline(model)
    lists = _Lists()
    operators, graphs = _operators(model, first, lists), _graphs(model, first, lists)
    return render(
        "c/runner.c.j2",
        tool=c_comment(first.tool),
        model=c_comment(first.model.file),
        model_text=c_string(first.model.file),
        macro=prefix.upper(),
        symbol=prefix,
        header=header,
        buffers=_buffers(model, timeline, first) or ['{"", 0U, 0U, 1U, 0U}'],
        lists=_folded(lists.values or [NOT_IN_ARENA]),
        operators=operators or ['{"", RUN_PLAIN, {0, 0}, {0, 0}, {0, 0}, {0, 0}}'],
        graphs=graphs,
        steps=_folded(_steps(model, timeline)),
        plans=[_plan(number, layout, prefix) for number, layout in enumerate(layouts)],
        buffer_count=f"{len(first.buffers)}U",
        buffer_room=f"{max(len(first.buffers), 1)}U",
        operator_count=f"{model.operators}U",
        operator_room=f"{max(model.operators, 1)}U",
        graph_count=f"{len(model.subgraphs)}U",
        step_count=f"{len(timeline.steps)}U",
        plan_count=f"{len(layouts)}U",
    )


def c_string(text: str) -> str:
    """A C string literal that prints as one harmless piece of a TAP line: ASCII, no control character, no directive."""
    shown = c_comment(text, NAME_LIMIT).replace("#", r"\x23")
    return '"' + shown.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _buffers(model: Model, timeline: Timeline, layout: Layout) -> list[str]:
    flags = _flags(model, timeline, layout)
    rows = []
    for row in layout.buffers:
        needed, alignment = _needed(model, row), _alignment(model, layout, row)
        size = align_up(needed, alignment)
        rows.append(f"{{{c_string(row.label)}, {needed}U, {size}U, {alignment}U, {flags[row.index]}}}")
    return rows


def _needed(model: Model, row: BufferRow) -> int:
    """Raw bytes: the model's word for a tensor, the kernel library's for scratch."""
    return row.bytes if row.tensor is None else model.subgraphs[row.subgraph].tensors[row.tensor].bytes


def _alignment(model: Model, layout: Layout, row: BufferRow) -> int:
    """`--align`, or more where an element, or the sums in a scratch buffer, ask for it."""
    if row.tensor is None:
        element = SCRATCH_ALIGNMENT
    else:
        element = min(model.subgraphs[row.subgraph].tensors[row.tensor].dtype.bytes or 1, 8)
    return max(int(layout.options["align"]), element)


def _flags(model: Model, timeline: Timeline, layout: Layout) -> list[str]:
    """RUN_... of every buffer: outputs and kept tensors last to the end; what nobody uses is there from the start.

    State in the arena does both: it comes from the invocation before, and goes to the next one.
    """
    main = model.subgraphs[0]
    kept = {find_tensor(model, text) for text in layout.options.get("keep", ())}
    apart = {(0, t) for t in main.inputs + main.outputs} if layout.options.get("segment") == "io" else set()
    state = {(graph.index, t.index) for graph in model.subgraphs for t in graph.tensors if t.is_variable}
    lasting = {(0, t) for t in main.outputs} | kept | apart | state
    texts = []
    for row in layout.buffers:
        tensor = (row.subgraph, row.tensor)
        if row.operator is not None:
            is_used = timeline.spans[row.subgraph][row.operator].first >= 0
        else:
            is_used = row.tensor is not None and timeline.lives[row.subgraph][row.tensor].is_used
        flags = ["RUN_FROM_START"] if tensor in apart | state or not is_used else []
        flags += ["RUN_TO_END"] if tensor in lasting else []
        texts.append(" | ".join(flags) or "0U")
    return texts


def _operators(model: Model, layout: Layout, lists: _Lists) -> list[str]:
    places = _places(layout)
    scratch: dict[tuple[int, int], list[int]] = {}
    for row in layout.buffers:
        if row.operator is not None:
            scratch.setdefault((row.subgraph, row.operator), []).append(row.index)
    return [
        f"{{{c_string(_label(operator))}, {KINDS.get(operator.name, 'RUN_PLAIN')}, "
        f"{lists.add(_in_arena(places, graph, operator.inputs))}, "
        f"{lists.add(_in_arena(places, graph, operator.outputs))}, "
        f"{lists.add(scratch.get((graph.index, operator.index), ()))}, {lists.add(operator.callees)}}}"
        for graph in model.subgraphs
        for operator in graph.operators
    ]


def _label(operator: Operator) -> str:
    return f"subgraph {operator.subgraph} {operator.label}" if operator.subgraph else operator.label


def _graphs(model: Model, layout: Layout, lists: _Lists) -> list[str]:
    places, rows, at = _places(layout), [], 0
    for graph in model.subgraphs:
        inputs, outputs = (lists.add(_in_arena(places, graph, tensors)) for tensors in (graph.inputs, graph.outputs))
        rows.append(f"{{{{{at}, {len(graph.operators)}}}, {inputs}, {outputs}}}")
        at += len(graph.operators)
    return rows


def _places(layout: Layout) -> dict[tuple[int, int], int]:
    return {(row.subgraph, row.tensor): row.index for row in layout.buffers if row.tensor is not None}


def _in_arena(places: dict[tuple[int, int], int], graph: Subgraph, tensors: Iterable[int]) -> list[int]:
    return [places.get((graph.index, tensor), NOT_IN_ARENA) for tensor in tensors]


def _steps(model: Model, timeline: Timeline) -> list[int]:
    starts, total = [], 0
    for graph in model.subgraphs:
        starts.append(total)
        total += len(graph.operators)
    return [NOT_IN_ARENA if step is None else starts[step[0]] + step[1] for step in timeline.steps]


def _plan(number: int, layout: Layout, prefix: str) -> _PlanText:
    rows = layout.buffers
    shares = sorted((share.index, row.index, share) for row in rows for share in row.shares)
    plan = f"&plan_{number}" if number else f"&{prefix}_plan"
    taken = f"shares_{number}, {len(shares)}U" if shares else "NULL, 0U"
    return _PlanText(
        number=number,
        table=[f"{{{row.offset}U, {row.bytes}U, {row.first}, {row.last}}}" for row in rows] if number else [],
        peak=f"{layout.peak}U",
        alignment=f"{layout.alignment}U",
        kernels=layout.profile,
        order=_folded(sorted(range(len(rows)), key=lambda index: (rows[index].first, index)) or [0]),
        shares=[
            f"{{{source}U, {output}U, {int(share.rule == 'in-place')}U, {share.distance}}}"
            for source, output, share in shares
        ],
        row=f"{{{plan}, order_{number}, {taken}}}",
    )


def _folded(values: Sequence[int]) -> list[str]:
    return [", ".join(map(str, values[at : at + PER_LINE])) for at in range(0, len(values), PER_LINE)]
