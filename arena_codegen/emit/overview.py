"""Many layouts in one table, a row each, and one layout's buffers as CSV.

F5. Every number is the layouts'.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from typing import Any

from arena_codegen.layout.types import Layout
from arena_codegen.layout.words import numbered
from arena_codegen.names import shorten
from arena_codegen.text import SMALLEST, counted, grid, printable

DECIDES, NARROW = 24, 14
"""Characters of the operator that decides, and where names of models need the room."""

Named = Sequence[tuple[str, Layout]]
"""What to call each layout, and the layout."""


def worst_first(layouts: Named) -> list[tuple[str, Layout]]:
    """The largest emitted buffer first; equal ones in the order of their names."""
    return sorted(layouts, key=lambda pair: (-pair[1].arena_bytes, -pair[1].peak, pair[0]))


def overview(layouts: Named, width: int) -> list[str]:
    """A row for each model in lines of at most `width` characters, worst first, and their sum."""
    head = ("model", "ops", "flash", "arena", "head", "proof", "greedy", "saves", "decides")
    names = [printable(re.sub(r"\.tflite$", "", name)) for name, _ in worst_first(layouts)]
    rows = [
        (
            name, one.model.operators, one.model.bytes, one.arena_bytes, one.peak, _proof(one), one.greedy,
            f"{(one.greedy - one.peak) / one.greedy:.0%}" if one.greedy else "", _peak(one),
        )
        for name, (_, one) in zip(names, worst_first(layouts), strict=True)
    ]  # fmt: skip
    rows = _with_whole_names(head, rows, width)
    arenas = [one.arena_bytes for _, one in layouts]
    shared = f"{max(arenas, default=0)} where they run one after the other in the same bytes"
    last = f"{counted(len(arenas), 'model')}: {sum(arenas)} bytes of arena in all, {shared}"
    return [*grid(head, rows, ("model", "proof", "decides"), "model", width), last]


def _with_whole_names(head: Sequence[str], rows: list[tuple[Any, ...]], width: int) -> list[tuple[Any, ...]]:
    """The rows with names that fit: the last column gives way first, then names lose their middle."""
    for limit in (DECIDES, NARROW):
        rows = [(*row[:-1], shorten(row[-1], limit)) for row in rows]
        columns = [max(len(str(cell)) for cell in column) for column in zip(head, *rows, strict=True)]
        room = max(width - sum(columns[1:]) - 2 * (len(head) - 1), SMALLEST)
        if columns[0] <= room:
            break
    return [(shorten(row[0], room), *row[1:]) for row in rows]


def _proof(layout: Layout) -> str:
    return "optimal" if layout.optimal else f"+{layout.peak - layout.lower_bound}"


def _peak(layout: Layout) -> str:
    if layout.peak_operator is None:
        return "-"
    row = layout.operators[layout.peak_operator]
    return f"{numbered(row.subgraph, row.index)} {printable(row.name)}"


MODEL_COLUMNS = (
    "model", "sha256", "operators", "tensors", "buffers", "model_bytes", "constants", "weights", "metadata",
    "variables", "arena", "head",
    "lower_bound", "optimal", "greedy", "linear", "naive", "tail", "min_arena", "tflm_arena_used", "tflm_min_arena",
    "peak_step", "peak_operator", "peak_reason", "fragmentation",
)  # fmt: skip


def models_csv(layouts: Named) -> str:
    """A row for each model, worst first; what is not known is empty."""
    return _csv(MODEL_COLUMNS, [_model(name, one) for name, one in worst_first(layouts)])


def _model(name: str, one: Layout) -> tuple[object, ...]:
    tail = one.tail
    return (
        name, one.model.sha256, one.model.operators, len(one.tensors), len(one.buffers), one.model.bytes,
        one.constants.bytes, one.weights.bytes if one.weights else "", one.metadata.bytes if one.metadata else "",
        one.variables.bytes, one.arena_bytes, one.peak, one.lower_bound,
        "yes" if one.optimal else "no", one.greedy, one.linear, one.naive,
        *((tail.bytes, tail.min_arena) if tail else ("", "")),
        *((tail.greedy.arena_used, tail.greedy.min_arena) if tail and tail.greedy else ("", "")),
        one.peak_scope, "" if one.peak_operator is None else _peak(one), printable(one.peak_reason), one.fragmentation,
    )  # fmt: skip


BUFFER_COLUMNS = (
    "model", "index", "kind", "subgraph", "tensor", "operator", "name", "role", "dtype", "shape", "bytes", "padding",
    "first", "last", "first_operator", "last_operator", "producer", "readers", "offset",
)  # fmt: skip


def buffers_csv(name: str, layout: Layout) -> str:
    """The planning table: a row for each buffer of the arena, in TFLM's request order."""
    tensors = {row.buffer: row for row in layout.tensors if row.buffer is not None}
    rows = []
    for row in layout.buffers:
        tensor = tensors.get(row.index)
        rows.append(
            (
                name, row.index, row.kind, row.subgraph, _some(row.tensor), _some(row.operator), row.name, row.role,
                row.dtype or "", "x".join(map(str, row.shape)), row.bytes, row.size - row.bytes, row.first, row.last,
                _running(layout, row.first), _running(layout, row.last), _some(tensor.producer if tensor else None),
                " ".join(map(str, tensor.readers if tensor else ())), row.offset,
            )
        )  # fmt: skip
    return _csv(BUFFER_COLUMNS, rows)


def _some(number: int | None) -> object:
    return "" if number is None else number


def _running(layout: Layout, scope: int) -> str:
    """The operator of a step by its number, empty where none runs."""
    position = layout.steps[scope] if 0 <= scope < len(layout.steps) else -1
    if position < 0:
        return ""
    row = layout.operators[position]
    return numbered(row.subgraph, row.index)


def _csv(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()
