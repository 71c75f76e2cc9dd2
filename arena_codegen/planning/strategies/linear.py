"""First come, first served, with a list of freed ranges: what a simple runtime does without planning."""

from __future__ import annotations

from bisect import bisect_left, insort
from heapq import heappop, heappush

from ..fit import Wall, lowest_gap
from ..problem import Problem
from ..result import Offsets


def linear(problem: Problem) -> Offsets:
    """Walk through the steps; a buffer takes the lowest freed range that is large enough, else grows the arena.

    Buffers come in order of their first step, ties in request order, and give their bytes back after their last step;
    neighbouring freed ranges are one, and a freed range at the top lowers it. The freed ranges are the gaps between the
    buffers alive, so those are what is kept. A pinned buffer keeps its bytes from whoever is still alive when it comes.
    Shares are not used. Cost: O(n · alive).
    """
    buffers = problem.buffers
    pinned = sorted((k for k, b in enumerate(buffers) if b.offset is not None), key=lambda k: buffers[k].first)
    offsets = [buffer.offset or 0 for buffer in buffers]
    alive: list[Wall] = []
    leaving: list[tuple[int, Wall]] = []
    for k in sorted(range(len(buffers)), key=lambda k: buffers[k].first):
        buffer = buffers[k]
        if buffer.offset is not None or not buffer.size:
            continue
        while leaving and leaving[0][0] < buffer.first:
            del alive[bisect_left(alive, heappop(leaving)[1])]
        walls = alive
        if pinned:
            met = [p for p in pinned if buffers[p].meets(buffer)]
            walls = sorted(alive + [(offsets[p], p, offsets[p] + buffers[p].size) for p in met])
        offset = offsets[k] = lowest_gap(walls, buffer.size, buffer.alignment)
        wall = (offset, k, offset + buffer.size)
        insort(alive, wall)
        heappush(leaving, (buffer.last, wall))
    return tuple(offsets)
