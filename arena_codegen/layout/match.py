"""Which buffer of one layout is which of another, and which operator.

F4. Tensors are the same where subgraph and name are, operators where kind and first output are. What is left over is
matched by its number, where it looks alike: names change more often than models do. Scratch goes with its operator.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from arena_codegen.layout.types import BufferRow, Layout, OperatorRow

Row = TypeVar("Row")
Key = Callable[[Row], Hashable]


@dataclass(frozen=True, slots=True)
class Matches:
    """Positions in the new layout by positions in the old one: of buffers, and of operators."""

    buffers: dict[int, int]
    operators: dict[int, int]


def match(old: Layout, new: Layout) -> Matches:
    """What of the new layout is what of the old one."""
    operators = _matched(
        old.operators, new.operators,
        (_output_key(old), _output_key(new)), (_operator_number, _operator_number),
    )  # fmt: skip
    tensors = _matched(old.buffers, new.buffers, (_tensor_key, _tensor_key), (_tensor_number, _tensor_number))
    after = {position: index for index, position in operators.items()}
    scratch = _matched(
        old.buffers, new.buffers,
        (_scratch_key(old, {index: index for index in operators}), _scratch_key(new, after)), (),
    )  # fmt: skip
    return Matches(dict(sorted((tensors | scratch).items())), operators)


def _matched(old: Sequence[Row], new: Sequence[Row], *rounds: Sequence[Key[Row]]) -> dict[int, int]:
    """Round by round, rows whose keys agree, the first with the first and so on; rows of key None take no part."""
    found: dict[int, int] = {}
    for keys in filter(None, rounds):
        left = _by_key(old, keys[0], set(found))
        right = _by_key(new, keys[1], set(found.values()))
        for key, positions in left.items():
            found |= dict(zip(positions, right.get(key, ()), strict=False))
    return found


def _by_key(rows: Iterable[Row], key: Key[Row], known: set[int]) -> dict[Hashable, list[int]]:
    found: dict[Hashable, list[int]] = {}
    for position, row in enumerate(rows):
        if position not in known and (name := key(row)) is not None:
            found.setdefault(name, []).append(position)
    return found


def _output_key(layout: Layout) -> Key[OperatorRow]:
    """An operator by what it is and what it writes first; without a name there, by nothing."""
    names = {(row.subgraph, row.tensor): row.name for row in layout.tensors}

    def key(row: OperatorRow) -> Hashable:
        name = names.get((row.subgraph, row.outputs[0]), "") if row.outputs else ""
        return (row.subgraph, row.name, name) if name else None

    return key


def _operator_number(row: OperatorRow) -> Hashable:
    return (row.subgraph, row.index, row.name)


def _tensor_key(row: BufferRow) -> Hashable:
    return (row.subgraph, row.name) if row.tensor is not None and row.name else None


def _tensor_number(row: BufferRow) -> Hashable:
    if row.tensor is None:
        return None
    return (row.subgraph, row.tensor, row.role, row.dtype, row.shape if row.name else len(row.shape))


def _scratch_key(layout: Layout, operators: dict[int, int]) -> Key[BufferRow]:
    """Scratch by its operator's position in the old layout."""
    positions = {(row.subgraph, row.index): position for position, row in enumerate(layout.operators)}

    def key(row: BufferRow) -> Hashable:
        if row.tensor is not None or row.operator is None:
            return None
        return operators.get(positions.get((row.subgraph, row.operator), -1))

    return key
