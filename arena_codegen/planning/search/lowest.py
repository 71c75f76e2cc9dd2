"""Filling the lowest valley of the skyline: a placement that first fit does not find."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush

from ..grid import Grid

FEW = 1000
"""Up to so many buffers, sets of them are integers; beyond, arrays."""

Pick = Callable[[int, int], int]
"""The first unplaced buffer, in rank order, that lives within columns `left` … `right`, taken out; −1 for none."""


def lowest_valley(g: Grid, order: Sequence[int]) -> list[int]:
    """Offsets in units: the lowest valley gets the first buffer in `order` that fits in its width, leftmost on ties;
    a valley that nothing fits into is raised to its lower wall. For plain grids only.

    Cost: O(n log n) and a scan per placement of the buffers that begin within the valley.
    """
    pick = _by_sets(g, order) if len(order) <= FEW else _by_arrays(g, order)
    offsets = [0] * len(g.sizes)
    count = len(g.steps)
    ends, heights, before = {0: count}, {0: 0}, {count: 0}  # of a valley by its left end; its left end by its right one
    heap = [(0, 0)]
    left_over = len(order)

    def put(left: int, right: int, height: int) -> None:
        """Make a valley, one with its neighbours where those are as high."""
        if left and heights[before[left]] == height:
            heights.pop(left, None)
            ends.pop(left, None)
            left = before.pop(left)
        if right < count and heights[right] == height:
            del heights[right], before[right]
            right = ends.pop(right)
        ends[left], heights[left], before[right] = right, height, left
        heappush(heap, (height, left))

    while left_over:
        height, left = heappop(heap)
        if heights.get(left) != height:
            continue
        right = ends[left]
        k = pick(left, right)
        if k < 0:
            walls = [heights[before[left]]] if left else []
            walls += [heights[right]] if right < count else []
            put(left, right, min(walls))
            continue
        left_over -= 1
        offsets[k] = height
        begin, end = g.begins[k], g.ends[k]
        for first, last in ((left, begin), (end, right)):
            if first < last:
                ends[first], heights[first], before[last] = last, height, first
                heappush(heap, (height, first))
        before[end] = begin
        put(begin, end, height + g.sizes[k])
    return offsets


def _by_sets(g: Grid, order: Sequence[int]) -> Pick:
    """Bit `r` is the buffer of rank `r`, so that the lowest bit is the one to take."""
    count = len(g.steps)
    since, until = [0] * (count + 1), [0] * (count + 1)
    for rank, k in enumerate(order):
        since[g.begins[k]] |= 1 << rank
        until[g.ends[k]] |= 1 << rank
    for column in range(count):
        until[column + 1] |= until[column]
        since[count - 1 - column] |= since[count - column]
    unplaced = (1 << len(order)) - 1

    def pick(left: int, right: int) -> int:
        nonlocal unplaced
        inside = unplaced & since[left] & until[right]
        if not inside:
            return -1
        bit = inside & -inside
        unplaced ^= bit
        return order[bit.bit_length() - 1]

    return pick


def _by_arrays(g: Grid, order: Sequence[int]) -> Pick:
    import numpy as np

    begins, ends = np.array(g.begins), np.array(g.ends)
    rank = np.empty(len(order), np.int64)
    rank[np.array(order)] = np.arange(len(order))
    sequence = np.lexsort((rank, begins))
    first = np.searchsorted(begins[sequence], np.arange(len(g.steps) + 1)).tolist()
    ends, rank = ends[sequence], rank[sequence]
    placed = len(order)

    def pick(left: int, right: int) -> int:
        low, high = first[left], first[right]
        if low == high:
            return -1
        ranks = np.where(ends[low:high] <= right, rank[low:high], placed)
        place = int(ranks.argmin())
        if ranks[place] == placed:
            return -1
        rank[low + place] = placed
        return int(sequence[low + place])

    return pick
