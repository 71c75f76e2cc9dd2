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
        if buffer.offset is not None:
            offsets.append(buffer.offset)
            continue
        start = align_up(end, buffer.alignment)
        offset = lowest_gap([(0, -1, start), *pinned] if pinned else [(0, -1, start)], buffer.size, buffer.alignment)
        offsets.append(offset)
        end = offset + buffer.size
    return tuple(offsets)
