"""The values of a layout: what is in none of them cannot be emitted.

F4. Bytes throughout; scopes are TFLM's allocation scopes, both ends of a lifetime included.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from arena_codegen.errors import Finding


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """Which model: base name, SHA-256 (lower-case hex), zlib CRC-32, and its counts."""

    file: str
    sha256: str
    crc32: int
    bytes: int
    subgraphs: int
    operators: int


@dataclass(frozen=True, slots=True)
class TensorRow:
    """A tensor of the model, in the arena or not. `buffer` is its index there, None without one."""

    subgraph: int
    tensor: int
    name: str
    dtype: str
    shape: tuple[int, ...]
    role: str
    bytes: int
    producer: int | None
    readers: tuple[int, ...]
    buffer: int | None


@dataclass(frozen=True, slots=True)
class ShareRow:
    """A permission, on the row of the output; `index` is the buffer of the input.

    `rule` in-place: equal offsets or disjoint. overlap: `offset[input] − offset[output] ≥ distance`, or disjoint.
    """

    index: int
    rule: str
    distance: int
    why: str


@dataclass(frozen=True, slots=True)
class BufferRow:
    """A buffer of the arena, in TFLM's request order: `bytes` raw, `size` rounded up, alive in `first` … `last`.

    `uses` are the scopes in which its references end, ascending: those of its readers, and of the caller where it
    reads it.
    """

    index: int
    kind: str
    subgraph: int
    tensor: int | None
    operator: int | None
    name: str
    role: str
    dtype: str | None
    shape: tuple[int, ...]
    bytes: int
    size: int
    first: int
    last: int
    offset: int
    shares: tuple[ShareRow, ...] = ()
    uses: tuple[int, ...] = ()

    def references(self, scope: int) -> int:
        """How many reads are still to come when a scope begins."""
        return sum(use >= scope for use in self.uses)

    @property
    def end(self) -> int:
        return self.offset + self.size

    @property
    def label(self) -> str:
        """What people call it: the name, or without one `tensor 17`, in subgraph 1 `tensor 1:17`."""
        if self.name:
            return self.name
        return f"tensor {self.subgraph}:{self.tensor}" if self.subgraph else f"tensor {self.tensor}"


@dataclass(frozen=True, slots=True)
class OperatorRow:
    """An operator: its own scope (−1 where nobody calls its subgraph) and the bytes alive there, rounded sizes."""

    index: int
    subgraph: int
    name: str
    scope: int
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    live: int


@dataclass(frozen=True, slots=True)
class Amount:
    """Bytes of so many things."""

    bytes: int
    count: int


@dataclass(frozen=True, slots=True)
class TailItem:
    """A part of TFLM's persistent memory: what, how many allocations, how many bytes with their alignment."""

    what: str
    count: int
    bytes: int


@dataclass(frozen=True, slots=True)
class GreedyTail:
    """TFLM as shipped: its persistent bytes, what `arena_used_bytes()` says, and the smallest arena that boots."""

    bytes: int
    arena_used: int
    min_arena: int


@dataclass(frozen=True, slots=True)
class Tail:
    """TFLM's persistent memory under PlannedMemory, for the TFLM, compiler and ABI that it names.

    `greedy` is None where the model carries an offline plan with which TFLM as shipped cannot work.
    """

    bytes: int
    min_arena: int
    greedy: GreedyTail | None
    tflm: str
    abi: str
    items: tuple[TailItem, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """Everything there is to say about one plan. Bytes throughout; scopes are TFLM's.

    `kernels` says which kernel library the numbers hold for, `profile` is its constant in `arena_codegen/plan.h`.
    `peak` is the planned size of the arena (the head), `arena_bytes` that of the emitted buffer. `peak_scope` is the
    step in which most bytes of the arena are in use; where buffers share bytes, more than these may be alive. `naive`,
    `linear` and `greedy` are those strategies' peaks on the same requests. `fragmentation` is the part of the peak
    that nothing uses in the peak scope, 0 … 1. `peak_operator` is the index in `operators` of the operator that runs
    there, None where none does; `steps` has that index for every scope, −1 where none does. `peak_reason` says why what
    that operator writes does not lie on what it reads, or how far it does; "" where it does not do both. `alignment` is
    that of the arena: `options["align"]`, or more where an element needs it. `tail` is None where it is not known.
    `weights` are the constants that layers learned, part of `constants`; `metadata` are the file's own entries. In JSON
    of an older version these two are None, and `peak_reason` is "".
    """

    tool: str
    model: ModelInfo
    options: Mapping[str, Any]
    kernels: str
    profile: str
    strategy: str
    alignment: int
    warnings: tuple[Finding, ...]
    peak: int
    lower_bound: int
    refuted: bool
    naive: int
    linear: int
    greedy: int
    fragmentation: float
    peak_scope: int
    peak_operator: int | None
    peak_reason: str
    end_scope: int
    steps: tuple[int, ...]
    arena_bytes: int
    tail: Tail | None
    constants: Amount
    weights: Amount | None
    metadata: Amount | None
    variables: Amount
    unknown_scratch: tuple[str, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    tensors: tuple[TensorRow, ...]
    buffers: tuple[BufferRow, ...]
    operators: tuple[OperatorRow, ...]

    @property
    def optimal(self) -> bool:
        return self.peak == self.lower_bound

    def alive(self, scope: int) -> tuple[BufferRow, ...]:
        """The buffers alive in a scope, by offset."""
        rows = (row for row in self.buffers if row.first <= scope <= row.last and row.size)
        return tuple(sorted(rows, key=lambda row: (row.offset, row.index)))

    def live_bytes(self) -> dict[int, int]:
        """Bytes alive in every scope, rounded sizes, from the first that has any (−1 with orphans) to the last."""
        return live_bytes(self.buffers, self.end_scope)


def live_bytes(buffers: Iterable[BufferRow], end: int) -> dict[int, int]:
    """Bytes alive in every scope up to `end`, rounded sizes, from the first that has any."""
    change: dict[int, int] = {}
    for row in buffers:
        change[row.first] = change.get(row.first, 0) + row.size
        change[row.last + 1] = change.get(row.last + 1, 0) - row.size
    live, total = {}, 0
    for scope in range(min(change, default=0), end + 1):
        total += change.get(scope, 0)
        live[scope] = total
    return live


def used_bytes(buffers: tuple[BufferRow, ...], end: int) -> dict[int, int]:
    """Bytes of the arena in use in every scope up to `end`: those alive, but what several of them hold counts once."""
    live = live_bytes(buffers, end)
    if not any(row.shares for row in buffers):
        return live
    born: dict[int, list[BufferRow]] = {}
    for row in buffers:
        born.setdefault(row.first, []).append(row)
    alive: list[BufferRow] = []
    used = {}
    for scope in live:
        alive = [row for row in alive if row.last >= scope] + born.get(scope, [])
        total = top = 0
        for row in sorted(alive, key=lambda row: row.offset):
            total += max(0, row.end - max(row.offset, top))
            top = max(top, row.end)
        used[scope] = total
    return used
