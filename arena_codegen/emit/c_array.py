"""Arrays of constants as C, for the filter `c_array` of the templates."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

ALIGNMENT = 16
"""Of every array, in bytes."""

PER_LINE = 12
SUFFIXES = {"int64_t": "LL", "uint64_t": "ULL", "uint32_t": "U", "uint16_t": "U", "uint8_t": "U"}


@dataclass(frozen=True, slots=True)
class Array:
    """A constant array: its name in C, its element type, its values."""

    name: str
    ctype: str
    values: Sequence[int | float]


def words(name: str, data: bytes | memoryview, width: int, is_float: bool = False) -> Array:
    """The bytes of a constant whose elements have `width` bytes. Elements of one byte stand four in a word, which
    compilers read much faster; the last word is filled up with zeros."""
    data = bytes(data)
    if is_float:
        return Array(name, "float", struct.unpack(f"<{len(data) // 4}f", data))
    width = 4 if width == 1 else width
    data = data.ljust(-(-len(data) // width) * width, b"\0")
    code = {2: "H", 4: "I", 8: "Q"}[width]
    return Array(name, f"uint{8 * width}_t", struct.unpack(f"<{len(data) // width}{code}", data))


def c_array(array: Array) -> str:
    """The definition of an array; one element at least, since C has no empty arrays."""
    lines = ",\n    ".join(_lines(array)) or "0"
    return f"__attribute__((aligned({ALIGNMENT}))) static const {array.ctype} {array.name}[] = {{\n    {lines}\n}};"


def _lines(array: Array) -> Iterator[str]:
    for at in range(0, len(array.values), PER_LINE):
        yield ", ".join(c_number(value, array.ctype) for value in array.values[at : at + PER_LINE])


def c_number(value: int | float, ctype: str = "") -> str:
    """A number as C reads it back to the bit; floats as hexadecimal ones."""
    if isinstance(value, float):
        if math.isnan(value):
            return '__builtin_nanf("")'
        if math.isinf(value):
            return "__builtin_inff()" if value > 0 else "-__builtin_inff()"
        return f"{value.hex()}f"
    if ctype.startswith("uint"):
        return f"{value:#x}{SUFFIXES[ctype]}"
    if value == -(2**31):
        return "(-2147483647 - 1)"
    if value == -(2**63):
        return "(-9223372036854775807LL - 1)"
    return f"{value}{SUFFIXES.get(ctype, '')}"
