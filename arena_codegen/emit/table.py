"""A layout as text: what `inspect` shows.

F5. Sections of plain lines in ASCII (but for the model's own names); every number is the layout's. Operators are called
by their number, `4`, or `1:4` in subgraph 1; buffers by their number in TFLM's request order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from textwrap import wrap

from arena_codegen.emit.memory_map import draw_map, sign
from arena_codegen.emit.story import tell
from arena_codegen.layout.types import BufferRow, Layout, TensorRow
from arena_codegen.layout.words import deciding_pin, kernel_tables, numbered, peak_step
from arena_codegen.text import clipped, counted, grid, printable

ROLES = ("input", "intermediate", "output", "scratch")
CALLERS = ("IF", "WHILE", "CALL_ONCE")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its lines."""

    title: str
    lines: tuple[str, ...]


def sections(layout: Layout, width: int) -> tuple[Section, ...]:
    """Everything that `inspect` says about a layout, in lines of at most `width` characters where names allow it."""
    parts = (
        Section(_title(layout), tuple(_summary(layout, width))),
        Section("MEMORY", tuple(_memory(layout, width))),
        Section("TAIL OF TFLM, its persistent memory behind the planned bytes", tuple(_tail(layout, width))),
        Section("ARENA, by buffer: life in operators, bytes and what alignment adds", tuple(_arena(layout, width))),
        Section("NOT IN THE ARENA", tuple(_elsewhere(layout, width))),
        Section(
            "STEP BY STEP: bytes alive; buffer:reads still to come when the step begins", tuple(_steps(layout, width))
        ),
        Section(f"PEAK: {_decider(layout)}", tuple(_peak(layout, width))),
        Section("MEMORY MAP: a row for each step, addresses across", tuple(_map(layout, width))),
    )
    return tuple(part for part in parts if part.lines)


def _title(layout: Layout) -> str:
    return printable(layout.model.file)


def _summary(layout: Layout, width: int) -> list[str]:
    model = layout.model
    counts = (
        counted(model.subgraphs, "subgraph"),
        counted(model.operators, "operator"),
        counted(len(layout.tensors), "tensor"),
        counted(len(layout.buffers), "buffer"),
    )
    options = " ".join(f"{name}={printable(str(value))}" for name, value in layout.options.items())
    facts = (f"{counted(model.bytes, 'byte')}, {', '.join(counts)}", f"sha256 {model.sha256}", options)
    return [line for fact in facts for line in _prose(fact, width)]


def _prose(text: str, width: int) -> list[str]:
    """A sentence on as many lines as it takes; those after the first are indented."""
    return wrap(text, max(width, 40), subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)


def _memory(layout: Layout, width: int) -> list[str]:
    """Static and dynamic memory by kind, then what became of it."""
    rows: list[tuple[str, str, object, object]] = [
        *_constants(layout),
        *_rest_of_the_file(layout),
        ("dynamic", "variables", layout.variables.bytes, layout.variables.count),
    ]
    for role in ROLES:
        sizes = [row.bytes for row in layout.buffers if row.role == role]
        rows.append(("", role, sum(sizes), len(sizes)))
    if layout.tail is not None:
        rows.append(("", "tail of TFLM", layout.tail.bytes, ""))
        rows += [("", f"  of it {item.what}", item.bytes, item.count) for item in kernel_tables(layout)]
    rows.append(("arena", f"head, planned by {layout.strategy}", layout.peak, _proof(layout)))
    rows.append(("", "lower bound", layout.lower_bound, ""))
    rows += [("", f"head by {name}", getattr(layout, name), "") for name in ("greedy", "linear", "naive")]
    rows.append(("", "emitted buffer", layout.arena_bytes, ""))
    lines = [f"{kind:<9}{what:<26}{size:>12}  {count}".rstrip() for kind, what, size, count in rows]
    notes = [f"scratch of {printable(name)} is not known, and not planned" for name in layout.unknown_scratch]
    notes = [line for note in notes for line in _prose(note, width)]
    return [f"{'':9}{'':26}{'bytes':>12}  count", *lines, *notes]


def _constants(layout: Layout) -> list[tuple[str, str, object, object]]:
    """Weights and other constants, together where the layout does not tell one from the other."""
    if layout.weights is None:
        return [("static", "weights, other constants", layout.constants.bytes, layout.constants.count)]
    bytes_, count = layout.constants.bytes - layout.weights.bytes, layout.constants.count - layout.weights.count
    return [("static", "weights", layout.weights.bytes, layout.weights.count), ("", "other constants", bytes_, count)]


def _rest_of_the_file(layout: Layout) -> list[tuple[str, str, object, object]]:
    """What else takes flash; constants that overlap in the file have no rest to speak of."""
    known = layout.metadata
    rest = layout.model.bytes - layout.constants.bytes - (known.bytes if known is not None else 0)
    what = "graph, names" if known is not None else "graph, names, metadata"
    rows: list[tuple[str, str, object, object]] = [("", "metadata", known.bytes, known.count)] if known else []
    rows += [("", what, rest, "")] if rest >= 0 else []
    return [*rows, ("", "flash for the model", layout.model.bytes, "")]


def _tail(layout: Layout, width: int) -> list[str]:
    if layout.tail is None:
        return []
    tail = layout.tail
    rows = [(printable(item.what), item.count, item.bytes) for item in tail.items]
    table = grid(("what", "count", "bytes"), [*rows, ("all", "", tail.bytes)], ("what",), "what", 60)
    boots, shipped = f"the smallest arena that boots: {tail.min_arena} bytes", ""
    if tail.greedy is not None:
        shipped = f"; {tail.greedy.min_arena} for TFLM as shipped, which then reports {tail.greedy.arena_used} used"
    valid = f"for {printable(tail.tflm)}, {printable(tail.abi)}"
    return [*table, *_prose(boots + shipped, width), *_prose(valid, width)]


def _proof(layout: Layout) -> str:
    if layout.optimal:
        return "optimal, by search" if layout.refuted else "optimal"
    gap = layout.peak - layout.lower_bound
    return f"{counted(gap, 'byte')} ({gap / layout.lower_bound:.1%}) above the bound" if layout.lower_bound else ""


def _arena(layout: Layout, width: int) -> list[str]:
    head = ("no", "", "tensor", "name", "dtype", "shape", "role", "bytes", "pad", "first", "last", "readers", "offset")
    readers = {row.buffer: row.readers for row in layout.tensors if row.buffer is not None}
    rows = [
        (
            row.index, sign(row), numbered(row.subgraph, row.tensor), _name(row), row.dtype or "", _shape(row),
            row.role, row.bytes, row.size - row.bytes, _when(layout, row.first), _when(layout, row.last),
            _list(row.subgraph, readers.get(row.index, ())), row.offset,
        )
        for row in layout.buffers
    ]  # fmt: skip
    table = grid(head, rows, ("", "name", "dtype", "shape", "role", "readers"), "name", width) if rows else []
    return [*table, *_shares(layout, width)]


def _shares(layout: Layout, width: int) -> list[str]:
    """Who lies on whose bytes, where that is permitted and the plan makes use of it; those of one reason together."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in layout.buffers:
        for share in row.shares:
            other = layout.buffers[share.index]
            if other.offset < row.end and row.offset < other.end:
                found.setdefault((share.rule, share.why), []).append(f"{row.index} on {share.index}")
    texts = [f"{rule}: {', '.join(pairs)} ({printable(why)})" for (rule, why), pairs in found.items()]
    return [line for text in texts for line in _prose(text, width)]


def _elsewhere(layout: Layout, width: int) -> list[str]:
    head = ("tensor", "name", "dtype", "shape", "role", "bytes", "readers")
    rows = [
        (
            numbered(row.subgraph, row.tensor), _name(row), row.dtype, _shape(row), row.role, row.bytes,
            _list(row.subgraph, row.readers),
        )
        for row in layout.tensors
        if row.buffer is None
    ]  # fmt: skip
    return grid(head, rows, ("name", "dtype", "shape", "role", "readers"), "name", width) if rows else []


def _steps(layout: Layout, width: int) -> list[str]:
    live = layout.live_bytes()
    by_scope = _references(layout)
    digits = max(len(str(max(live.values(), default=0))), len("alive"))
    margin = max((len(text) for _, text in _labels(layout)), default=0)
    lines = [f"{'step  operator':<{margin}}  {'alive':>{digits}}    references"]
    for scope, text in _labels(layout):
        mark = "<" if scope == layout.peak_scope else " "
        start = f"{text:<{margin}}  {live.get(scope, 0):>{digits}} {mark}  "
        lines += _filled(start, by_scope.get(scope, []), width)
    return lines


def _references(layout: Layout) -> dict[int, list[str]]:
    """What is alive in each scope with its reference count, one walk over the lifetimes."""
    found: dict[int, list[str]] = {}
    for row in layout.buffers:
        for scope in range(row.first, row.last + 1):
            count = f":{row.references(scope)}" if row.tensor is not None else ""
            found.setdefault(scope, []).append(f"{row.index}{count}")
    return found


def _filled(start: str, words: Iterable[str], width: int) -> list[str]:
    """Words after a start, on as many lines as they need; the start is blank from the second line on."""
    lines, line = [], start
    for word in words:
        if len(line) + len(word) > width and line.strip() and len(line) > len(start):
            lines.append(line.rstrip())
            line = " " * len(start)
        line += word + " "
    return [*lines, line.rstrip()]


def _decider(layout: Layout) -> str:
    pin = deciding_pin(layout)
    return peak_step(layout) if pin is None else f"at the end of {printable(pin[0])}; most is alive {peak_step(layout)}"


def _peak(layout: Layout, width: int) -> list[str]:
    """Who is alive at the peak by offset, why it must be there, and what of the head is left."""
    alive = layout.alive(layout.peak_scope)
    if not alive:
        return []
    why = {part.row.index: part.why for part in tell(layout).parts}
    rows = [
        (row.offset, row.end, row.size, row.index, sign(row), _name(row), row.role, why.get(row.index, ""))
        for row in alive
    ]
    head = ("from", "to", "size", "no", "", "name", "role", "why it is here")
    total = sum(row.size for row in alive)
    rest = f"{counted(layout.peak - total, 'byte')} of the head not used at this step ({layout.fragmentation:.1%})"
    if total > layout.peak:
        rest = f"{counted(total - layout.peak, 'byte')} more than the head, since buffers share bytes"
    last = f"{counted(total, 'byte')} alive, {rest}"
    table = grid(head, rows, ("", "name", "role", "why it is here"), "name", width)
    sharing = f"sharing: {printable(layout.peak_reason)}" if layout.peak_reason else ""
    return [*table, *_prose(last, width), *_prose(sharing, width)]


def _map(layout: Layout, width: int) -> list[str]:
    if not layout.peak:
        return []
    return draw_map(layout, _labels(layout), width)


def _labels(layout: Layout) -> list[tuple[int, str]]:
    """Every scope with its number and its operator: `   3  2 CONV_2D`; −1 only where something lives there."""
    first = min(0, min((row.first for row in layout.buffers), default=0))
    digits = len(str(layout.end_scope))
    numbers = max((len(numbered(row.subgraph, row.index)) for row in layout.operators), default=0)
    return [
        (scope, f"{scope:>{digits}}  {_running(layout, scope, numbers)}")
        for scope in range(first, layout.end_scope + 1)
    ]


def _running(layout: Layout, scope: int, width: int) -> str:
    """What happens in a scope; an operator that calls a subgraph has one more scope for each call."""
    position = _position(layout, scope)
    if position is None:
        return ("(start)", "(unused)")[scope < 0]
    row = layout.operators[position]
    called = " (call)" if row.scope != scope and row.name in CALLERS else ""
    return f"{numbered(row.subgraph, row.index):>{width}} {clipped(printable(row.name), 24)}{called}"


def _position(layout: Layout, scope: int) -> int | None:
    """The operator of a scope, by its place in `operators`; None where none runs, or the layout does not say."""
    position = layout.steps[scope] if 0 <= scope < len(layout.steps) else -1
    return position if position >= 0 else None


def _when(layout: Layout, scope: int) -> str:
    """The operator of a scope by its number."""
    position = _position(layout, scope)
    if position is None:
        return ("start", "-")[scope < 0]
    row = layout.operators[position]
    return numbered(row.subgraph, row.index)


def _list(subgraph: int, numbers: Iterable[int]) -> str:
    return ",".join(numbered(subgraph, number) for number in numbers) or "-"


def _name(row: BufferRow | TensorRow) -> str:
    return printable(row.name) or "-"


def _shape(row: BufferRow | TensorRow) -> str:
    if isinstance(row, BufferRow) and row.tensor is None:
        return ""
    return "x".join(map(str, row.shape)) or "scalar"
