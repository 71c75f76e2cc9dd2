"""Ways to place buffers, one a module: `STRATEGIES` by name.

`RULES` answer with offsets and never share bytes; `SEARCHES` take steps and answer with what they found.
"""

from __future__ import annotations

from collections.abc import Callable

from ..effort import Search
from ..problem import Problem
from ..result import Found, Offsets
from .best import best
from .exact import exact
from .greedy import greedy
from .linear import linear
from .naive import naive

SEARCHES: dict[str, Callable[[Problem, Search], Found]] = {"best": best, "exact": exact}
RULES: dict[str, Callable[[Problem], Offsets]] = {"greedy": greedy, "linear": linear, "naive": naive}
STRATEGIES: dict[str, Callable[..., Found | Offsets]] = {**SEARCHES, **RULES}
