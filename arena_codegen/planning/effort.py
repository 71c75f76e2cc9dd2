"""How long a search may go on, in steps; never in seconds, so that a plan does not depend on the machine."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from .result import OnProgress

EFFORTS = MappingProxyType({"quick": 3_000, "normal": 30_000, "thorough": 3_000_000})
"""Steps of search: how many partial placements are looked at."""


@dataclass(frozen=True, slots=True)
class Techniques:
    """A switch for each thing that a search can do, so that what it buys can be measured.

    `valleys`: fill the lowest valley. `portfolio`: more than one first-fit order. `search`: branch and bound at all.
    `split`: solve parts that nobody reaches across apart. `memory`: remember failures. `twins`: try one of several
    equal buffers. `restarts`: start over with other orders after a while. `noise`: disturb the orders from then on.
    `edges`: also choose by the edges of a valley. `weld`: join what has no choice between full columns. `merge`: join
    equal chains that may share their start. `local`: local search over orders where bytes may be shared. `pairs`:
    decide pair by pair there.
    """

    valleys: bool = True
    portfolio: bool = True
    search: bool = True
    split: bool = True
    memory: bool = True
    twins: bool = True
    restarts: bool = True
    noise: bool = True
    edges: bool = True
    weld: bool = True
    merge: bool = True
    local: bool = True
    pairs: bool = True


@dataclass(frozen=True, slots=True)
class Search:
    """What a searching strategy is told: steps, a peak in bytes that is good enough, and who wants to know."""

    steps: int = EFFORTS["normal"]
    capacity: int | None = None
    progress: OnProgress | None = None
    techniques: Techniques = Techniques()
