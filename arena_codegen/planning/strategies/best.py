"""The smallest plan that this package can find."""

from __future__ import annotations

from ..effort import Search
from ..problem import Problem
from ..result import Found


def best(problem: Problem, search: Search) -> Found:
    """A portfolio of cheap placements, as long as the bound is not reached; then branch and bound, within its steps.

    Never larger than `greedy`. Shares are used where the problem permits them. Problems of more than some thousand
    buffers are not searched.
    """
    from ..search.minimise import minimise

    return minimise(problem, search, most=3000)
