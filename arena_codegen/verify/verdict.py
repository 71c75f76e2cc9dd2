"""What the board said → a verdict, with the failures as findings.

F7. The firmware tells its checks as TAP, and repeats for programs what it found as `# @…` lines
(firmware_stub/src/report.h). A run that did not end as it should is no verdict: VerdictError says what happened.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from arena_codegen.errors import Finding, VerdictError, place
from arena_codegen.layout.types import BufferRow, Layout
from arena_codegen.verify.tools import Ended

NOBODY = -1
PASSED, FAILED = 0, 1
PASSES = {1: "pass 1, offsets", 2: "pass 2, lifetimes"}

_DAMAGE = re.compile(r"# @damage plan (\d+) pass (\d+) victim (\d+) by (-?\d+) byte (\d+) at (.*)")
_HIGH_WATER = re.compile(r"# @high-water plan (\d+) used (\d+) planned (\d+)")
_PLAN = re.compile(r"# @plan (\d+) points (\d+) failures (\d+)")
_POINT = re.compile(r"(not )?ok (\d+) - (.*)")


@dataclass(frozen=True, slots=True)
class Damage:
    """Buffer `victim` was overwritten at arena byte `byte` by buffer `culprit` (NOBODY: by none of the plan).

    `stage` is the pass that found it, `where` the scope or operator that ran.
    """

    stage: int
    victim: int
    culprit: int
    byte: int
    where: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The board's word on one plan: how many checks it made, how many failed, and how high the arena was written.

    `failures` are findings, one for each pair of buffers; `damages` is every single observation of the board, up to its
    limit. `output` is all that the board said, about all plans that it judged.
    """

    points: int
    failed: int
    used: int
    planned: int
    failures: tuple[Finding, ...]
    damages: tuple[Damage, ...]
    output: str

    @property
    def passed(self) -> bool:
        return self.points > 0 and self.failed == 0


def read_verdicts(ended: Ended, layouts: Sequence[Layout], timeout: float) -> tuple[Verdict, ...]:
    """A verdict for each plan. Raises VerdictError where the run hung, faulted, or broke off."""
    lines = [line.rstrip() for line in ended.output.splitlines()]
    check_end(ended, lines, layouts[0].model.file, timeout)
    verdicts, start = [], 0
    for number, layout in enumerate(layouts):
        end = next(
            (at for at in range(start, len(lines)) if (m := _PLAN.fullmatch(lines[at])) and int(m[1]) == number), None
        )
        if end is None:
            raise VerdictError(Finding(f"the board said nothing about plan {number}", layout.model.file))
        verdicts.append(_verdict(lines[start : end + 1], layout, ended.output))
        start = end + 1
    if (ended.code == PASSED) != all(verdict.passed for verdict in verdicts):
        raise VerdictError(Finding(f"the board's exit code {ended.code} contradicts its report", layouts[0].model.file))
    return tuple(verdicts)


def check_end(ended: Ended, lines: list[str], file: str, timeout: float) -> None:
    """The run came to its end by itself and told all of its points."""
    bail = next((line for line in lines if line.startswith("Bail out! ")), None)
    if bail is not None:
        raise VerdictError(
            Finding(f"the board stopped: {bail.removeprefix('Bail out! ')}", file, "this is not a verdict")
        )
    if ended.timed_out:
        last = next((line for line in reversed(lines) if line), "nothing")
        hint = f"it said last: {last}\ngive it more time with --timeout, or report this with the model"
        raise VerdictError(Finding(f"the board did not end within {timeout:g} seconds", file, hint))
    points = sum(1 for line in lines if _POINT.fullmatch(line))
    if ended.code not in (PASSED, FAILED) or f"1..{points}" not in lines[-1:] or lines[:1] != ["TAP version 13"]:
        said = (ended.errors.strip().splitlines() or ["nothing"])[0]
        what = f"the board's report broke off (exit code {ended.code})"
        raise VerdictError(Finding(what, file, f"the emulator said: {said}"))


def _verdict(lines: list[str], layout: Layout, output: str) -> Verdict:
    failures: list[Finding] = []
    damages: list[Damage] = []
    pending: str | None = None
    used = planned = points = failed = 0
    for line in lines:
        if match := _DAMAGE.fullmatch(line):
            stage, victim, culprit, byte = (int(match[number]) for number in (2, 3, 4, 5))
            if not any((known.victim, known.culprit) == (victim, culprit) for known in damages):
                failures.append(_finding(Damage(stage, victim, culprit, byte, match[6]), layout))
            damages.append(Damage(stage, victim, culprit, byte, match[6]))
            pending = None
            continue
        if pending is not None:
            failures.append(Finding(pending, layout.model.file))
            pending = None
        if (match := _POINT.fullmatch(line)) and match[1]:
            pending = match[3]
        elif match := _HIGH_WATER.fullmatch(line):
            used, planned = int(match[2]), int(match[3])
        elif match := _PLAN.fullmatch(line):
            points, failed = int(match[2]), int(match[3])
    return Verdict(points, failed, used, planned, tuple(failures), tuple(damages), output)


def _finding(damage: Damage, layout: Layout) -> Finding:
    by = "nobody that the plan knows" if damage.culprit == NOBODY else _named(layout.buffers[damage.culprit])
    what = f"{_named(layout.buffers[damage.victim])} was overwritten by {by} at byte {damage.byte}"
    hint = (
        "two buffers that are alive together have bytes in common"
        if damage.stage == 1
        else ("the plan lets it die before its last use, or born after its first")
    )
    return Finding(what, place(layout.model.file, PASSES[damage.stage], damage.where), hint)


def _named(row: BufferRow) -> str:
    return f"'{row.label}' [{row.offset}, {row.end})"
