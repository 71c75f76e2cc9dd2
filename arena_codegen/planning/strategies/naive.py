"""No reuse: what an arena costs where every buffer has bytes of its own."""

from __future__ import annotations

from ..fit import Wall, lowest_gap
from ..problem import Problem, align_up
from ..result import Offsets


def naive(problem: Problem) -> Offsets:
    """Each buffer after the one before, whatever its lifetime; where a pinned buffer is in the way, after that.

    Shares are not used. Cost: O(n · pins).
    """
    pinned: list[Wall] = sorted(
        (b.offset, k, b.offset + b.size) for k, b in enumerate(problem.buffers) if b.offset is not None
    )
    offsets, end = [], 0
    for buffer in problem.buffers:
        offset = buffer.offset
        if offset is None:
            used: Wall = (-1, -1, align_up(end, buffer.alignment))
            offset = lowest_gap((used, *pinned), buffer.size, buffer.alignment)
            end = offset + buffer.size
        offsets.append(offset)
    return tuple(offsets)
