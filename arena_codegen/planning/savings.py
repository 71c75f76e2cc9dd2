"""How many units permitted shares can save in a column at most: what makes the bound hold below the sum of sizes."""

from __future__ import annotations

from collections.abc import Iterable

from .grid import Grid
from .problem import Interval


def overlap(low_size: int, high_size: int, forbidden: Iterable[Interval]) -> tuple[int, bool]:
    """Most units that two buffers may have in common, and whether the same start is the only way to have any.

    `forbidden`: open intervals for the second offset less the first. What they have in common is a trapezoid over that
    difference, so its largest permitted value lies on its roof or at the edge of an interval.
    """
    entry = tuple(forbidden)
    edges = {end for interval in entry for end in interval} | {
        1 - high_size,
        -1,
        0,
        1,
        low_size - 1,
        low_size - high_size,
    }
    best, only_start = 0, True
    for gap in edges:
        common = min(low_size, gap + high_size) - max(0, gap)
        if common > 0 and not any(low < gap < high for low, high in entry):
            best = max(best, common)
            only_start = only_start and gap == 0
    return best, only_start


def savings(g: Grid) -> dict[int, int]:
    """For every column where shares can save something, an upper bound on the units they save there.

    Buffers that share form groups. What a group saves is at most the sum over its pairs. Where a group falls into two
    sides with no share inside a side (an operator's inputs and its outputs), buffers of one side are disjoint, so that
    each buffer of the other side saves at most its own size, and of its same-start partners at most one saves.
    """
    pairs = []
    known: dict[tuple[int, int, tuple[Interval, ...]], tuple[int, bool]] = {}
    for (i, j), entry in g.shares.items():
        if i < j:
            case = (g.sizes[i], g.sizes[j], entry)
            if case not in known:
                known[case] = overlap(*case)
            common, only_start = known[case]
            if common > 0:
                pairs.append((i, j, common, only_start))
    by_column: dict[int, list[tuple[int, int, int, bool]]] = {}
    for pair in pairs:
        i, j = pair[:2]
        for column in range(max(g.begins[i], g.begins[j]), min(g.ends[i], g.ends[j])):
            by_column.setdefault(column, []).append(pair)
    return {column: sum(_saved(g, group) for group in _groups(found)) for column, found in by_column.items()}


def _groups(pairs: list[tuple[int, int, int, bool]]) -> list[list[tuple[int, int, int, bool]]]:
    """Pairs that hang together through a buffer."""
    groups: list[tuple[set[int], list[tuple[int, int, int, bool]]]] = []
    for pair in pairs:
        members, joined = set(pair[:2]), [pair]
        for group in [group for group in groups if group[0] & members]:
            groups.remove(group)
            members |= group[0]
            joined += group[1]
        groups.append((members, joined))
    return [joined for _, joined in groups]


def _saved(g: Grid, pairs: list[tuple[int, int, int, bool]]) -> int:
    total = sum(common for _, _, common, _ in pairs)
    side = _sides(pairs)
    if side is None:
        return total
    for which in (0, 1):
        several: dict[int, int] = {}
        single: dict[int, int] = {}
        for i, j, common, only_start in pairs:
            k = i if side[i] == which else j
            if only_start:
                single[k] = max(single.get(k, 0), common)
            else:
                several[k] = several.get(k, 0) + common
        total = min(total, sum(min(g.sizes[k], single.get(k, 0) + several.get(k, 0)) for k in single | several))
    return total


def _sides(pairs: list[tuple[int, int, int, bool]]) -> dict[int, int] | None:
    """Buffer → 0 or 1 such that every pair has one of each; None where there is no such split."""
    side = {pairs[0][0]: 0}
    for _ in pairs:
        for i, j, _, _ in pairs:
            if i in side:
                side.setdefault(j, 1 - side[i])
            if j in side:
                side.setdefault(i, 1 - side[j])
    return side if all(side[i] != side[j] for i, j, _, _ in pairs) else None
