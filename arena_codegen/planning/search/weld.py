"""Buffers that must lie side by side where nothing may be wasted, welded into one.

At a border between two columns that are full at a capacity, some buffers end, some begin, and some reach across. What
the last ones leave free is filled on both sides, so it falls into stretches, and in each of them endings and beginnings
have the same sum. Where no sums agree but those of all, there is one stretch. Three things follow from that; each
leaves a rectangle, so that a plan of what is welded is a plan of its parts, and the other way round:

    pair: of one size      stack: all begin (end)      wheel: two borders with one stretch each,
                           and end (begin) together    and the same upside down

    aaaaaa|bbbb            aaaaa|bbbbbb                aaaa|tttttttt
    aaaaaa|bbbb            aaaaa|cccccc                aaaa|ccc|rrrr
                                                       bbbbbbbb|rrrr
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..grid import Grid, grid
from ..problem import Buffer, Problem

MOST = 10
"""Borders where more buffers end, or begin, are left alone: their sums agree by chance."""

Seams = dict[int, tuple[list[int], list[int]]]
"""Column after the border → pieces that end there, pieces that begin there, in one stretch."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A rectangle of `size` units in columns `begin` … `end`, exclusive: a buffer, or parts by how far above it."""

    begin: int
    end: int
    size: int
    buffer: int = -1
    parts: tuple[tuple[int, Piece], ...] = ()


@dataclass(frozen=True, slots=True)
class Weld:
    """A smaller grid, whose buffers are `pieces`; it has a plan within the capacity just where the whole one has."""

    grid: Grid
    pieces: tuple[Piece, ...]

    def offsets(self, units: Sequence[int]) -> list[int]:
        """Offsets of the whole grid's buffers for those of the smaller one's, each in its grid's units."""
        placed = list(zip(self.grid.offsets(units), self.pieces, strict=True))
        found: dict[int, int] = {}
        while placed:
            offset, piece = placed.pop()
            if piece.buffer >= 0:
                found[piece.buffer] = offset
            placed += [(offset + above, part) for above, part in piece.parts]
        return [found[k] for k in range(len(found))]


def weld(g: Grid, capacity: int) -> Weld | None:
    """All that must be welded in plans within `capacity` units; None where nothing must. For plain grids only.

    Cost: O(n) a round; what one round welds may let the next one weld more.
    """
    full = [height == capacity for height in g.heights]
    lives = zip(g.begins, g.ends, g.sizes, strict=True)
    pieces = {k: Piece(begin, end, size, k) for k, (begin, end, size) in enumerate(lives)}
    while _round(pieces, full):
        pass
    if len(pieces) == len(g.sizes):
        return None
    found = tuple(pieces.values())
    return Weld(grid(Problem(tuple(Buffer(piece.size, piece.begin, piece.end - 1) for piece in found))), found)


def _round(pieces: dict[int, Piece], full: list[bool]) -> bool:
    """Weld what can be, every piece at most once; False where nothing could be."""
    seams = _seams(pieces, full)
    number = max(pieces, default=0)
    welded: set[int] = set()
    for border in seams:
        for members, piece in _welds(seams, border, pieces):
            if welded.isdisjoint(members):
                welded.update(members)
                number += 1
                pieces[number] = piece
                break
    for k in welded:
        del pieces[k]
    return bool(welded)


def _seams(pieces: dict[int, Piece], full: list[bool]) -> Seams:
    """The borders between full columns with one stretch."""
    ending: dict[int, list[int]] = {}
    beginning: dict[int, list[int]] = {}
    for k, piece in pieces.items():
        ending.setdefault(piece.end, []).append(k)
        beginning.setdefault(piece.begin, []).append(k)
    return {
        border: (ending[border], beginning[border])
        for border in sorted(ending.keys() & beginning.keys())
        if full[border - 1]
        and full[border]
        and len(_sums(pieces, ending[border]) & _sums(pieces, beginning[border])) == 2
    }


def _sums(pieces: dict[int, Piece], members: list[int]) -> set[int]:
    """The sums of all subsets; of many pieces none, so that no two borders seem to agree."""
    sums = {0}
    for k in members if len(members) <= MOST else ():
        sums |= {total + pieces[k].size for total in sums}
    return sums


def _welds(seams: Seams, border: int, pieces: dict[int, Piece]) -> Iterator[tuple[tuple[int, ...], Piece]]:
    """What a seam lets one weld: the members, and what they become."""
    left, right = seams[border]
    if len(left) == len(right) == 1:
        before, after = pieces[left[0]], pieces[right[0]]
        yield (*left, *right), Piece(before.begin, after.end, before.size, parts=((0, before), (0, after)))
    for side in (left, right):
        stack = [pieces[k] for k in side]
        if len(side) > 1 and len({(piece.begin, piece.end) for piece in stack}) == 1:
            yield tuple(side), _stacked(stack)
    if len(left) == 1 and len(right) == 2:
        for core, top in (right, right[::-1]):
            yield from _wheel(seams, left[0], core, top, pieces)


def _stacked(stack: list[Piece]) -> Piece:
    parts, height = [], 0
    for piece in stack:
        parts.append((height, piece))
        height += piece.size
    return Piece(stack[0].begin, stack[0].end, height, parts=tuple(parts))


def _wheel(
    seams: Seams, before: int, core: int, top: int, pieces: dict[int, Piece]
) -> Iterator[tuple[tuple[int, ...], Piece]]:
    """The wheel around a core, if there is one: `before` lies left of core and top, in one stretch."""
    left, right = seams.get(pieces[core].end, ([], []))
    if len(left) != 2 or len(right) != 1 or core not in left:
        return
    bottom, after = left[1] if left[0] == core else left[0], right[0]
    a, b, c, t, r = (pieces[k] for k in (before, bottom, core, top, after))
    if a.begin == b.begin and t.end == r.end:
        parts = ((b.size, a), (0, b), (b.size, c), (b.size + c.size, t), (0, r))
        yield (before, bottom, core, top, after), Piece(a.begin, r.end, a.size + b.size, parts=parts)
