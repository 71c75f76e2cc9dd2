"""From a problem to the smallest plan that the steps allow: portfolio, then search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..bound import tallest
from ..effort import Search
from ..grid import Grid, grid
from ..problem import Problem
from ..result import Found, Progress
from .portfolio import portfolio
from .special import special

if TYPE_CHECKING:
    from .hunt import Hunt


def minimise(problem: Problem, search: Search, most: int) -> Found:
    """The best plan found; problems of more than `most` buffers are left to the portfolio.

    An interrupt (KeyboardInterrupt) after the first plan ends it early, with `complete` False.
    """
    g = grid(problem)
    if not g.plain:
        return special(g, search, most, lambda part, told: _solved(grid(part), told, most))
    return _solved(g, search, most)


def _solved(g: Grid, search: Search, most: int) -> Found:
    """Portfolio, then branch and bound, for a grid without shares."""
    bound = tallest(g).bytes
    goal = g.units(max(bound, search.capacity or 0))
    plans = portfolio(g, search.techniques)
    height, offsets = next(plans, (0, []))
    hunt: Hunt | None = None
    complete = True
    try:
        while height > goal:
            better = next(plans, None)
            if better is None:
                break
            height, offsets = better
        if height > goal and search.techniques.search and len(g.sizes) <= most:
            from .hunt import Hunt  # few problems need it

            hunt = Hunt(g, offsets, g.units(bound), goal, search.steps, search.techniques)
            _report(hunt, g, search)
            if search.capacity is not None and g.units(search.capacity) == goal:
                hunt.reach()
            hunt.minimise()
    except KeyboardInterrupt:
        complete = False
    if hunt is None:
        return Found(g.offsets(offsets), complete=complete)
    return Found(g.offsets(hunt.offsets), refuted_below=g.bytes(hunt.bound), complete=complete)


def _report(hunt: Hunt, g: Grid, search: Search) -> None:
    """Have the hunt tell the caller how far it is."""
    progress = search.progress
    if progress is not None:
        hunt.report = lambda steps: progress(
            Progress(g.bytes(hunt.height), g.bytes(hunt.bound), min(steps, hunt.limit), hunt.limit)
        )
