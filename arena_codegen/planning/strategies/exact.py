"""Search as far as it goes."""

from __future__ import annotations

from dataclasses import replace

from ..effort import Search
from ..problem import Problem
from ..result import Found


def exact(problem: Problem, search: Search) -> Found:
    """`best` with ten times the steps, for problems three times as large.

    Where the steps suffice the plan is optimal, and its bound proven, by refuting every smaller size if need be.
    """
    from ..search.minimise import minimise

    return minimise(problem, replace(search, steps=10 * search.steps), most=10_000)
