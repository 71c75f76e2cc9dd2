"""The tables of a page: headings, and rows of cells as text.

F5. Every number is the layout's. Numbers stand alone in their cells, so that a page can sort them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from arena_codegen.emit.picture import ROLES
from arena_codegen.emit.steps import steps
from arena_codegen.emit.story import Story, called
from arena_codegen.emit.words import share_text
from arena_codegen.layout.advice import Advice, ranked
from arena_codegen.layout.types import Amount, BufferRow, Layout, ShareRow, TensorRow
from arena_codegen.layout.words import kernel_tables, numbered
from arena_codegen.names import shorten
from arena_codegen.text import printable

NUMBER, TEXT, NAME, WORDS, BAR = "number", "text", "name", "words", "bar"
"""Kinds of columns: what stays on one line, names that break anywhere, and prose."""


NAME_LENGTH = 40


@dataclass(frozen=True, slots=True)
class Row:
    """Cells as text, in the order of the columns; `role` colours its sign, `key` tells rows to the page's script.

    `titles` are the whole texts of cells that show them in short, "" for the others; none at all where none does.
    """

    cells: tuple[str, ...]
    key: str = ""
    role: str = ""
    strong: bool = False
    titles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table: columns are (heading, kind); a cell of kind `bar` holds a part of 100.

    Those that are `searchable` sort and filter; `signs` stand before the first cell of each row.
    """

    id: str
    title: str
    caption: str
    columns: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]
    searchable: bool = False
    signs: bool = False
    note: str = ""


def peak_table(story: Story) -> Table:
    """Who is alive at the peak, largest first, and why it cannot be elsewhere."""
    most = max((part.row.size for part in story.parts), default=1)
    rows = (
        Row((called(part.row), str(part.row.size), _part(part.row.size, most), part.kind, part.why),
            _key(part.row), part.row.role)
        for part in story.parts
    )  # fmt: skip
    columns = (("buffer", WORDS), ("bytes", NUMBER), ("", BAR), ("role here", TEXT), ("why it must be here", WORDS))
    return Table(
        "peak",
        "Alive at the peak",
        "Alive at the peak step, rounded up to the alignment",
        columns,
        tuple(rows),
        signs=True,
    )


def strategy_table(layout: Layout) -> Table:
    """What other ways to plan would need."""
    ours = f"this plan ({layout.strategy})"
    peaks = [("lower bound", layout.lower_bound), (ours, layout.peak)]
    peaks += [(name, getattr(layout, name)) for name in ("greedy", "linear", "naive") if name != layout.strategy]
    most = max([size for _, size in peaks] + [1])
    rows = tuple(
        Row((name, str(size), f"{size - layout.peak:+d}".replace("+0", "0"), _part(size, most)), strong=name == ours)
        for name, size in peaks
    )
    columns = (("way to plan", WORDS), ("bytes", NUMBER), ("against this plan", NUMBER), ("", BAR))
    return Table("strategies", "Other ways to plan", "Bytes of head for the same buffers", columns, rows)


def advice_table(layout: Layout, advice: Sequence[Advice]) -> Table:
    """Steps that were tried, those that save without training first."""
    best = ranked(advice)
    most = max([row.saves for row in best] + [1])
    rows = tuple(
        Row((printable(row.title), str(row.saves), _part(max(row.saves, 0), most), str(row.peak), printable(row.how),
             printable(row.why)))
        for row in best
    )  # fmt: skip
    columns = (
        ("step", WORDS), ("saves bytes", NUMBER), ("", BAR), ("head then", NUMBER), ("how", WORDS), ("why", WORDS),
    )  # fmt: skip
    return Table(
        "advice", "What would help", f"Each step was planned; now the head has {layout.peak} bytes", columns, rows
    )


def memory_tables(layout: Layout) -> list[Table]:
    """Static memory, dynamic memory, and TFLM's tail where it is known."""
    columns = (("what", WORDS), ("bytes", NUMBER), ("count", NUMBER))
    tables = [
        Table("flash", "Static memory", "Static: in flash", columns, _flash(layout), note=_elsewhere(layout)),
        Table("ram", "Dynamic memory", "Dynamic: in RAM", columns, _dynamic(layout)),
        Table(
            "roles", "Roles", "Planned bytes by role: raw sums, though they share the arena", columns, _roles(layout)
        ),
    ]
    if layout.tail is not None:
        items = [Row((printable(item.what), str(item.bytes), str(item.count))) for item in layout.tail.items]
        items.append(Row(("TFLM's tail", str(layout.tail.bytes), ""), strong=True))
        note = f"For {printable(layout.tail.tflm)}, {printable(layout.tail.abi)}."
        tables.append(Table("tail", "Tail", "TFLM's tail, its persistent memory", columns, tuple(items), note=note))
    return tables


def _flash(layout: Layout) -> tuple[Row, ...]:
    """The model's file by kind, as far as the layout tells one from the other."""
    kinds = [("weights and other constants", layout.constants)]
    if layout.weights is not None:
        count = layout.constants.count - layout.weights.count
        others = Amount(layout.constants.bytes - layout.weights.bytes, count)
        kinds = [("weights: what layers learned", layout.weights), ("other constants", others)]
    rest = "the rest of the file: graph, names, metadata"
    if layout.metadata is not None:
        kinds.append(("metadata", layout.metadata))
        rest = "the rest of the file: graph, names"
    rows = [Row((what, str(amount.bytes), str(amount.count))) for what, amount in kinds]
    left = layout.model.bytes - sum(amount.bytes for _, amount in kinds)
    return (*rows, Row((rest, str(left), "")), Row(("the model's file", str(layout.model.bytes), ""), strong=True))


def _elsewhere(layout: Layout) -> str:
    """Where the tables are that kernels make of constants, so that nobody looks for them in flash."""
    sizes = sum(item.bytes for item in kernel_tables(layout))
    return f"Kernels keep {sizes} bytes of multipliers and shifts for each channel in TFLM's tail." if sizes else ""


def _dynamic(layout: Layout) -> tuple[Row, ...]:
    rows = [Row(("planned: tensors and scratch (head)", str(layout.peak), str(len(layout.buffers))))]
    spare = layout.arena_bytes - layout.peak
    if layout.tail is not None and layout.arena_bytes >= layout.tail.min_arena:
        rows.append(Row(("TFLM's tail", str(layout.tail.bytes), "")))
        spare -= layout.tail.bytes
    if spare:
        rows.append(Row(("for booting, and to spare", str(spare), "")))
    rows.append(Row(("the emitted buffer", str(layout.arena_bytes), ""), strong=True))
    if layout.variables.count:
        where = "of it in the tail: " if layout.tail is not None else "outside of it: "
        rows.append(Row((f"{where}variables", str(layout.variables.bytes), str(layout.variables.count))))
    return tuple(rows)


def _roles(layout: Layout) -> tuple[Row, ...]:
    rows = []
    for role in ROLES:
        sizes = [row.bytes for row in layout.buffers if row.role == role]
        if sizes:
            rows.append(Row((role, str(sum(sizes)), str(len(sizes))), role=role))
    return tuple(rows)


def buffer_table(layout: Layout) -> Table:
    """The planning table, in TFLM's request order."""
    names = _operators(layout)
    tensors = {row.buffer: row for row in layout.tensors if row.buffer is not None}
    columns = (
        ("no", NUMBER), ("tensor", TEXT), ("name", NAME), ("role", TEXT), ("type", TEXT), ("shape", TEXT),
        ("bytes", NUMBER), ("padding", NUMBER), ("offset", NUMBER), ("first step", NUMBER), ("last step", NUMBER),
        ("written by", WORDS), ("read by", WORDS), ("shares bytes", WORDS),
    )  # fmt: skip
    rows = (
        Row(
            (
                str(row.index), _number(row), _name(row), row.role, row.dtype or "", _shape(row),
                str(row.bytes), str(row.size - row.bytes), str(row.offset), str(row.first), str(row.last),
                *_ends(row, tensors.get(row.index), names), _shares(layout, row),
            ),
            _key(row),
            row.role,
            titles=("", "", _whole(row), *[""] * 10, _why_shared(layout, row)),
        )
        for row in layout.buffers
    )  # fmt: skip
    return Table("buffers", "Buffers", "Every buffer of the arena", columns, tuple(rows), searchable=True, signs=True)


def step_table(layout: Layout) -> Table:
    """Step by step: bytes alive, and who with how many reads still to come."""
    timeline = steps(layout)
    most = max([step.alive for step in timeline] + [1])
    alive = _alive(layout)
    columns = (
        ("step", NUMBER), ("op", TEXT), ("operator", WORDS), ("bytes alive", NUMBER), ("bytes in use", NUMBER),
        ("", BAR), ("alive, by number: reads still to come", WORDS),
    )  # fmt: skip
    rows = tuple(
        Row((str(step.scope), step.number, step.name, str(step.alive), str(step.used), _part(step.alive, most),
             alive.get(step.scope, "")), str(step.scope), strong=step.scope == layout.peak_scope)
        for step in timeline
    )  # fmt: skip
    return Table("steps", "Steps", "Every step of an invocation", columns, rows, searchable=True)


def _alive(layout: Layout) -> dict[int, str]:
    found: dict[int, list[str]] = {}
    for row in layout.buffers:
        for scope in range(row.first, row.last + 1):
            reads = f":{row.references(scope)}" if row.tensor is not None else ""
            found.setdefault(scope, []).append(f"{row.index}{reads}")
    return {scope: " ".join(words) for scope, words in found.items()}


def other_table(layout: Layout) -> Table:
    """Tensors without a place in the arena."""
    columns = (("tensor", TEXT), ("name", NAME), ("role", TEXT), ("type", TEXT), ("shape", TEXT), ("bytes", NUMBER),
               ("read by", WORDS))  # fmt: skip
    names = _operators(layout)
    rows = (
        Row((_number(row), _name(row), row.role, row.dtype, _shape(row), str(row.bytes),
             _listed(row.subgraph, row.readers, names)), role=row.role, titles=("", _whole(row), "", "", "", "", ""))
        for row in layout.tensors
        if row.buffer is None
    )  # fmt: skip
    return Table("others", "Other tensors", "Tensors outside of the arena", columns, tuple(rows), searchable=True)


def _operators(layout: Layout) -> dict[tuple[int, int], str]:
    return {
        (row.subgraph, row.index): f"op {numbered(row.subgraph, row.index)} {printable(row.name)}"
        for row in layout.operators
    }


def _ends(row: BufferRow, tensor: TensorRow | None, names: Mapping[tuple[int, int], str]) -> tuple[str, str]:
    if tensor is None:
        name = _listed(row.subgraph, () if row.operator is None else (row.operator,), names)
        return name, name
    producer = () if tensor.producer is None else (tensor.producer,)
    return _listed(row.subgraph, producer, names), _listed(row.subgraph, tensor.readers, names)


def _listed(subgraph: int, operators: Iterable[int], names: Mapping[tuple[int, int], str]) -> str:
    return ", ".join(names.get((subgraph, index), numbered(subgraph, index)) for index in operators)


def _shares(layout: Layout, row: BufferRow) -> str:
    """What of the permitted sharing the plan makes use of."""
    return "; ".join(f"with {other.index}, {share.rule}" for other, share in _used_shares(layout, row))


def _why_shared(layout: Layout, row: BufferRow) -> str:
    return "; ".join(share_text(row, other, share) for other, share in _used_shares(layout, row))


def _used_shares(layout: Layout, row: BufferRow) -> list[tuple[BufferRow, ShareRow]]:
    others = ((layout.buffers[share.index], share) for share in row.shares)
    return [(other, share) for other, share in others if other.offset < row.end and row.offset < other.end]


def _key(row: BufferRow) -> str:
    return str(row.index)


def _number(row: BufferRow | TensorRow) -> str:
    return numbered(row.subgraph, row.tensor) if row.tensor is not None else ""


def _name(row: BufferRow | TensorRow) -> str:
    """The first of the names that a converter joined with semicolons; long ones lose their middle."""
    return shorten(printable(row.name.partition(";")[0]), NAME_LENGTH)


def _whole(row: BufferRow | TensorRow) -> str:
    """The whole name where the short one is another."""
    return printable(row.name) if _name(row) != printable(row.name) else ""


def _shape(row: BufferRow | TensorRow) -> str:
    if row.tensor is None:
        return ""
    return "×".join(map(str, row.shape)) or "scalar"


def _part(size: int, most: int) -> str:
    """A part of 100, for a bar."""
    return f"{100 * size / most:.2f}"
