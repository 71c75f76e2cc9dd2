"""TFLM's own planner, to the byte: what a device does without us."""

from __future__ import annotations

from ..fit import Shelves, lowest_gap
from ..grid import columns, grid
from ..problem import Problem, align_up
from ..result import Offsets

MANY = 3000
"""Beyond so many buffers, where nothing is special about them, arrays give the same offsets sooner."""


def greedy(problem: Problem) -> Offsets:
    """Place the largest buffer first, each at the lowest offset where it fits.

    The order of TFLM's GreedyMemoryPlanner: pinned buffers in request order, then the others by size (rounded up to
    their alignment, as TFLM does before it plans), of equal ones the later request first. It walks the buffers alive at
    the same time by offset, of equal ones the earlier placed first; offsets agree with TFLM's byte for byte.
    Shares are not used. Cost: O(n · alive at the same time).
    """
    buffers = problem.buffers
    if len(buffers) > MANY:
        g = grid(problem)
        if g.plain:
            from ..search.crowd import first_fit_many
            from ..search.orders import by

            return g.offsets(first_fit_many(g, by("ZI", g)) or [])
    time = columns([b.first for b in buffers], [b.last for b in buffers])
    pinned = [k for k, buffer in enumerate(buffers) if buffer.offset is not None]
    others = [k for k, buffer in enumerate(buffers) if buffer.offset is None]
    others.sort(key=lambda k: (-align_up(buffers[k].size, buffers[k].alignment), -k))
    shelves = Shelves(len(time.steps), len(buffers))
    offsets = [0] * len(buffers)
    for turn, k in enumerate(pinned + others):
        buffer = buffers[k]
        begin, end = time.begins[k], time.ends[k]
        offset = buffer.offset
        if offset is None:
            offset = lowest_gap(shelves.meeting(begin, end), buffer.size, buffer.alignment)
        offsets[k] = offset
        shelves.add(begin, end, (offset, turn, offset + buffer.size))
    return tuple(offsets)
