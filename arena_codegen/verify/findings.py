"""What the board said about an inference → a verdict, operator by operator.

F7. The firmware tells its checks as TAP, repeats for programs what it found as `# @…` lines, and sends the bytes of
tensors that the host is to look at (firmware_stub/inference/tell.h).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from arena_codegen.errors import Finding
from arena_codegen.inference import Network
from arena_codegen.layout.types import Layout
from arena_codegen.model.types import Operator
from arena_codegen.verify.blame import Blame
from arena_codegen.verify.golden import Golden
from arena_codegen.verify.tools import Ended
from arena_codegen.verify.verdict import PASSED, check_end

RELATIVE, ABSOLUTE = 1e-4, 1e-5
"""Tolerance of floating point: |got − wanted| ≤ ABSOLUTE + RELATIVE · max |wanted| of the tensor. TFLM's float kernels
use other exponential functions and may sum in another order; whole numbers have no tolerance."""

BIT_EXACT, TOLERATED, WRONG, NOT_RUN, UNJUDGED = (
    "bit-exact",
    "within tolerance",
    "wrong",
    "not run",
    "no tensor to judge",
)

_NOTE = re.compile(r"# @(.*)")
_FAILED = re.compile(r"not ok \d+ - (.*)")


@dataclass(frozen=True, slots=True)
class Computed:
    """An operator: its kernel, the instructions of the first invocation in which it ran, the bytes of its inputs,
    weights included, and of its outputs, and one of the verdicts above."""

    subgraph: int
    index: int
    name: str
    kernel: str
    instructions: int
    read: int
    written: int
    verdict: str


@dataclass(frozen=True, slots=True)
class Inference:
    """The board's word on an inference. `failures` are findings; `used` is how high the arena was written, `worst` the
    largest error of floating point, as a part of the tolerance."""

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


@dataclass(slots=True)
class _Reading:
    """What was read so far: failures in the order in which they were told, and who ran."""

    failures: list[Finding] = field(default_factory=list)
    told: int = 0
    wrong: set[int] = field(default_factory=set)
    instructions: dict[int, tuple[int, int]] = field(default_factory=dict)
    worst: dict[int, float] = field(default_factory=dict)


def read_inference(
    ended: Ended, sent: bytes, network: Network, layout: Layout, goldens: Sequence[Golden], timeout: float
) -> Inference:
    """The verdict. Raises VerdictError where the run hung, faulted, or broke off."""
    lines = [line.rstrip() for line in ended.output.splitlines()]
    check_end(ended, lines, layout.model.file, timeout)
    notes = [_numbers(match[1]) for line in lines if (match := _NOTE.fullmatch(line))]
    reading = _read(notes, sent, network, Blame(network, layout), goldens)
    said = [match[1] for line in lines if (match := _FAILED.fullmatch(line))]
    if len(said) > reading.told:
        reading.failures += [Finding(text, layout.model.file) for text in said[reading.told :]]
    end = next((note for note in notes if "points" in note), {"points": 0, "failures": 1})
    water = next((note for note in notes if "high-water" in note), {"high-water": 0, "planned": layout.peak})
    if (ended.code == PASSED) != (end["failures"] == 0):
        reading.failures.append(
            Finding(f"the board's exit code {ended.code} contradicts its report", layout.model.file)
        )
    return Inference(
        operators=tuple(_operators(network, layout, goldens, reading)),
        invocations=len(goldens),
        points=end["points"],
        failures=tuple(reading.failures),
        used=water["high-water"],
        planned=water["planned"],
        worst=max(reading.worst.values(), default=0.0),
        output=ended.output,
    )


def _numbers(text: str) -> dict[str, int]:
    words = text.split()
    return {word: int(number) for word, number in zip(words[::2], words[1::2], strict=True)}


def _read(
    notes: Sequence[dict[str, int]], sent: bytes, network: Network, blame: Blame, goldens: Sequence[Golden]
) -> _Reading:
    reading, at = _Reading(), 0
    pending: dict[str, int] = {}
    for note in notes:
        if "bytes" in note:
            data, at = sent[at : at + note["bytes"]], at + note["bytes"]
            golden = goldens[note["invocation"]].tensors[note["tensor"]]
            _judge(reading, note, pending, data, network, blame, golden)
            pending = {}
        elif "instructions" in note:
            _count(reading, note)
        elif "lost" in note or "wrong" in note:
            pending = note
            reading.told += 1
            if note["operator"] < 0 and "wrong" in note:
                reading.failures.append(blame.at_the_end(note["tensor"]))
        elif "scratch" in note:
            reading.told += 1
            reading.wrong.add(note["operator"])
            reading.failures.append(blame.scratch(note["operator"], note["scratch"], note["planned"], note["needed"]))
        elif "refused" in note:
            reading.told += 1
            reading.wrong.add(note["operator"])
            reading.failures.append(blame.refused(note["operator"]))
    return reading


def _count(reading: _Reading, note: dict[str, int]) -> None:
    invocation, so_far = reading.instructions.get(note["operator"], (note["invocation"], 0))
    if invocation == note["invocation"]:
        reading.instructions[note["operator"]] = invocation, so_far + note["instructions"]


def _judge(
    reading: _Reading,
    note: dict[str, int],
    pending: dict[str, int],
    data: bytes,
    network: Network,
    blame: Blame,
    wanted: np.ndarray | None,
) -> None:
    tensor, operator = note["tensor"], note["operator"]
    values = None
    if wanted is not None:
        got = np.frombuffer(data, wanted.dtype.newbyteorder("<")).reshape(wanted.shape)
        first, error = _first_difference(got, wanted)
        reading.worst[operator] = max(reading.worst.get(operator, 0.0), error)
        values = (first, got.flat[first], wanted.flat[first]) if first is not None else None
    if "lost" in pending:
        reading.wrong.add(operator)
        reading.failures.append(blame.lost(operator, tensor, values))
    elif "wrong" in pending or values is not None:
        reading.wrong.add(operator)
        if "wrong" in pending or not reading.failures:
            reading.failures.append(blame.wrong(operator, tensor, values))


def _first_difference(got: np.ndarray, wanted: np.ndarray) -> tuple[int | None, float]:
    """The first element that is beyond the tolerance, in row-major order, and the largest error as a part of it."""
    if wanted.dtype.kind == "f":
        error = _errors(got, wanted)
        places = np.flatnonzero(error > 1.0)
        worst = float(error.max()) if error.size else 0.0
    else:
        places, worst = np.flatnonzero(got != wanted), 0.0
    return (int(places[0]) if places.size else None), worst


def _errors(got: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """The error of every element as a part of the tolerance; what is no number is right where it should be none."""
    finite = np.abs(wanted[np.isfinite(wanted)])
    limit = ABSOLUTE + RELATIVE * (float(finite.max()) if finite.size else 0.0)
    same = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
    with np.errstate(invalid="ignore"):
        error = np.where(same, 0.0, np.abs(got.astype(np.float64) - wanted) / limit)
    return np.where(np.isnan(error), np.inf, error)


def _operators(network: Network, layout: Layout, goldens: Sequence[Golden], reading: _Reading) -> Iterator[Computed]:
    placed = {network.flat(row.subgraph, row.tensor) for row in layout.buffers if row.tensor is not None}
    known = {flat for flat in placed if all(golden.tensors[flat] is not None for golden in goldens)}
    operators = [operator for graph in network.model.subgraphs for operator in graph.operators]
    for number, operator in enumerate(operators):
        call = network.calls[operator.subgraph][operator.index]
        yield Computed(
            subgraph=operator.subgraph,
            index=operator.index,
            name=operator.name,
            kernel=call.kernel or "runner",
            instructions=reading.instructions.get(number, (0, 0))[1],
            read=_bytes(network, network.inputs(operator)),
            written=_bytes(network, network.outputs(operator)),
            verdict=_verdict(network, operator, number, known, reading),
        )


def _bytes(network: Network, tensors: Sequence[int]) -> int:
    return sum(network.tensors[flat].bytes for flat in tensors if flat >= 0)


def _verdict(network: Network, operator: Operator, number: int, known: set[int], reading: _Reading) -> str:
    if number in reading.wrong:
        return WRONG
    has_kernel = bool(network.calls[operator.subgraph][operator.index].kernel)
    if (has_kernel and number not in reading.instructions) or (not has_kernel and reading.failures):
        return NOT_RUN
    if not known.intersection(network.outputs(operator)):
        return UNJUDGED
    return TOLERATED if reading.worst.get(number, 0.0) > 0.0 else BIT_EXACT
