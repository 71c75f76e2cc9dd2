"""What the board said about an inference → a verdict: operator by operator, and for what is wrong, who did it.

F7. The firmware tells its checks as TAP, repeats for programs what it found as `# @…` lines, and sends the bytes of tensors
that the host is to judge (firmware_stub/inference/tell.h).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from arena_codegen.emit.network import operator_label
from arena_codegen.errors import Finding, place
from arena_codegen.inference import Network
from arena_codegen.layout.types import BufferRow, Layout
from arena_codegen.model.types import Operator
from arena_codegen.verify.golden import Golden
from arena_codegen.verify.tools import Ended
from arena_codegen.verify.verdict import FAILED, PASSED, check_end

RELATIVE, ABSOLUTE = 1e-4, 1e-5
"""Tolerance of floating point: |got − wanted| ≤ ABSOLUTE + RELATIVE · max |wanted| of the tensor. TFLM's float kernels sum in
another order and use other exponential functions; whole numbers have no tolerance."""

THE_END = -1

_NOTE = re.compile(r"# @(.*)")
_FAILED_POINT = re.compile(r"not ok \d+ - (.*)")


@dataclass(frozen=True, slots=True)
class Computed:
    """An operator that ran: what it is called, its kernel, instructions of its first run, bytes that it reads and writes.

    `verdict` is `bit-exact`, `within tolerance`, `wrong`, `not run`, or `state` for one without a tensor to judge.
    """

    label: str
    kernel: str
    instructions: int
    read: int
    written: int
    verdict: str


@dataclass(frozen=True, slots=True)
class Inference:
    """The board's word on an inference. `failures` are findings; `used` is how high the arena was written."""

    operators: tuple[Computed, ...]
    invocations: int
    points: int
    failures: tuple[Finding, ...]
    used: int
    planned: int
    worst: float
    output: str

    @property
    def passed(self) -> bool:
        return self.points > 0 and not self.failures

    @property
    def instructions(self) -> int:
        return sum(operator.instructions for operator in self.operators)


@dataclass(frozen=True, slots=True)
class _Sent:
    """Bytes of a tensor that the board sent."""

    tensor: int
    invocation: int
    operator: int
    data: bytes


def read_inference(
    ended: Ended, sent: bytes, network: Network, layout: Layout, goldens: Sequence[Golden], timeout: float
) -> Inference:
    """The verdict. Raises VerdictError where the run hung, faulted, or broke off."""
    lines = [line.rstrip() for line in ended.output.splitlines()]
    check_end(ended, lines, layout.model.file, timeout)
    notes = [_numbers(match[1]) for line in lines if (match := _NOTE.fullmatch(line))]
    arrived = _tensors(notes, sent)
    reader = _Reader(network, layout, goldens, arrived)
    failures = [finding for note in notes for finding in reader.failures(note)]
    wrong_floats = [finding for one in arrived for finding in reader.out_of_tolerance(one)]
    points = [match[1] for line in lines if (match := _FAILED_POINT.fullmatch(line))]
    if len(points) > len(failures):
        failures += [Finding(text, layout.model.file) for text in points if not reader.explains(text)]
    failures += wrong_floats[:1] if not failures else []
    end = next((note for note in notes if "points" in note), {"points": 0, "failures": 1})
    water = next((note for note in notes if "high-water" in note), {"high-water": 0, "planned": layout.peak})
    if (ended.code == PASSED) != (end["failures"] == 0):
        failures.append(Finding(f"the board's exit code {ended.code} contradicts its report", layout.model.file))
    return Inference(
        operators=tuple(reader.computed(operator, notes, bool(failures)) for operator in reader.operators),
        invocations=len(goldens),
        points=end["points"],
        failures=tuple(failures),
        used=water["high-water"],
        planned=water["planned"],
        worst=reader.worst,
        output=ended.output,
    )
