"""F3. Requests as values: every ask for memory, in TFLM's order."""

from __future__ import annotations

from dataclasses import dataclass

from arena_codegen.errors import Finding
from arena_codegen.kernels.base import KernelLibrary
from arena_codegen.model.types import Model
from arena_codegen.options import PlanOptions
from arena_codegen.planning.problem import align_up
from arena_codegen.timeline import Timeline

MAX_ARENA = 2**31 - 1
"""TFLM counts offsets in 32-bit signed integers."""

TFLM_ALIGNMENT = 16
"""TFLM's planner gets every size rounded up to this (micro_arena_constants.h)."""


@dataclass(frozen=True, slots=True)
class Request:
    """One ask for memory.

    `tensor` is None for scratch, `operator` None for tensors; both are indices of `subgraph`. `bytes` is raw. `first`
    and `last` are the planned lifetime: TFLM's scopes, longer where the user keeps the tensor. `offset` is a pin.
    """

    kind: str
    subgraph: int
    tensor: int | None
    operator: int | None
    name: str
    dtype: str | None
    shape: tuple[int, ...]
    role: str
    bytes: int
    alignment: int
    first: int
    last: int
    offset: int | None = None

    @property
    def size(self) -> int:
        """Bytes rounded up to the alignment."""
        return align_up(self.bytes, self.alignment)


@dataclass(frozen=True, slots=True)
class Share:
    """A permission: `output` may take over bytes of `input`, both positions in the rows.

    `rule` "in-place": the same offset. "overlap": the input at least `distance` bytes above the output, which may be
    negative. Disjoint is right as well. `why` is one line.
    """

    input: int
    output: int
    rule: str
    distance: int
    why: str


@dataclass(frozen=True, slots=True)
class Requests:
    """All requests of a model, with what could not be known.

    `unknown_scratch` names operators whose scratch nobody knows. `warnings` are worth a line to the user. `shares` are
    in the order of their outputs; a pair stands once.
    """

    model: Model
    timeline: Timeline
    kernels: KernelLibrary
    options: PlanOptions
    rows: tuple[Request, ...]
    unknown_scratch: tuple[str, ...]
    warnings: tuple[Finding, ...]
    shares: tuple[Share, ...] = ()


def element_alignment(size: int) -> int:
    """The largest alignment that a Cortex-M asks of an element: its size, at most 8."""
    return min(size, 8)


def place_of(model: Model, row: Request) -> str:
    """The place of a request, as messages name it."""
    return model.where(row.subgraph, row.operator, row.tensor)
