"""A step that would make an arena smaller, with what it would save.

F4. Whoever tries steps makes these rows; reports show them. Every number is that of a plan that was made.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Advice:
    """One step that was tried by planning again.

    `step` is what to do, in the imperative; `how` the command, or what to change in the model; `peak` the planned bytes
    (the head) after it; `saves` the bytes that the head loses, negative where it grows; `why` what the number rests on;
    `retrain` whether the model must be trained again for it.
    """

    step: str
    how: str
    peak: int
    saves: int
    why: str = ""
    retrain: bool = False

    @property
    def title(self) -> str:
        """What to do, marked where it takes training."""
        return f"{self.step} (retrain)" if self.retrain else self.step


def ranked(advice: Iterable[Advice]) -> list[Advice]:
    """What saves something first; of that, what needs no training; of that, what saves most."""
    return sorted(advice, key=lambda row: (row.saves <= 0, row.retrain, -row.saves))
