"""F1. The plan that a model carries itself: TFLM's OfflineMemoryAllocation metadata, as TFLM reads it.

A buffer of 32-bit numbers, little-endian: version and subgraphs, which TFLM ignores, a count, and an offset for each
tensor of all subgraphs, −1 where TFLM is to place it. The last entry of that name holds (micro_allocation_info.cc,
GetOfflinePlannedOffsets).
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from arena_codegen.errors import Finding, place
from arena_codegen.model.types import Model

NAME = "OfflineMemoryAllocation"
ONLINE = -1
"""The offset of a tensor that TFLM places itself."""

_HEADER = 12


@dataclass(frozen=True, slots=True)
class OfflinePlan:
    """Offsets in bytes by subgraph and tensor, −1 where TFLM places; `faults` is why TFLM could not use them."""

    offsets: tuple[tuple[int, ...], ...]
    faults: tuple[Finding, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True where nothing is fixed."""
        return all(offset == ONLINE for graph in self.offsets for offset in graph)


def read_offline_plan(model: Model) -> OfflinePlan | None:
    """The plan in the model's metadata, None without one. Of a plan with faults, every tensor is left to TFLM."""
    entries = [entry for entry in model.metadata if entry.name == NAME]
    if not entries:
        return None
    counts = [len(graph.tensors) for graph in model.subgraphs]
    offsets, faults = _offsets(model, entries[-1].data, sum(counts))
    if faults:
        offsets = (ONLINE,) * sum(counts)
    rest = iter(offsets)
    return OfflinePlan(tuple(tuple(next(rest) for _ in range(count)) for count in counts), faults)


def _offsets(model: Model, data: bytes, tensors: int) -> tuple[tuple[int, ...], tuple[Finding, ...]]:
    where = place(model.file, f"metadata {NAME!r}")
    if len(data) < _HEADER:
        return (), (Finding(f"offline plan has {len(data)} bytes, its header alone needs {_HEADER}", where),)
    (count,) = struct.unpack_from("<I", data, 8)
    if count != tensors:
        what = f"offline plan has offsets for {count} tensors, the model has {tensors}"
        return (), (Finding(what, where, "TFLM refuses the model; write the plan again for this model"),)
    if len(data) < _HEADER + 4 * count:
        what = f"offline plan has {len(data)} bytes, {count} offsets need {_HEADER + 4 * count}"
        return (), (Finding(what, where, "TFLM does not look, and reads what lies behind the metadata"),)
    offsets = struct.unpack_from(f"<{count}i", data, _HEADER)
    names = [(graph.index, tensor.index) for graph in model.subgraphs for tensor in graph.tensors]
    return offsets, tuple(
        Finding(f"offset {offset} lies before the arena", place(where, model.where(graph, tensor=tensor)))
        for offset, (graph, tensor) in zip(offsets, names, strict=True)
        if offset < ONLINE
    )


def offline_plan_bytes(subgraphs: int, offsets: Sequence[int]) -> bytes:
    """The metadata's bytes for offsets of all tensors, subgraph after subgraph."""
    return struct.pack(f"<3I{len(offsets)}i", 1, subgraphs, len(offsets), *offsets)
