"""Hunting for the smallest plan: which capacities branch and bound is asked about, in which order, how long each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from ..effort import Techniques
from ..grid import Grid
from .branch import Attempt, Failures, OutOfSteps, Rule
from .orders import by
from .table import Table
from .uneven import UnevenAttempt
from .weld import Weld, weld

RULES = (("LAT", False, False), ("TAL", False, False), ("TLA", False, False), ("LAT", False, True), ("WAT", True, True))
"""Value order, edge branching, lowest valley first: the attempts of one round."""

NOISE = (0.02, 0.05, 0.0)
"""How far ranks are disturbed from the second round on, as a share of all buffers."""

FIRST_ROUND = 20
"""Steps a buffer for the first question about a capacity; each time around all questions, twice as many."""


@dataclass(slots=True)
class Field:
    """What is searched: a grid, all of it or welded; and what is remembered of it, whatever the rule."""

    grid: Grid
    table: Table
    failures: Failures | None
    weld: Weld | None = None
    ranks: dict[str, list[int]] = field(default_factory=dict)

    def rank(self, word: str) -> list[int]:
        """Ranks of the table's buffers by an order's word."""
        if word not in self.ranks:
            position = {k: rank for rank, k in enumerate(by(word, self.grid))}
            self.ranks[word] = [position[k] for k in self.table.index]
        return self.ranks[word]

    def offsets(self, found: list[int]) -> list[int]:
        """Offsets of the grid that is planned, all but the pinned buffers' (−1), for what was found on the table."""
        placed = [-1] * len(self.grid.sizes)
        for k, offset in zip(self.table.index, found, strict=True):
            placed[k] = offset
        return self.weld.offsets(placed) if self.weld else placed


class Hunt:
    """What is known of one problem: the best plan, the bound, what failed, and the steps that are left.

    `height`: of the best plan, `bound`: what no plan can be lower than, `goal`: what is good enough; all in units.
    `report` is called with the steps used, now and then and after every attempt. For grids without shares.
    """

    def __init__(self, g: Grid, offsets: list[int], bound: int, goal: int, steps: int, techniques: Techniques) -> None:
        self.grid = g
        self.offsets = offsets
        self.height = g.peak(offsets)
        self.bound = bound
        self.goal = goal
        self.limit = steps
        self.steps = 0
        self.techniques = techniques
        self.report: Callable[[int], None] | None = None
        self._kind = Attempt if g.plain else UnevenAttempt
        self._all = self._field(g)
        self._tight = max(g.heights, default=0)
        welded = weld(g, self._tight) if techniques.weld and g.plain else None
        self._welded = self._field(welded.grid, welded) if welded else None
        self._started = 0

    @property
    def aim(self) -> int:
        """The lowest height worth asking about: the goal, or the bound, as high as its rounded bytes allow."""
        return max(self.goal, self._rounded(self.bound))

    @property
    def done(self) -> bool:
        """True where the plan is good enough, or proven smallest, or the steps are used up."""
        return self.height <= self.aim or self.steps >= self.limit

    def minimise(self) -> None:
        """Ask about the bound again and again, raising it where it is refuted; in between, halve the gap from above."""
        budget = FIRST_ROUND * len(self.grid.sizes)
        while not self.done:
            self._ask(self.aim, 4 * budget)
            low, high = self.aim + 1, self.height - 1
            while low <= high and not self.done:
                middle = self._rounded((low + high) // 2)
                if self._ask(middle, budget):
                    high = self.height - 1
                else:
                    low = max(middle, self.aim) + 1
            budget *= 2

    def reach(self) -> None:
        """Spend three quarters of the steps on one question, whether the goal can be reached."""
        most = self.limit * 3 // 4
        while not self.done and self.bound <= self.goal and self.steps < most:
            self._ask(self.goal, most - self.steps)

    def _field(self, g: Grid, welded: Weld | None = None) -> Field:
        return Field(g, Table(g), {} if self.techniques.memory else None, welded)

    def _rounded(self, height: int) -> int:
        """The highest plan that takes no more bytes than one of `height`."""
        return self.grid.units(self.grid.bytes(height))

    def _ask(self, capacity: int, budget: int) -> bool:
        """Whether a plan within `capacity` was found; refuting it raises the bound and asks about the new one."""
        used = self.steps
        fields = [self._welded, self._all] if self._welded and capacity == self._tight else [self._all]
        for where, rule, share in self._attempts(fields):
            allowed = min(share, budget - (self.steps - used), self.limit - self.steps)
            if allowed <= 0 or self.done:
                return False
            units = capacity // where.grid.unit if where.weld else capacity
            attempt = self._kind(where.table, units, rule, where.failures, self.techniques)
            attempt.tell = self._report
            try:
                missing = attempt.run(allowed)
            except OutOfSteps:
                missing = None
            finally:
                self.steps += attempt.steps
            if missing == 0:
                self._keep(where.offsets(attempt.offsets))
            elif missing is not None:
                self.bound = max(self.bound, capacity + (1 if where.weld else missing))
            self._report()
            if missing is not None:
                return missing == 0
        return False

    def _report(self, running: int = 0) -> None:
        if self.report is not None:
            self.report(self.steps + running)

    def _keep(self, offsets: list[int]) -> None:
        self.offsets = [new if new >= 0 else old for old, new in zip(self.offsets, offsets, strict=True)]
        self.height = self.grid.peak(self.offsets)

    def _attempts(self, fields: list[Field]) -> Iterator[tuple[Field, Rule, int]]:
        """Fields, rules and steps without end, round after round with more steps; never twice the same disturbed order.

        Welding makes a field smaller, but no smaller field is always the easier one: both take turns.
        """
        share = 2.0
        rules = [rule for rule in RULES if self.techniques.edges or not rule[1]]
        if not self.grid.plain:
            rules = [rule for rule in rules if not rule[1]]
        if not self.techniques.restarts:
            yield fields[0], Rule(self._rank(fields[0], rules[0][0], 0.0)), self.limit
            return
        first = True
        while True:
            for where in fields:
                for word, edge, low in rules:
                    noise = 0.0 if first and not self._started else NOISE[self._started % len(NOISE)]
                    rank = self._rank(where, word, noise if self.techniques.noise else 0.0)
                    yield where, Rule(rank, edge, low), int(share * len(where.grid.sizes))
            self._started += 1
            first = False
            share *= 1.5

    def _rank(self, where: Field, word: str, noise: float) -> list[int]:
        """A word's ranks, each disturbed by up to `noise` times the number of buffers."""
        rank = where.rank(word)
        if not noise:
            return rank
        random = Random(self._started * 31 + len(word)).random
        width = 2 * noise * len(rank)
        return [place + int(width * (random() + random() + random() - 1.5)) for place in rank]
