"""Hunting for the smallest plan: which capacities branch and bound is asked about, in which order, how long each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from ..effort import Techniques
from ..grid import Grid
from .branch import Attempt, Failures, OutOfSteps, Rule
from .orders import by
from .table import Table
from .uneven import UnevenAttempt

RULES = (("LAT", False, False), ("TAL", False, False), ("TLA", False, False), ("LAT", False, True), ("WAT", True, True))
"""Value order, edge branching, lowest valley first: the attempts of one round."""

NOISE = (0.02, 0.05, 0.0)
"""How far ranks are disturbed from the second round on, as a share of all buffers."""

FIRST_ROUND = 20
"""Steps a buffer for the first question about a capacity; each time around all questions, twice as many."""


class Hunt:
    """What is known of one problem: the best plan, the bound, what failed, and the steps that are left.

    `height`: of the best plan, `bound`: what no plan can be lower than, `goal`: what is good enough; all in units.
    `report` is called after every attempt. For grids without shares.
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
        self.report: Callable[[], None] | None = None
        self._table = Table(g)
        self._kind = Attempt if g.plain else UnevenAttempt
        self._failures: Failures | None = {} if techniques.memory else None
        self._ranks: dict[str, list[int]] = {}
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

    def _rounded(self, height: int) -> int:
        """The highest plan that takes no more bytes than one of `height`."""
        return self.grid.units(self.grid.bytes(height))

    def _ask(self, capacity: int, budget: int) -> bool:
        """Whether a plan within `capacity` was found; refuting it raises the bound and asks about the new one."""
        used = self.steps
        for rule, share in self._attempts():
            allowed = min(share, budget - (self.steps - used), self.limit - self.steps)
            if allowed <= 0 or self.done:
                return False
            attempt = self._kind(self._table, capacity, rule, self._failures, self.techniques)
            try:
                missing = attempt.run(allowed)
            except OutOfSteps:
                missing = None
            finally:
                self.steps += attempt.steps
            if missing == 0:
                self._keep(attempt.offsets)
            elif missing is not None:
                self.bound = max(self.bound, capacity + missing)
            if self.report is not None:
                self.report()
            if missing is not None:
                return missing == 0
        return False

    def _keep(self, offsets: list[int]) -> None:
        placed = self.offsets[:]
        for k, offset in zip(self._table.index, offsets, strict=True):
            placed[k] = offset
        self.offsets, self.height = placed, self.grid.peak(placed)

    def _attempts(self) -> Iterator[tuple[Rule, int]]:
        """Rules and steps without end, round after round with more steps; never twice the same disturbed order."""
        share = 2 * len(self.grid.sizes)
        rules = [rule for rule in RULES if self.techniques.edges or not rule[1]]
        if not self.grid.plain:
            rules = [rule for rule in rules if not rule[1]]
        if not self.techniques.restarts:
            yield Rule(self._rank(rules[0][0], 0.0)), self.limit
            return
        first = True
        while True:
            for word, edge, low in rules:
                noise = 0.0 if first and not self._started else NOISE[self._started % len(NOISE)]
                yield Rule(self._rank(word, noise if self.techniques.noise else 0.0), edge, low), share
            self._started += 1
            first = False
            share = share * 3 // 2

    def _rank(self, word: str, noise: float) -> list[int]:
        """Ranks of the table's buffers by an order's word, each disturbed by up to `noise` times their number."""
        if word not in self._ranks:
            position = {k: rank for rank, k in enumerate(by(word, self.grid))}
            self._ranks[word] = [position[k] for k in self._table.index]
        if not noise:
            return self._ranks[word]
        random = Random(self._started * 31 + len(word)).random
        width = 2 * noise * len(self._table.index)
        return [rank + int(width * (random() + random() + random() - 1.5)) for rank in self._ranks[word]]
