"""Local search where bytes may be shared: move a buffer in the order of first fit, keep what is not worse."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from ..grid import Grid
from ..problem import Interval
from .pairs import forbidden


class Decoder:
    """First fit for many orders of one grid: the buffers that each one meets are looked up once."""

    def __init__(self, g: Grid) -> None:
        self.grid = g
        self.near: list[list[tuple[int, tuple[Interval, ...]]]] = [[] for _ in g.sizes]
        for i, j, entry in forbidden(g):
            self.near[j].append((i, entry))
            self.near[i].append((j, tuple((-high, -low) for low, high in reversed(entry))))

    def offsets(self, order: list[int], limit: int) -> list[int] | None:
        """Every buffer at the lowest offset that is free; None where the plan is `limit` units high or higher."""
        sizes, aligns, near = self.grid.sizes, self.grid.aligns, self.near
        offsets = [-1] * len(sizes)
        for k, offset in self.grid.pins.items():
            offsets[k] = offset
        for k in order:
            if offsets[k] >= 0:
                continue
            walls = []
            for other, entry in near[k]:
                offset = offsets[other]
                if offset >= 0:
                    for low, high in entry:
                        walls.append((offset + low, offset + high))
            walls.sort()
            place, align = 0, aligns[k]
            for low, high in walls:
                if low >= place:
                    break
                if high > place:
                    place = high if align == 1 else -(-high // align) * align
            if place + sizes[k] >= limit:
                return None
            offsets[k] = place
        return offsets


def improve(
    g: Grid, order: list[int], offsets: list[int], goal: int, steps: int, report: Callable[[list[int], int], None]
) -> None:
    """Search from an order and its plan until the goal, in units, is reached or the steps are used up.

    One move in two takes a buffer that makes the peak to an earlier place, the other any buffer anywhere; equally good
    orders are accepted. A step is eight placements. `report` hears of each smaller plan, and of steps now and then.
    """
    decoder = Decoder(g)
    random = Random(len(g.sizes)).random
    count = len(order)
    cost = max(1, count // 8)
    height, best = g.peak(offsets), g.peak(offsets)
    used = 0
    smallest, told = offsets, 0
    while used < steps and best > goal and count > 1:
        used += cost
        if used - told >= 1000:
            told = used
            report(smallest, used)
        trial = order[:]
        for _ in range(1 + int(3 * random() * random())):
            if random() < 0.5:
                top = [place for place, k in enumerate(trial) if offsets[k] + g.sizes[k] == height]
                place = top[int(random() * len(top))] if top else int(random() * count)
                trial.insert(int(random() * (place + 1)), trial.pop(place))
            else:
                k = trial.pop(int(random() * count))
                trial.insert(int(random() * count), k)
        found = decoder.offsets(trial, height + 1)
        if found is None:
            continue
        order, offsets, height = trial, found, g.peak(found)
        if height < best:
            best, smallest = height, found
            report(found, used)
