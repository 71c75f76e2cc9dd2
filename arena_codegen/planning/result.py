"""What a strategy answers: an offset for every buffer, and how good that is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Offsets = tuple[int, ...]
"""Bytes from the start of the arena, in the order of the problem's buffers."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Offsets in bytes from the start of the arena, in the order of the problem's buffers.

    `peak`: bytes of arena, rounded up to the problem's alignment. `lower_bound`: the best proven bound, rounded alike;
    no plan of the same problem can be smaller. `strategy`: who placed them. `refuted`: True where the bound comes from
    a search that refuted every smaller size, False where it is the tallest step. `complete`: False where a search was
    interrupted before it had used up its steps.
    """

    offsets: Offsets
    peak: int
    lower_bound: int
    strategy: str
    refuted: bool = False
    complete: bool = True

    @property
    def optimal(self) -> bool:
        """True where the peak is proven to be the smallest possible."""
        return self.peak == self.lower_bound

    @property
    def gap(self) -> int:
        """Bytes between the peak and the best proven bound."""
        return self.peak - self.lower_bound


@dataclass(frozen=True, slots=True)
class Found:
    """What a searching strategy knows when it stops: the best offsets, and what it refuted (bytes; 0 is nothing)."""

    offsets: Offsets
    refuted_below: int = 0
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search has come: the best peak and bound so far in bytes, steps used and allowed."""

    peak: int
    lower_bound: int
    steps: int
    limit: int


OnProgress = Callable[[Progress], None]
