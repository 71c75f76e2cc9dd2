"""The smallest plan where bytes may be shared, buffers are pinned, or alignments differ.

Several roads, each better at some problems; the best plan of them is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..bound import tallest
from ..effort import Search
from ..fit import first_fit
from ..grid import Grid
from ..problem import Problem, align_up
from ..result import Found, Offsets, Progress
from .local import improve
from .merge import merged
from .orders import by, by_breadth
from .pairs import Pairwise
from .portfolio import FITS, MANY

PAIRS = 20_000
"""Problems with more pairs that meet are not searched pair by pair."""


@dataclass(slots=True)
class Best:
    """The best plan so far in bytes, the bound, what is good enough, and the steps used; told to the caller."""

    grid: Grid
    search: Search
    bound: int
    goal: int
    offsets: Offsets = ()
    peak: int = 1 << 62
    used: int = 0
    complete: bool = True

    @property
    def done(self) -> bool:
        """True where the plan is good enough or proven smallest."""
        return self.peak <= max(self.goal, self.bound)

    def offer(self, offsets: Offsets) -> None:
        """Keep a plan, in bytes, if it is smaller."""
        peak = self.grid.problem.peak(offsets)
        if peak < self.peak:
            self.offsets, self.peak = offsets, peak

    def tell(self, steps: int) -> None:
        """Tell the caller where things stand, `steps` further on than was counted."""
        if self.search.progress is not None:
            limit = self.search.steps
            self.search.progress(Progress(self.peak, self.bound, min(self.used + steps, limit), limit))

    def report(self, steps: int) -> None:
        """Count steps and tell the caller."""
        self.used += steps
        self.tell(0)


def special(g: Grid, search: Search, most: int, solve: Callable[[Problem, Search], Found]) -> Found:
    """The best plan of a grid that is not plain.

    By first fit; with all alignments alike; with chains merged; pair by pair; by local search; and, where nothing is
    shared, by branch and bound. `solve` plans problems without shares, by portfolio and branch and bound. Searches run
    for grids of up to `most` buffers.
    """
    bound = tallest(g).bytes
    best = Best(g, search, bound, max(bound, search.capacity or 0))
    quarter = replace(search, steps=search.steps // 4, capacity=best.goal, progress=lambda told: best.tell(told.steps))
    cheap = replace(quarter, techniques=replace(search.techniques, search=False))
    apart = replace(g.problem, shares={})
    best.offer(solve(apart, cheap).offsets)
    if not g.even and not g.pins and not best.done:
        best.offer(solve(_alike(apart), cheap).offsets)
    pairs = Pairwise(g) if search.techniques.pairs and len(g.sizes) <= most else None
    try:
        order = _fits(g, best)
        if g.shares and search.techniques.merge and not best.done:
            for late in (True, False):
                problem, owner = merged(g.problem, late)
                found = solve(problem, quarter)
                best.offer(tuple(found.offsets[k] for k in owner))
                best.report(quarter.steps)
                if not found.complete:
                    raise KeyboardInterrupt
                if best.done:
                    break
        _pairwise(pairs, best, search.steps // 10)
        if not g.shares and not best.done:
            found = solve(apart, replace(quarter, capacity=search.capacity))
            best.offer(found.offsets)
            best.bound = max(best.bound, found.refuted_below)
            best.report(quarter.steps)
            if not found.complete:
                raise KeyboardInterrupt
        if len(g.sizes) <= most and search.techniques.local and not best.done:
            _local(g, order, best)
        _pairwise(pairs, best, search.steps // 4)
    except KeyboardInterrupt:
        best.complete = False
    return Found(best.offsets, refuted_below=best.bound, complete=best.complete)


def _alike(problem: Problem) -> Problem:
    """The problem with all buffers as coarse as the coarsest: its plans are plans of the problem, and easier to find.

    Only empty buffers may be pinned; those stay as they are.
    """
    coarsest = max(buffer.alignment for buffer in problem.buffers if buffer.size)
    alike = (
        replace(buffer, size=align_up(buffer.size, coarsest), alignment=coarsest) if buffer.size else buffer
        for buffer in problem.buffers
    )
    return replace(problem, buffers=tuple(alike))


def _fits(g: Grid, best: Best) -> list[int]:
    """Offer first fit by many orders; the order of the smallest plan."""
    least, chosen = 1 << 62, by(FITS[0], g)
    words = ("ZI", *FITS) if len(g.sizes) <= MANY and best.search.techniques.portfolio else ("ZI",)
    for order in (*(by(word, g) for word in words), *([by_breadth(g)] if len(words) > 1 else [])):
        offsets = first_fit(g, order)
        if g.peak(offsets) < least:
            least, chosen = g.peak(offsets), order
            best.offer(g.offsets(offsets))
        if best.done:
            break
    return chosen


def _local(g: Grid, order: list[int], best: Best) -> None:
    def report(found: list[int], used: int) -> None:
        best.offer(g.offsets(found))
        best.tell(used)

    steps = best.search.steps // 4
    improve(g, order, first_fit(g, order), g.units(best.goal), steps, report)
    best.report(steps)


def _pairwise(pairs: Pairwise | None, best: Best, steps: int) -> None:
    """Ask for a smaller plan until there is none, or the steps are used up; none at all is a proof."""
    if pairs is None or len(pairs.pairs) > PAIRS:
        return
    cost = 1 + len(pairs.pairs) // 30
    pairs.tell = lambda used: best.tell(used * cost)
    while not best.done and steps >= cost:
        try:
            offsets = pairs.fits(best.grid.units(best.peak - best.grid.problem.alignment), steps // cost)
        except OverflowError:
            return
        finally:
            steps -= pairs.steps * cost
            best.report(pairs.steps * cost)
        if offsets is None:
            best.bound = best.peak
        else:
            best.offer(best.grid.offsets(offsets))
