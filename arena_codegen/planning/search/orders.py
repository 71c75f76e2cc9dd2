"""Orders to place buffers in, each a word whose letters are what counts, most important first."""

from __future__ import annotations

from collections.abc import Callable

from ..grid import Grid


def measures(g: Grid) -> dict[str, Callable[[int], int]]:
    """What a letter says of a buffer: T height of its tallest column, W columns, L steps, Z size, A area, I number."""
    buffers = g.problem.buffers
    lengths = [buffers[k].last - buffers[k].first + 1 for k in g.index]
    return {
        "T": urgencies(g).__getitem__,
        "W": lambda k: g.ends[k] - g.begins[k],
        "L": lengths.__getitem__,
        "Z": g.sizes.__getitem__,
        "A": lambda k: g.sizes[k] * lengths[k],
        "I": lambda k: k,
    }


def by(word: str, g: Grid) -> list[int]:
    """All buffers of the grid in descending order of the word's measures; ties in their own order.

    `by("ZI", g)` is the order of TFLM's greedy planner.
    """
    letters = measures(g)
    order = list(range(len(g.sizes)))
    for letter in reversed(word):
        order.sort(key=letters[letter], reverse=True)
    return order


def by_breadth(g: Grid) -> list[int]:
    """The buffers of the tallest column first, then those that the next one adds; within a column the largest first."""
    alive: list[list[int]] = [[] for _ in g.steps]
    for k in sorted(range(len(g.sizes)), key=lambda k: -g.sizes[k]):
        for column in range(g.begins[k], g.ends[k]):
            alive[column].append(k)
    order = dict.fromkeys(k for column in sorted(range(len(alive)), key=lambda c: -g.heights[c]) for k in alive[column])
    return list(order)


def urgencies(g: Grid) -> list[int]:
    """For every buffer, the height of the tallest column it is alive in. Cost: O(n log n)."""
    levels = [g.heights]
    while 2 << (len(levels) - 1) <= len(g.heights):
        half = 1 << (len(levels) - 1)
        levels.append(list(map(max, levels[-1], levels[-1][half:])))
    tallest = []
    for begin, end in zip(g.begins, g.ends, strict=True):
        level = (end - begin).bit_length() - 1
        tallest.append(max(levels[level][begin], levels[level][end - (1 << level)]))
    return tallest
