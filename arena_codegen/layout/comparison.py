"""Ways to plan one model, side by side, as values.

F4. Whoever plans makes these rows; reports show them. Every number is that of a plan that was made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena_codegen.layout.types import ModelInfo

SHARINGS = ("none", "in-place", "overlap")
"""What may share bytes: nothing; outputs with their inputs at the same start; outputs that trail their inputs too."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to plan a model. Bytes throughout.

    `sharing` is one of SHARINGS. `peak` is the planned size (the head); `lower_bound` the best bound that any strategy
    has proven for the same buffers and sharing. `unused` are bytes of the peak that nothing uses in the peak's step,
    `unused_mean` the same averaged over all steps. `decides` is the operator of the peak's step, `why` what keeps it
    from needing less. `seconds` is what planning took, None where nobody looked at a clock.
    """

    strategy: str
    sharing: str
    peak: int
    lower_bound: int
    unused: int
    unused_mean: float
    decides: str
    why: str
    seconds: float | None = None

    @property
    def gap(self) -> int:
        """Bytes above the bound."""
        return self.peak - self.lower_bound

    @property
    def optimal(self) -> bool:
        return self.peak == self.lower_bound


@dataclass(frozen=True, slots=True)
class Shipped:
    """What TFLM makes of the model by itself: its head, then (None where its tail is not known) the bytes that it
    reports as used, and the smallest arena with which it boots."""

    head: int
    arena_used: int | None
    min_arena: int | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """All ways to plan one model.

    `options` are those that all of them have in common; `kernels` says for which library the numbers hold.
    """

    model: ModelInfo
    buffers: int
    options: Mapping[str, Any]
    kernels: str
    shipped: Shipped
    ways: tuple[Way, ...]

    def way(self, strategy: str, sharing: str) -> Way:
        """The one way of that name. Raises StopIteration where it was not tried."""
        return next(way for way in self.ways if (way.strategy, way.sharing) == (strategy, sharing))
