"""F1. FlatBuffers, read within their bounds: whatever the bytes are, a value comes back or `Broken` is raised.

The `flatbuffers` runtime trusts its input: a negative offset wraps around, a vector may claim four billion elements.
Here every offset and every length is compared with the file before anything is made from it, and the work is bounded: a
file that refers to the same bytes over and over is refused after some multiples of its own size.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_SIGNED = struct.Struct("<i")
_UNSIGNED = struct.Struct("<I")
_SHORTS = struct.Struct("<HH")

_TABLE_COST = 16
_PATIENCE = 4
"""No writer makes files whose parts, each counted where it is used, exceed their size by this factor."""


class Broken(ValueError):
    """The bytes are not the table that was expected; the text says which field and why."""


class Exhausted(Broken):
    """The file refers to the same bytes over and over; there is no point in reading on."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a table: its name, its slot in the vtable, how to read it, and what it is when absent.

    `kind` is a struct format of one scalar (`<i`), or `string` or `table` (also a union); with `many`, a vector of
    these. `read` takes the file and the field's position.
    """

    name: str
    slot: int
    kind: str
    many: bool
    default: Any
    read: Callable[[Flat, int], Any]


Layout = tuple[Field, ...]


class Flat:
    """The bytes of a file. State: the vtables seen so far, and how much may still be read."""

    __slots__ = ("_left", "_vtables", "external", "size", "view")

    def __init__(self, data: bytes) -> None:
        self.view = memoryview(data).toreadonly()
        self.size = len(data)
        self.external = False
        self._left = _PATIENCE * self.size + 1024
        self._vtables: dict[int, tuple[int, ...]] = {}

    def root(self) -> int:
        """The position of the root table."""
        try:
            return self._unsigned(0)
        except struct.error:
            raise Broken("the file ends before its root table") from None

    def read(self, layout: Layout, at: int) -> list[Any]:
        """The fields of the table at `at`, in the order of `layout`.

        Scalars are numbers, strings are text, tables are positions, vectors are tuples of these, byte vectors are views
        of the file. Strings that are not UTF-8 keep their odd bytes as backslash escapes. Raises `Broken`.
        """
        vtable = self._vtable(at)
        slots = len(vtable)
        values = []
        for field in layout:
            offset = vtable[field.slot] if field.slot < slots else 0
            if not offset:
                values.append(field.default)
                continue
            try:
                values.append(field.read(self, at + offset))
            except Exhausted:
                raise
            except (Broken, struct.error) as error:
                why = error if isinstance(error, Broken) else "lies outside the file"
                raise Broken(f"field {field.name}: {why}") from None
        return values

    def _unsigned(self, at: int) -> int:
        value: int = _UNSIGNED.unpack_from(self.view, at)[0]
        return value

    def charge(self, cost: int) -> None:
        """Count work against the size of the file."""
        self._left -= cost
        if self._left < 0:
            raise Exhausted("the file refers to the same bytes over and over")

    def _vtable(self, at: int) -> tuple[int, ...]:
        self.charge(_TABLE_COST)
        try:
            start = at - _SIGNED.unpack_from(self.view, at)[0]
            known = self._vtables.get(start)
            if known is None:
                known = self._vtables[start] = self._new_vtable(start)
        except struct.error:
            raise Broken(f"table at byte {at} lies outside the file ({self.size} bytes)") from None
        if at + known[1] > self.size:
            raise Broken(f"table at byte {at} runs past the end of the file ({self.size} bytes)")
        return known

    def _new_vtable(self, start: int) -> tuple[int, ...]:
        """The vtable as 16-bit words: its size, the table's size, then the offset of each field."""
        if start < 0:
            raise Broken(f"a table's vtable lies before the file, at byte {start}")
        size, table = _SHORTS.unpack_from(self.view, start)
        if size < 4 or size % 2 or table < 4:
            raise Broken(f"no vtable at byte {start}")
        self.charge(size)
        return struct.unpack_from(f"<{size // 2}H", self.view, start)

    def vector(self, at: int, width: int) -> tuple[int, int]:
        """Start and count of the vector that `at` refers to; its elements, `width` bytes each, lie inside the file."""
        start = at + self._unsigned(at)
        if start + 4 > self.size:
            raise Broken(f"lies outside the file, at byte {start} of {self.size}")
        count = self._unsigned(start)
        if start + 4 + count * width > self.size:
            raise Broken(f"{count} elements at byte {start} run past the end of the file ({self.size} bytes)")
        return start + 4, count

    def bytes_at(self, at: int) -> memoryview:
        """A vector of bytes, as a view of the file."""
        start, count = self.vector(at, 1)
        return self.view[start : start + count]

    def outside(self, offset: int, size: int) -> memoryview:
        """Bytes behind the flatbuffer, addressed from the start of the file; sets `external`."""
        self.external = True
        if offset + size > self.size:
            raise Broken(f"{size} bytes at byte {offset} run past the end of the file ({self.size} bytes)")
        return self.view[offset : offset + size]

    def string(self, at: int) -> str:
        text = self.bytes_at(at)
        self.charge(len(text))
        return bytes(text).decode("utf-8", "backslashreplace")

    def table(self, at: int) -> int:
        """The position of the table that `at` refers to."""
        return at + self._unsigned(at)

    def tables(self, at: int) -> tuple[int, ...]:
        """The positions of a vector of tables; each offset counts from itself."""
        start, count = self.vector(at, 4)
        self.charge(4 * count)
        steps = struct.unpack_from(f"<{count}I", self.view, start)
        return tuple(start + 4 * index + step for index, step in enumerate(steps))

    def strings(self, at: int) -> tuple[str, ...]:
        start, count = self.vector(at, 4)
        self.charge(4 * count)
        return tuple(self.string(start + 4 * index) for index in range(count))

    def numbers(self, at: int, kind: str, width: int) -> tuple[Any, ...]:
        start, count = self.vector(at, width)
        self.charge(count * width)
        return struct.unpack_from(f"<{count}{kind}", self.view, start)


_READERS: dict[tuple[str, bool], Callable[[Flat, int], Any]] = {
    ("string", False): Flat.string,
    ("string", True): Flat.strings,
    ("table", False): Flat.table,
    ("table", True): Flat.tables,
    ("<B", True): Flat.bytes_at,
}


def reader(kind: str, many: bool) -> Callable[[Flat, int], Any]:
    """The function that reads a field of this kind at a position."""
    if known := _READERS.get((kind, many)):
        return known
    scalar = struct.Struct(kind)
    if many:
        return lambda flat, at: flat.numbers(at, kind[-1], scalar.size)
    return lambda flat, at: scalar.unpack_from(flat.view, at)[0]
