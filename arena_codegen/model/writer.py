"""F1. A copy of a model with an offline plan in its metadata; everything else stays as it is, byte for byte.

FlatBuffers refer forward. So a new root table goes in front, with new vectors of metadata and buffers that refer to the
old entries, and the old file follows whole, moved by a multiple of 16: whatever was aligned stays aligned.

    root offset, identifier | Model | metadata | buffers | Metadata | Buffer | name | offsets | the old file
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from arena_codegen.errors import Finding, ModelError
from arena_codegen.model.flat import Flat
from arena_codegen.model.offline_plan import NAME, offline_plan_bytes
from arena_codegen.model.schema import METADATA, MODEL
from arena_codegen.model.types import Model

_VERSION, _BUFFERS, _METADATA, _SLOTS = 0, 4, 6, 8
"""Slots of the Model table; there are eight: version, operator codes, subgraphs, description, buffers, …"""
_ALIGNMENT = 16
"""force_align of Buffer.data in the schema."""


def with_offline_plan(model: Model, offsets: Sequence[int]) -> bytes:
    """The model's bytes with these offsets, one for each tensor of all subgraphs, as its only offline plan.

    Raises ModelError for a file with parts behind the flatbuffer, which count from its start, and for one with parts
    that this version does not know.
    """
    if model.external:
        what = "the file has parts behind the flatbuffer, counted from its start; a plan in metadata would move them"
        raise ModelError(Finding(what, model.file, "use the header, or convert the model to less than 2 GB"))
    data = model.data
    root, fields = _table(data)
    if unknown := [slot for slot in fields if slot >= _SLOTS]:
        what = f"the file's root table has {len(unknown)} fields of a newer schema; it cannot be copied safely"
        raise ModelError(Finding(what, model.file, "use the header, or convert the model with an older TensorFlow"))
    flat = Flat(data)
    *_, buffers, metadata, _ = flat.read(MODEL, flat.root())
    kept = [at for at in metadata if flat.read(METADATA, at)[0] != NAME]
    return _Front(data, root, fields, kept, list(buffers), offline_plan_bytes(len(model.subgraphs), offsets)).write()


def _table(data: bytes) -> tuple[int, dict[int, int]]:
    """The root table's position, and where its fields lie, by slot."""
    (root,) = struct.unpack_from("<I", data, 0)
    vtable = root - struct.unpack_from("<i", data, root)[0]
    (size,) = struct.unpack_from("<H", data, vtable)
    steps = struct.unpack_from(f"<{(size - 4) // 2}H", data, vtable + 4)
    return root, {slot: root + step for slot, step in enumerate(steps) if step}


def _up(at: int) -> int:
    return -(-at // _ALIGNMENT) * _ALIGNMENT


class _Front:
    """What goes in front of the old file. State: where each part lies, then the bytes."""

    def __init__(
        self, data: bytes, root: int, fields: dict[int, int], metadata: list[int], buffers: list[int], plan: bytes
    ) -> None:
        self.data, self.fields, self.old_metadata, self.old_buffers, self.plan = data, fields, metadata, buffers, plan
        self.model_vtable = 8
        self.model = self.model_vtable + 4 + 2 * _SLOTS
        self.metadata = self.model + 4 + 4 * _SLOTS
        self.buffers = self.metadata + 4 * (len(metadata) + 2)
        self.entry = self.buffers + 4 * (len(buffers) + 2) + 8
        self.buffer = self.entry + 12 + 8
        self.name = self.buffer + 8
        self.offsets = _up(self.name + 4 + len(NAME) + 1 + 4) - 4
        self.old = _up(self.offsets + 4 + len(plan))
        self.out = bytearray(self.old)

    def write(self) -> bytes:
        self._put("<I4s", 0, self.model, self.data[4:8])
        steps = [4 + 4 * slot if slot in self.fields or slot in (_BUFFERS, _METADATA) else 0 for slot in range(_SLOTS)]
        self._put(f"<2H{_SLOTS}H", self.model_vtable, 4 + 2 * _SLOTS, 4 + 4 * _SLOTS, *steps)
        self._put("<i", self.model, self.model - self.model_vtable)
        for slot in range(_SLOTS):
            self._field(slot, self.model + 4 + 4 * slot)
        self._vector(self.metadata, self.old_metadata, self.entry)
        self._vector(self.buffers, self.old_buffers, self.buffer)
        self._put("<4H", self.entry - 8, 8, 12, 4, 8)
        self._put("<iII", self.entry, 8, self.name - (self.entry + 4), len(self.old_buffers))
        self._put("<3H", self.buffer - 8, 6, 8, 4)
        self._put("<iI", self.buffer, 8, self.offsets - (self.buffer + 4))
        self._put(f"<I{len(NAME)}s", self.name, len(NAME), NAME.encode())
        self._put(f"<I{len(self.plan)}s", self.offsets, len(self.plan), self.plan)
        return bytes(self.out) + self.data

    def _put(self, form: str, at: int, *values: object) -> None:
        struct.pack_into(form, self.out, at, *values)

    def _field(self, slot: int, at: int) -> None:
        """A field of the new root table: ours, the old number, or what the old offset refers to."""
        if slot in (_BUFFERS, _METADATA):
            self._put("<I", at, (self.buffers if slot == _BUFFERS else self.metadata) - at)
        elif slot in self.fields:
            (value,) = struct.unpack_from("<I", self.data, self.fields[slot])
            self._put("<I", at, value if slot == _VERSION else self.old + self.fields[slot] + value - at)

    def _vector(self, at: int, old: list[int], new: int) -> None:
        """A vector of tables: the old ones, then the new one; each offset counts from itself."""
        self._put("<I", at, len(old) + 1)
        for index, target in enumerate([*(self.old + position for position in old), new]):
            element = at + 4 + 4 * index
            self._put("<I", element, target - element)
