"""F3. What the user wants of single tensors: --keep, --segment, --pin."""

from __future__ import annotations

from dataclasses import replace

from arena_codegen.errors import Finding, UsageError
from arena_codegen.model.find import find_tensor
from arena_codegen.model.types import Model
from arena_codegen.names import shorten
from arena_codegen.options import PlanOptions
from arena_codegen.requests.types import MAX_ARENA, Request, place_of
from arena_codegen.timeline import UNUSED, Timeline

NAME_LENGTH = 60


def apply_wishes(model: Model, timeline: Timeline, options: PlanOptions, rows: list[Request]) -> list[Request]:
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
                faults.append(Finding(f"--pin {text}@{offset}: not a possible offset", place_of(model, row), hint))
            elif row.offset not in (None, offset):
                faults.append(Finding(f"--pin {text}@{offset}: already pinned at {row.offset}", place_of(model, row)))
            else:
                rows[index] = replace(row, offset=offset)
    if faults:
        raise UsageError(faults)
    return rows


def check_pins(model: Model, rows: list[Request], together: set[tuple[int, int]]) -> None:
    """Raises UsageError where pins collide; `together`: pairs of rows that may lie as they are pinned."""
    pinned = [(index, row) for index, row in enumerate(rows) if row.offset is not None and row.size]
    faults = [
        Finding(
            f"--pin puts two buffers that are alive together at the same bytes: {_span(one)} and {_span(other)}",
            place_of(model, other),
            f"scopes {one.first}..{one.last} and {other.first}..{other.last} meet; move one of the two",
        )
        for position, (i, one) in enumerate(pinned)
        for j, other in pinned[position + 1 :]
        if one.first <= other.last and other.first <= one.last and _touch(one, other) and (i, j) not in together
    ]
    if faults:
        raise UsageError(faults)


def _touch(one: Request, other: Request) -> bool:
    assert one.offset is not None
    assert other.offset is not None
    return one.offset < other.offset + other.size and other.offset < one.offset + one.size


def _span(row: Request) -> str:
    assert row.offset is not None
    return f"{shorten(row.name, NAME_LENGTH) or f'tensor {row.tensor}'} [{row.offset}, {row.offset + row.size})"
