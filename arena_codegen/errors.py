"""F0. What can go wrong, as values: a finding says what, where and what to do about it.

Findings are collected before anything is raised, so that a user sees every fault of a file at once.
One subclass of `ArenaError` per exit code; the command line is the only place that turns one into text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault or warning: what is wrong, where, and what to do.

    `where` is a place as `place()` writes it, or "" where the whole run is meant; `hint` may be "". `is_note` says that
    nothing is wrong: it is shown as a note, where others are warnings.
    """

    what: str
    where: str = ""
    hint: str = ""
    is_note: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        """What, where and what to do, each on lines of its own, as the command line says it."""
        places = [f"  at   {self.where}"] if self.where else []
        return "\n".join([self.what, *places, *(f"  hint {hint}" for hint in self.hint.split("\n") if hint)])


class ArenaError(Exception):
    """A reason to stop that the user can act on. Anything else that is raised is a bug of ours (exit 70)."""

    exit_code = 70

    def __init__(self, findings: Finding | Iterable[Finding]) -> None:
        self.findings = (findings,) if isinstance(findings, Finding) else tuple(findings)
        super().__init__("\n".join(map(str, self.findings)))


class FoundError(ArenaError):
    """`diff` or `check` found a difference or a fault."""

    exit_code = 1


class UsageError(ArenaError):
    """Wrong usage, or a file that cannot be written."""

    exit_code = 2


class ModelError(ArenaError):
    """The model, or a file that describes it, is missing, unreadable or unsupported."""

    exit_code = 3


class FitError(ArenaError):
    """The plan needs more bytes than a budget or a board has."""

    exit_code = 4


class VerdictError(ArenaError):
    """The judge or the board disagrees with a plan."""

    exit_code = 5


class ToolError(ArenaError):
    """A tool or a package is missing."""

    exit_code = 6


def place(*parts: str) -> str:
    """A place inside a model, from the outside in: `kws.tflite · subgraph 0 · op 3 CONV_2D · tensor 17 'conv1'`."""
    return " · ".join(part for part in parts if part)
