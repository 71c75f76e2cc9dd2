"""A problem on a grid: whole units of bytes by columns of time, which is all that a search needs to know.

Bytes are divided by the alignment and by what all sizes have in common; time is cut down to the steps that matter,
the largest sets of buffers that are alive together. Nothing is lost: a plan on the grid is a plan of the problem with
the same peak, and the other way round.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import gcd

from .problem import Interval, Problem, align_up


@dataclass(frozen=True, slots=True)
class Columns:
    """Lifetimes as half-open column ranges; two buffers meet in time exactly where their ranges overlap.

    `steps[c]` is a step of the problem that column `c` stands for.
    """

    begins: list[int]
    ends: list[int]
    steps: list[int]


def columns(firsts: Sequence[int], lasts: Sequence[int]) -> Columns:
    """The maximal sets of lifetimes that meet, in order of time, and the range of them that every lifetime spans.

    Lifetimes are closed. A step is worth a column where a lifetime begins that no later beginning outlives: the last
    beginning before some end (the maximal cliques of the interval graph). Cost: O(n log n).
    """
    starts = sorted(set(firsts))
    begun = {start: rank for rank, start in enumerate(starts)}
    ends = [bisect_right(starts, last) for last in lasts]
    closing = sorted(set(ends))
    column = [0] * (len(starts) + 1)  # of `rank`: the first column that closes after it
    previous = 0
    for number, end in enumerate(closing):
        column[previous:end] = [number] * (end - previous)
        previous = end
    return Columns(
        begins=[column[begun[first]] for first in firsts],
        ends=[column[end - 1] + 1 for end in ends],
        steps=[starts[end - 1] for end in closing],
    )


@dataclass(frozen=True, slots=True)
class Grid:
    """Buffers that occupy bytes, in units and columns. Lists run over these buffers, not over the problem's.

    `index[k]` is the problem's number of buffer `k`; it has `sizes[k]` units in columns `begins[k]` up to, not
    including, `ends[k]`. `unit`: bytes of a unit. `heights[c]`: units alive in column `c`. `aligns[k]`: units that an
    offset is a multiple of; `even` where all are 1. `pins`: fixed offsets in units. `shares`: permitted shares, as in
    the problem, in units, for both orders of a pair, only for pairs that meet.
    """

    problem: Problem
    unit: int
    index: list[int]
    sizes: list[int]
    begins: list[int]
    ends: list[int]
    steps: list[int]
    heights: list[int]
    aligns: list[int]
    even: bool
    pins: dict[int, int]
    shares: dict[tuple[int, int], tuple[Interval, ...]]

    @property
    def plain(self) -> bool:
        """True for the textbook problem: one alignment, no pins, no shares."""
        return self.even and not self.pins and not self.shares

    def bytes(self, units: int) -> int:
        """The peak in bytes of a plan that is `units` high, rounded to the problem's alignment."""
        return align_up(units * self.unit, self.problem.alignment)

    def units(self, size: int) -> int:
        """How high a plan on the grid may be for a peak of `size` bytes."""
        return size // self.problem.alignment * self.problem.alignment // self.unit

    def offsets(self, units: Sequence[int]) -> tuple[int, ...]:
        """Offsets in bytes of all of the problem's buffers; empty ones lie at their pin or at 0."""
        offsets = [buffer.offset or 0 for buffer in self.problem.buffers]
        for k, offset in zip(self.index, units, strict=True):
            offsets[k] = offset * self.unit
        return tuple(offsets)

    def peak(self, units: Sequence[int]) -> int:
        """Highest end of a plan on the grid, in units."""
        return max(map(int.__add__, units, self.sizes), default=0)


def grid(problem: Problem) -> Grid:
    """The problem on its grid. Cost: O(n log n + shares)."""
    buffers = problem.buffers
    index = [k for k, buffer in enumerate(buffers) if buffer.size]
    live = [buffers[k] for k in index]
    unit = _unit(problem)
    sizes = [-(-buffer.size // unit) for buffer in live]
    aligns = [max(1, buffer.alignment // unit) for buffer in live]
    pins = {k: buffer.offset // unit for k, buffer in enumerate(live) if buffer.offset is not None}
    time = columns([b.first for b in live], [b.last for b in live])
    shares = _shares(problem, index, unit)
    common = gcd(*sizes, *pins.values(), *(end for entry in shares.values() for pair in entry for end in pair))
    if common > 1 and common % max(aligns) == 0:
        sizes = [size // common for size in sizes]
        pins = {k: offset // common for k, offset in pins.items()}
        shares = {pair: tuple((a // common, b // common) for a, b in entry) for pair, entry in shares.items()}
        unit, aligns = unit * common, [1] * len(sizes)
    return Grid(
        problem=problem,
        unit=unit,
        index=index,
        sizes=sizes,
        begins=time.begins,
        ends=time.ends,
        steps=time.steps,
        heights=column_sums(sizes, time.begins, time.ends, len(time.steps)),
        aligns=aligns,
        even=max(aligns, default=1) == 1,
        pins=pins,
        shares=shares,
    )


def _unit(problem: Problem) -> int:
    """Bytes that sizes may be rounded up to without changing any peak.

    Offsets are multiples of the smallest alignment. The topmost buffer need not fill its last unit, so the unit must
    not be larger than what the peak is rounded to.
    """
    return min([problem.alignment, *(buffer.alignment for buffer in problem.buffers if buffer.size)])


def _shares(problem: Problem, index: list[int], unit: int) -> dict[tuple[int, int], tuple[Interval, ...]]:
    """The pair table in units. Differences are multiples of the unit, so open ends may move out to the next one."""
    place = {k: position for position, k in enumerate(index)} if problem.shares else {}
    shares = {}
    for (i, j), entry in problem.shares.items():
        if i in place and j in place and problem.buffers[i].meets(problem.buffers[j]):
            intervals = tuple((low // unit, -(-high // unit)) for low, high in entry)
            shares[place[i], place[j]] = intervals
            shares[place[j], place[i]] = tuple((-high, -low) for low, high in reversed(intervals))
    return shares


def column_sums(values: Sequence[int], begins: Sequence[int], ends: Sequence[int], count: int) -> list[int]:
    """For each of `count` columns, the sum of the values whose range `begin` … `end` (exclusive) covers it."""
    change = [0] * (count + 1)
    for value, begin, end in zip(values, begins, ends, strict=True):
        change[begin] += value
        change[end] -= value
    return list(accumulate(change[:-1]))
