"""Sets of buffers as integers, bit `k` for buffer `k`, and what the search asks about them again and again."""

from __future__ import annotations

from dataclasses import dataclass

from ..grid import Grid

CACHED = 200_000
"""Remembered answers of one table; beyond, they are forgotten and computed anew."""


def members(mask: int) -> list[int]:
    """The buffers of a set, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


@dataclass(frozen=True, slots=True)
class Cover:
    """How the buffers that fit into a segment cover its columns.

    `least`: their smallest size. `bare`: columns that none covers. `fewest`: columns that the fewest cover, `count`.
    """

    least: int
    bare: tuple[int, ...]
    fewest: tuple[int, ...]
    count: int


class Table:
    """The unpinned buffers of a grid, numbered by the column they begin in.

    `since[c]`, `until[c]`: buffers that begin in column `c` or later, end at `c` or earlier. `over[c]`: alive in `c`.
    `across[c]`: alive on both sides of the border before `c`. `index[k]`: number of buffer `k` in the grid.
    """

    def __init__(self, g: Grid) -> None:
        self.index = sorted(
            (k for k in range(len(g.sizes)) if k not in g.pins), key=lambda k: (g.begins[k], g.ends[k], k)
        )
        self.grid = g
        self.sizes = [g.sizes[k] for k in self.index]
        self.begins = [g.begins[k] for k in self.index]
        self.ends = [g.ends[k] for k in self.index]
        self.aligns = [g.aligns[k] for k in self.index]
        self.columns = len(g.steps)
        self.all = (1 << len(self.index)) - 1
        self.over = [0] * self.columns
        self.since = [0] * (self.columns + 1)
        self.until = [0] * (self.columns + 1)
        for k, (begin, end) in enumerate(zip(self.begins, self.ends, strict=True)):
            self.since[begin] |= 1 << k
            self.until[end] |= 1 << k
            for column in range(begin, end):
                self.over[column] |= 1 << k
        for column in range(self.columns):
            self.until[column + 1] |= self.until[column]
            self.since[self.columns - 1 - column] |= self.since[self.columns - column]
        self.across = [0] + [self.over[c - 1] & self.over[c] for c in range(1, self.columns)] + [0]
        self.walls = _walls(g)
        self._covers: dict[tuple[int, int, int], Cover] = {}
        self._least: dict[int, int] = {}

    def cover(self, inside: int, left: int, right: int) -> Cover:
        """How the buffers of a set, all within the columns `left` … `right`, cover them."""
        key = (inside, left, right)
        cover = self._covers.get(key)
        if cover is None:
            if len(self._covers) > CACHED:
                self._covers.clear()
            change = [0] * (right - left + 1)
            found = members(inside)
            for k in found:
                change[self.begins[k] - left] += 1
                change[self.ends[k] - left] -= 1
            counts, count = [], 0
            for delta in change[:-1]:
                count += delta
                counts.append(count)
            fewest = min(counts)
            columns = tuple(column for column, count in enumerate(counts, left) if count == fewest)
            cover = Cover(
                least=min(self.sizes[k] for k in found),
                bare=columns if not fewest else (),
                fewest=columns,
                count=fewest,
            )
            self._covers[key] = cover
        return cover

    def least(self, mask: int) -> int:
        """The smallest size in a set that is not empty."""
        size = self._least.get(mask)
        if size is None:
            if len(self._least) > CACHED:
                self._least.clear()
            size = self._least[mask] = min(self.sizes[k] for k in members(mask))
        return size

    def parts(self, mask: int, left: int, right: int, first: int, last: int) -> list[tuple[int, int, int]]:
        """The set in columns `left` … `right`, cut where nobody is alive on both sides, smallest part first.

        Cuts are looked for between `first` and `last` only.
        """
        across, since, until = self.across, self.since, self.until
        cuts = [column for column in range(first + 1, last) if not mask & across[column]]
        if not cuts:
            return [(mask, left, right)] if mask else []
        parts = []
        for begin, end in zip([left, *cuts], [*cuts, right], strict=True):
            part = mask & since[begin] & until[end]
            if part:
                parts.append((part, begin, end))
        parts.sort(key=_count)
        return parts


def _count(part: tuple[int, int, int]) -> int:
    return part[0].bit_count()


def _walls(g: Grid) -> list[list[tuple[int, int]]]:
    """For every column, bottom and top of the pinned buffers in it, from below."""
    walls: list[list[tuple[int, int]]] = [[] for _ in g.steps]
    for k, bottom in sorted(g.pins.items(), key=lambda item: item[1]):
        for column in range(g.begins[k], g.ends[k]):
            walls[column].append((bottom, bottom + g.sizes[k]))
    return walls
