"""What a kernel library asks of memory, as a value.

F2. A library is data and functions of shapes and options only: it knows operators and tensors, no time and no arena.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from arena_codegen.kernels.steps import Step
from arena_codegen.model.types import Operator, Subgraph


@dataclass(frozen=True, slots=True)
class ShareRule:
    """A permission: this output of an operator may take over bytes of this input.

    `input` and `output` are positions in the operator's lists. `kind`: "in-place" permits the same start only;
    "overlap" permits the input to lie at least `distance` bytes above the output. `why` is one line with the source it
    comes from.
    """

    input: int
    output: int
    kind: str
    distance: int
    why: str


Scratch = Callable[[Subgraph, Operator], tuple[int, ...] | None]
"""Scratch bytes of one operator in request order, 0-byte requests included; None where nobody knows."""

Shares = Callable[[Subgraph, Operator], tuple[ShareRule, ...]]
"""What one operator permits; an operator that is not in the table permits nothing."""

Reason = Callable[[Subgraph, Operator], str]
"""Why one operator permits nothing, in one line; "" where it permits something."""


def unknown_kernel(subgraph: Subgraph, operator: Operator) -> str:
    """The reason where nobody says which kernels run."""
    return "its kernel is not known"


Steps = Callable[[Subgraph, Operator], tuple[Step, ...]]
"""What Init or Prepare of one operator asks of the arena, in order. Raises `call.Unknown` where nobody knows."""


@dataclass(frozen=True, slots=True)
class KernelLibrary:
    """A kernel library for one target.

    `name` is what `--kernels` says, `version` what the numbers hold for (printed in the header), `profile` the
    constant of `arena_codegen/plan.h` that a device compares. `init` and `prepare` are None where TFLM's tail cannot
    be known. `why_apart` gives the reason of operators that permit nothing.
    """

    name: str
    version: str
    profile: str
    scratch: Scratch
    shares: Shares
    init: Steps | None = None
    prepare: Steps | None = None
    why_apart: Reason = unknown_kernel


def no_scratch(subgraph: Subgraph, operator: Operator) -> tuple[int, ...]:
    """No operator asks for scratch."""
    return ()


def no_shares(subgraph: Subgraph, operator: Operator) -> tuple[ShareRule, ...]:
    """No operator permits anything."""
    return ()


NONE = KernelLibrary("none", "no kernels: tensors alone", "ARENA_KERNELS_NONE", no_scratch, no_shares)
RECORDED = KernelLibrary(
    "recorded", "requests as a device printed them", "ARENA_KERNELS_RECORDED", no_scratch, no_shares
)
