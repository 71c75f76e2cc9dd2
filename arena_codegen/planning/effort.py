"""How long a search may go on, in steps; never in seconds, so that a plan does not depend on the machine."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from .result import OnProgress

EFFORTS = MappingProxyType({"quick": 2_000, "normal": 30_000, "thorough": 2_000_000})
"""Steps of exact search: places that it tries for a buffer."""


@dataclass(frozen=True, slots=True)
class Search:
    """What a searching strategy is told: effort, a peak in bytes that is good enough, and who wants to know."""

    effort: str = "normal"
    capacity: int | None = None
    progress: OnProgress | None = None

    @property
    def steps(self) -> int:
        """How many steps the search may take."""
        return EFFORTS[self.effort]
