"""Exact search where bytes may be shared: for each pair of buffers, which of the permitted ways to lie.

Offsets have a lowest and a highest value. A pair that meets keeps its difference out of some open intervals, so it lies
in one of the regions between them; a region that is decided moves the values of both (alignments round), and those of
others in turn. Where all lowest values together break no rule, they are a plan. Otherwise some broken pair is decided,
the one with the fewest regions left. Every plan falls into exactly one region of each pair, so nothing is missed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import gt
from typing import Any

from ..grid import Grid
from ..problem import Interval

ENDLESS = 1 << 60
TOLD = 200
"""Steps after which a long search tells how far it is."""
Region = tuple[int, int]
"""Least and largest difference, included, of the second offset less the first."""


def forbidden(g: Grid) -> Iterator[tuple[int, int, tuple[Interval, ...]]]:
    """All pairs that meet, with the open intervals that the second offset less the first must stay out of."""
    order = sorted(range(len(g.sizes)), key=g.begins.__getitem__)
    for position, i in enumerate(order):
        for j in order[position + 1 :]:
            if g.begins[j] >= g.ends[i]:
                break
            entry = g.shares.get((i, j))
            yield i, j, entry if entry is not None else ((-g.sizes[j], g.sizes[i]),)


class Pairwise:
    """Decides pairs for one grid; one instance may be asked about several capacities."""

    def __init__(self, g: Grid) -> None:
        self.grid = g
        self.pairs: list[tuple[int, int, tuple[Region, ...]]] = []
        shared = {k for pair in g.shares for k in pair} | set(g.pins)
        for i, j, entry in forbidden(g):
            regions = _regions(entry)
            if not {i, j} & shared and _like(g, i) == _like(g, j):
                regions = regions[-1:]  # equal buffers: the second one above the first, for symmetry
            self.pairs.append((i, j, regions))
        self.steps = 0
        self.tell: Callable[[int], None] | None = None

    def fits(self, capacity: int, limit: int) -> list[int] | None:
        """Offsets of a plan within `capacity` units, or None where there is none.

        Raises OverflowError when `limit` steps do not suffice. `tell`, where it is set, hears of steps now and then.
        """
        g = self.grid
        self._low = [g.pins.get(k, 0) for k in range(len(g.sizes))]
        self._high = [(capacity - size) // align * align for size, align in zip(g.sizes, g.aligns, strict=True)]
        for k, offset in g.pins.items():
            self._high[k] = min(offset, self._high[k])
        self._edges: list[list[tuple[int, int, int]]] = [[] for _ in g.sizes]
        self._trail: list[tuple[list[Any], int, Any]] = []
        self._open = [True] * len(self.pairs)
        if any(map(gt, self._low, self._high)):
            return None
        choices: list[tuple[int, int, list[Region]]] = []
        self.steps = 0
        sound = self._settle()
        while True:
            if sound:
                choice = self._broken()
                if choice is None:
                    return self._low
                choices.append((len(self._trail), *choice))
            while choices and not choices[-1][2]:
                choices.pop()
            if not choices:
                return None
            self.steps += 1
            if self.tell is not None and self.steps % TOLD == 0:
                self.tell(self.steps)
            if self.steps > limit:
                raise OverflowError("out of steps")
            mark, pair, regions = choices[-1]
            self._undo(mark)
            sound = self._decide(pair, regions.pop()) and self._settle()

    def _undo(self, mark: int) -> None:
        while len(self._trail) > mark:
            values, place, old = self._trail.pop()
            if old is None:
                values.pop()
            else:
                values[place] = old

    def _set(self, values: list[Any], place: int, new: Any) -> None:
        self._trail.append((values, place, values[place]))
        values[place] = new

    def _decide(self, pair: int, region: Region) -> bool:
        """Put a pair into a region for good; False where that cannot be."""
        i, j, _ = self.pairs[pair]
        self._set(self._open, pair, False)
        for k, edge in ((i, (j, *region)), (j, (i, -region[1], -region[0]))):
            self._edges[k].append(edge)
            self._trail.append((self._edges[k], -1, None))
        return self._spread([i, j])

    def _spread(self, changed: list[int]) -> bool:
        """Move lowest and highest values along decided pairs until they agree."""
        low, high, aligns = self._low, self._high, self.grid.aligns
        while changed:
            k = changed.pop()
            for other, least, most in self._edges[k]:
                align = aligns[other]
                bottom = -(-(low[k] + least) // align) * align
                top = (high[k] + most) // align * align
                if bottom > low[other] or top < high[other]:
                    if bottom > low[other]:
                        self._set(low, other, bottom)
                    if top < high[other]:
                        self._set(high, other, top)
                    if low[other] > high[other]:
                        return False
                    changed.append(other)
        return True

    def _left(self, pair: int) -> list[Region]:
        """The regions that a pair's values still allow."""
        i, j, regions = self.pairs[pair]
        least, most = self._low[j] - self._high[i], self._high[j] - self._low[i]
        return [region for region in regions if region[0] <= most and least <= region[1]]

    def _settle(self) -> bool:
        """Decide what has one region left, again and again; False where a pair has none."""
        again = True
        while again:
            again = False
            for pair, undecided in enumerate(self._open):
                if undecided:
                    left = self._left(pair)
                    if not left or (len(left) == 1 and not self._decide(pair, left[0])):
                        return False
                    again = again or len(left) == 1
        return True

    def _broken(self) -> tuple[int, list[Region]] | None:
        """A pair that the lowest values break, and its regions, the one that moves least last; None for a plan."""
        best, key, low = None, (ENDLESS, 0), self._low
        for pair, undecided in enumerate(self._open):
            if undecided:
                i, j, regions = self.pairs[pair]
                gap = low[j] - low[i]
                if not any(least <= gap <= most for least, most in regions):
                    left = self._left(pair)
                    mine = (len(left), -min(self.grid.sizes[i], self.grid.sizes[j]))
                    if mine < key:
                        best, key = (pair, left, gap), mine
        if best is None:
            return None
        pair, left, gap = best
        left.sort(key=lambda region: max(region[0] - gap, gap - region[1]), reverse=True)
        return pair, left


def _regions(entry: tuple[Interval, ...]) -> tuple[Region, ...]:
    """What open intervals leave over."""
    starts = [-ENDLESS, *(high for _, high in entry)]
    ends = [*(low for low, _ in entry), ENDLESS]
    return tuple((start, end) for start, end in zip(starts, ends, strict=True) if start <= end)


def _like(g: Grid, k: int) -> tuple[int, int, int, int]:
    return g.sizes[k], g.begins[k], g.ends[k], g.aligns[k]
