"""The buffers of a layout as a generated header's comment lists them: by offset, then who shares whose bytes.

F5. `map_lines` gives lines of safe ASCII, at most WIDTH columns with the ` *` that the template sets before them.
"""

from __future__ import annotations

from collections.abc import Iterator

from arena_codegen.emit.comment import WIDTH
from arena_codegen.layout.types import BufferRow, Layout, ShareRow
from arena_codegen.names import c_comment, shorten

COLUMNS = ("offset", "end", "size", "row", "tensor", "role", "scopes", "type", "name")
TO_THE_RIGHT = 5
"""The first so many columns are numbers."""


def map_lines(layout: Layout) -> list[str]:
    """One line a buffer, by offset, under a head of column names; scratch included. No line without a buffer."""
    if not layout.buffers:
        return []
    roles = io_roles(layout)
    rows = sorted(layout.buffers, key=lambda row: (row.offset, row.first, row.index))
    cells = [COLUMNS[:-1], *(_cells(row, roles) for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(COLUMNS) - 1)]
    room = WIDTH - len(" *   ") - sum(widths) - 2 * len(widths)
    names = [COLUMNS[-1], *(c_comment(row.label, max(room, 16)) for row in rows)]
    return ["  " + _aligned(line, widths, name) for line, name in zip(cells, names, strict=True)]


def io_roles(layout: Layout) -> dict[int, str]:
    """Buffer index → `input 0`, `output 1`; both where a tensor is both."""
    roles: dict[int, str] = {}
    places = {row.tensor: row.index for row in layout.buffers if row.tensor is not None and row.subgraph == 0}
    for word, tensors in (("input", layout.inputs), ("output", layout.outputs)):
        for position, tensor in enumerate(tensors):
            if (index := places.get(tensor)) is not None:
                roles[index] = f"{roles[index]}, {word} {position}" if index in roles else f"{word} {position}"
    return roles


def type_text(dtype: str | None, shape: tuple[int, ...], limit: int = 28) -> str:
    """`INT8[1,49,10,8]`; `INT8` for a scalar, `-` for scratch."""
    if dtype is None:
        return "-"
    return shorten(dtype + (f"[{','.join(map(str, shape))}]" if shape else ""), limit)


def shared_pairs(layout: Layout) -> Iterator[tuple[BufferRow, BufferRow, ShareRow]]:
    """(input, output, permission) for each pair that has bytes in common; unused permissions are left out."""
    for output in layout.buffers:
        for share in output.shares:
            source = layout.buffers[share.index]
            if source.offset < output.end and output.offset < source.end:
                yield source, output, share


def share_texts(layout: Layout) -> list[str]:
    """One sentence a pair that has bytes in common: rows, rule, distance and why it is right."""
    texts = []
    for source, output, share in shared_pairs(layout):
        distance = source.offset - output.offset
        where = "same start" if distance == 0 else f"input {distance} bytes above output"
        if share.rule == "overlap":
            where += f" (at least {share.distance})"
        texts.append(f"row {output.index} over row {source.index}: {share.rule}, {where}; {share.why}")
    return texts


def _cells(row: BufferRow, roles: dict[int, str]) -> tuple[str, ...]:
    number = f"op {row.operator}" if row.tensor is None else f"{row.tensor}"
    return (
        f"{row.offset}",
        f"{row.end}",
        f"{row.bytes}",
        f"{row.index}",
        f"{row.subgraph}:{number}" if row.subgraph else number,
        c_comment(roles.get(row.index, row.role), 24),
        f"{row.first}..{row.last}",
        c_comment(type_text(row.dtype, row.shape)),
    )


def _aligned(cells: tuple[str, ...], widths: list[int], name: str) -> str:
    fields = [
        text.rjust(width) if column < TO_THE_RIGHT else text.ljust(width)
        for column, (text, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return ("  ".join(fields) + "  " + name).rstrip()
