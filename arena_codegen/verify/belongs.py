"""Is a layout that comes from a file one of this model? Its numbers are for the board to judge; its rows must be ours.

F7. An edited offset, size or lifetime passes here: it fits the C types, and that is all that the board needs to find it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from arena_codegen.errors import Finding, ModelError, VerdictError
from arena_codegen.layout import layout_from_json
from arena_codegen.layout.types import BufferRow, Layout
from arena_codegen.model.types import Model
from arena_codegen.requests import needs_memory
from arena_codegen.timeline import lay_timeline

LARGEST = 2**31 - 1


def read_layout(path: str | Path, model: Model) -> Layout:
    """The layout in a JSON file. Raises ModelError where the file cannot be read or is about another model."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise ModelError(Finding(f"cannot be read: {why}", str(path), "--plan takes what --json wrote")) from error
    layout = layout_from_json(text, str(path))
    check_belongs(model, layout, str(path))
    return layout


def check_belongs(model: Model, layout: Layout, file: str) -> None:
    """Raises ModelError where the layout is another model's or its rows are not the model's, VerdictError for a number that
    no arena can have."""
    if layout.model.sha256 != model.sha256:
        what = f"the plan was made for another model: {layout.model.file}, SHA-256 {str(layout.model.sha256)[:16]}…"
        raise ModelError(Finding(what, file, f"{model.file} has {model.sha256[:16]}…; plan it again with --json"))
    faults = list(_strange_rows(model, layout)) or list(_missing_rows(model, layout))
    if faults:
        raise ModelError([Finding(fault, file, "write it again with --json") for fault in faults])
    impossible = [row for row in layout.buffers if not _is_possible(row)]
    if impossible or not 0 <= layout.peak <= LARGEST:
        whats = [f"'{row.label}' lies at {row.offset}, alive in {row.first}..{row.last}" for row in impossible]
        whats = whats or [f"its peak is {layout.peak}"]
        raise VerdictError([Finding(f"no arena has such a number: {what}", file) for what in whats])


def _strange_rows(model: Model, layout: Layout) -> Iterator[str]:
    seen: set[tuple[int, int]] = set()
    for position, row in enumerate(layout.buffers):
        where = f"buffers[{position}]"
        if row.index != position:
            yield f"{where}: its index is {row.index}"
        elif not _exists(model, row):
            yield f"{where}: the model has no such tensor or operator"
        elif row.tensor is not None and (row.subgraph, row.tensor) in seen:
            yield f"{where}: tensor {row.subgraph}:{row.tensor} has two buffers"
        elif any(not 0 <= share.index < len(layout.buffers) for share in row.shares):
            yield f"{where}: shares with a buffer that does not exist"
        if row.tensor is not None:
            seen.add((row.subgraph, row.tensor))


def _exists(model: Model, row: BufferRow) -> bool:
    if not 0 <= row.subgraph < len(model.subgraphs) or (row.tensor is None) == (row.operator is None):
        return False
    graph = model.subgraphs[row.subgraph]
    if row.tensor is not None:
        return row.kind == "tensor" and 0 <= row.tensor < len(graph.tensors)
    return row.kind == "scratch" and row.operator is not None and 0 <= row.operator < len(graph.operators)


def _missing_rows(model: Model, layout: Layout) -> Iterator[str]:
    timeline = lay_timeline(model)
    needed = {(t.subgraph, t.index) for g in model.subgraphs for t in g.tensors if needs_memory(t, timeline)}
    given = {(row.subgraph, row.tensor) for row in layout.buffers if row.tensor is not None}
    for subgraph, tensor in sorted(needed - given):
        yield f"no buffer for tensor {subgraph}:{tensor}"
    for subgraph, tensor in sorted(given - needed):
        yield f"a buffer for tensor {subgraph}:{tensor}, which takes no place in the arena"


def _is_possible(row: BufferRow) -> bool:
    return 0 <= row.offset <= LARGEST and 0 <= row.bytes <= LARGEST and max(abs(row.first), abs(row.last)) <= LARGEST
