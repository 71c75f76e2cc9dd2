"""The smallest plan that this package can find."""

from __future__ import annotations

from ..effort import Search
from ..problem import Problem
from ..result import Found, Offsets
from .greedy import greedy
from .linear import linear
from .naive import naive


def best(problem: Problem, search: Search) -> Found:
    """The smallest of the simple strategies' plans."""

    def height(offsets: Offsets) -> int:
        return max((offset + buffer.size for offset, buffer in zip(offsets, problem.buffers)), default=0)

    return Found(min((place(problem) for place in (greedy, linear, naive)), key=height))
