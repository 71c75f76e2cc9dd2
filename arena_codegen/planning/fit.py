"""Placing one buffer after another into the lowest gap, among the buffers that are alive at the same time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .grid import Grid

Wall = tuple[int, int, int]
"""What is placed already: bottom, number in the order of placing, top."""


class Shelves:
    """Placed buffers by the columns they are alive in, so that a query sees few that it does not meet.

    Columns are cut into blocks, on levels four times as coarse each; a buffer is kept on the level whose blocks are at
    least as long as its life, in the two blocks that it touches at most.
    """

    def __init__(self, columns: int, buffers: int) -> None:
        size = max(4, 32 * columns // (buffers + 1))
        self._levels: list[tuple[int, dict[int, list[tuple[int, int, Wall]]]]] = [(size, {})]
        while size < columns:
            size *= 4
            self._levels.append((size, {}))

    def add(self, begin: int, end: int, wall: Wall) -> None:
        """Keep a buffer that is alive in columns `begin` … `end`, exclusive."""
        size, blocks = next(level for level in self._levels if level[0] >= end - begin)
        for block in range(begin // size, (end - 1) // size + 1):
            blocks.setdefault(block, []).append((begin, end, wall))

    def meeting(self, begin: int, end: int) -> list[Wall]:
        """The walls of all buffers alive in some of the columns, from the bottom up; a few may come twice."""
        walls: list[Wall] = []
        for size, blocks in self._levels:
            if blocks:
                for block in range(begin // size, (end - 1) // size + 1):
                    kept = blocks.get(block)
                    if kept:
                        walls += [wall for first, last, wall in kept if first < end and begin < last]
        walls.sort()
        return walls


def lowest_gap(walls: Iterable[Wall], size: int, alignment: int = 1) -> int:
    """The lowest multiple of `alignment` from which `size` units are free.

    `walls` come in order of their bottoms. The rule of TFLM's GreedyMemoryPlanner: the first gap that is large enough,
    where a gap begins at the highest end of what lies below it.
    """
    offset = 0
    for bottom, _, top in walls:
        if bottom - offset >= size:
            break
        if top > offset:
            offset = top if alignment == 1 else -(-top // alignment) * alignment
    return offset


def first_fit(g: Grid, order: Sequence[int]) -> list[int]:
    """Offsets in units where each buffer, in this order, takes the lowest place that is free; pinned ones come first.

    Permitted shares are used. Cost: O(n · alive at the same time).
    """
    sizes, begins, ends, aligns, pins = g.sizes, g.begins, g.ends, g.aligns, g.pins
    offsets = [-1] * len(sizes)
    shelves = Shelves(len(g.steps), len(sizes))
    for k, offset in pins.items():
        offsets[k] = offset
        shelves.add(begins[k], ends[k], (offset, k, offset + sizes[k]))
    for k in order:
        if k in pins:
            continue
        walls = shelves.meeting(begins[k], ends[k])
        if g.shares:
            walls = _permitted(g, k, walls)
        offset = offsets[k] = lowest_gap(walls, sizes[k], aligns[k])
        shelves.add(begins[k], ends[k], (offset, k, offset + sizes[k]))
    return offsets


def _permitted(g: Grid, k: int, walls: list[Wall]) -> list[Wall]:
    """The walls as buffer `k` sees them: where a share is permitted, only what is still forbidden.

    An offset is forbidden strictly between `bottom − size` and `top`, so an open interval becomes a wall.
    """
    seen = []
    for wall in walls:
        entry = g.shares.get((wall[1], k))
        if entry is None:
            seen.append(wall)
        else:
            seen += [(wall[0] + low + g.sizes[k], wall[1], wall[0] + high) for low, high in entry]
    seen.sort()
    return seen
