"""Lower bounds that can be checked by hand: the tallest step, and who is alive there."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush

from .grid import Grid, column_sums, grid
from .problem import Problem
from .savings import savings


@dataclass(frozen=True, slots=True)
class Bound:
    """No plan can be smaller than `bytes`, because of the `buffers` (ascending indices) alive in `step`.

    Where the end of a pinned buffer says more than any step, it stands alone in `buffers`. An empty problem has 0 bytes
    and no buffers.
    """

    bytes: int
    step: int
    buffers: tuple[int, ...]


def lower_bound(problem: Problem) -> Bound:
    """The tallest step of the problem, less what its permitted shares can save at most, rounded like a peak."""
    return tallest(grid(problem))


def tallest(g: Grid) -> Bound:
    """`lower_bound` of a problem that is on its grid already."""
    levels = levels_of(g)
    ends = {k: offset + g.sizes[k] for k, offset in g.pins.items()}
    highest = max(ends, key=ends.__getitem__, default=-1)
    top = max(levels, default=0)
    if highest >= 0 and ends[highest] > top:
        buffer = g.index[highest]
        return Bound(g.bytes(ends[highest]), g.problem.buffers[buffer].first, (buffer,))
    if not levels:
        return Bound(0, 0, ())
    column = levels.index(top)
    alive = (k for k, begin, end in zip(g.index, g.begins, g.ends, strict=True) if begin <= column < end)
    return Bound(g.bytes(top), g.steps[column], tuple(alive))


def levels_of(g: Grid) -> list[int]:
    """For every column, units that its buffers need whatever the plan."""
    if not g.shares:
        return g.heights if g.even else _rounded(g)
    saved = savings(g)
    single = _largest(g, g.sizes)
    return [max(height - saved.get(column, 0), single[column]) for column, height in enumerate(g.heights)]


def _rounded(g: Grid) -> list[int]:
    """Heights where all but the topmost buffer of a column fill up to the smallest alignment."""
    least = min(g.aligns)
    if least == 1:
        return g.heights
    slacks = [-size % least for size in g.sizes]
    rounded = list(map(int.__add__, g.sizes, slacks))
    heights = column_sums(rounded, g.begins, g.ends, len(g.steps))
    return [max(low, full - most) for low, full, most in zip(g.heights, heights, _largest(g, slacks), strict=True)]


def _largest(g: Grid, values: list[int]) -> list[int]:
    """For every column, the largest of its buffers' values."""
    order = sorted(range(len(values)), key=g.begins.__getitem__, reverse=True)
    alive: list[tuple[int, int]] = []
    largest = []
    for column in range(len(g.steps)):
        while order and g.begins[order[-1]] == column:
            k = order.pop()
            heappush(alive, (-values[k], g.ends[k]))
        while alive[0][1] <= column:
            heappop(alive)
        largest.append(-alive[0][0])
    return largest
