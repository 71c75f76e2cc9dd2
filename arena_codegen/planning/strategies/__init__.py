"""Ways to place buffers, one a module: `STRATEGIES` by name.

`RULES` answer with offsets and never share bytes; `SEARCHES` take steps and answer with what they found.
"""

from __future__ import annotations

from .best import best
from .exact import exact
from .greedy import greedy
from .linear import linear
from .naive import naive

SEARCHES = {"best": best, "exact": exact}
RULES = {"greedy": greedy, "linear": linear, "naive": naive}
STRATEGIES = {**SEARCHES, **RULES}
