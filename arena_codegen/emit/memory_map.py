"""The arena over time in characters: a row for each step, the addresses across.

F5. Text alone, in ASCII; every number is the layout's.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena_codegen.layout.types import BufferRow, Layout

SIGNS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
FREE = "."
SMALLEST = 16
"""Columns of the map at the least, however narrow the terminal is."""


def sign(row: BufferRow) -> str:
    """The character that stands for a buffer; after the 62nd they begin again."""
    return SIGNS[row.index % len(SIGNS)]


def draw_map(layout: Layout, labels: Sequence[tuple[int, str]], width: int) -> list[str]:
    """The map in lines of at most `width` characters; `labels` are the scopes to draw and what to call each.

    A column stands for at least one byte. In each cell the buffer is shown that has most of its bytes.
    """
    margin = max((len(text) for _, text in labels), default=0)
    columns = max(min(width - margin - 4, layout.peak), SMALLEST)
    scale = f"0{str(layout.peak).rjust(columns - 1)}"
    lines = [f"{'':{margin}}  {scale}"]
    alive = _alive_by_scope(layout)
    for scope, text in labels:
        lines.append(f"{text:{margin}} |{_cells(alive.get(scope, ()), layout.peak, columns)}|")
    return [*lines, f"a column is {layout.peak / columns:.0f} bytes; {FREE} is free"]


def _alive_by_scope(layout: Layout) -> dict[int, list[BufferRow]]:
    """One walk over the buffers, since a model may have thousands of steps with few buffers each."""
    born: dict[int, list[BufferRow]] = {}
    for row in layout.buffers:
        if row.size:
            born.setdefault(row.first, []).append(row)
    alive: list[BufferRow] = []
    result: dict[int, list[BufferRow]] = {}
    for scope in range(min(born, default=0), layout.end_scope + 1):
        alive = [row for row in alive if row.last >= scope] + born.get(scope, [])
        result[scope] = alive
    return result


def _cells(rows: Sequence[BufferRow], peak: int, columns: int) -> str:
    """One line of the map; exact in integers, so that it is the same everywhere."""
    best = [(0, FREE)] * columns
    for row in sorted(rows, key=lambda row: (row.offset, row.index)):
        first, last = row.offset * columns // peak, -(-row.end * columns // peak)
        for column in range(first, min(last, columns)):
            low, high = max(row.offset * columns, column * peak), min(row.end * columns, (column + 1) * peak)
            if high - low > best[column][0]:
                best[column] = (high - low, sign(row))
    return "".join(shown for _, shown in best)
