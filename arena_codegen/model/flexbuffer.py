"""F1. The whole numbers of a FlexBuffer: how TFLM's own custom operators carry their options.

Source: flatbuffers/flexbuffers.h. The last byte is the width of the root, the one before it its type; a map is a
vector of values, sorted by key, behind a vector of keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from struct import unpack

_MAP, _FLOATS, _NUMBERS = 9, (3, 8), (1, 2, 3, 26)
"""Types, as the upper six bits have them: a map; floats; whole numbers, floats and booleans that lie in place."""


def read_numbers(data: bytes) -> Mapping[str, int]:
    """The numbers of the root map by key, floats cut to whole ones; {} for bytes that are no map.

    Values that are not numbers are left out. Never raises: bytes that point nowhere read as no map.
    """
    try:
        return _map(data)
    except (IndexError, ValueError):
        return {}


def _map(data: bytes) -> dict[str, int]:
    width, kind = data[-1], data[-2]
    if kind >> 2 != _MAP or width not in (1, 2, 4, 8):
        return {}
    at, width = _follow(data, len(data) - 2 - width, width), 1 << (kind & 3)
    count = _unsigned(data, at - width, width)
    keys, key_width = _follow(data, at - 3 * width, width), _unsigned(data, at - 2 * width, width)
    if count > len(data) or key_width not in (1, 2, 4, 8):
        return {}
    values = {}
    for index in range(count):
        key = _follow(data, keys + index * key_width, key_width)
        kind = data[at + count * width + index] >> 2
        if kind in _NUMBERS:
            values[data[key : data.index(0, key)].decode()] = _number(data, at + index * width, width, kind)
    return values


def _slice(data: bytes, at: int, width: int) -> bytes:
    if not 0 <= at <= len(data) - width:
        raise IndexError(at)
    return data[at : at + width]


def _unsigned(data: bytes, at: int, width: int) -> int:
    return int.from_bytes(_slice(data, at, width), "little")


def _follow(data: bytes, at: int, width: int) -> int:
    """Where an offset leads: backwards."""
    target = at - _unsigned(data, at, width)
    if target < 0:
        raise IndexError(target)
    return target


def _number(data: bytes, at: int, width: int, kind: int) -> int:
    raw = _slice(data, at, width)
    if kind in _FLOATS and width > 1:
        value: float = unpack({2: "<e", 4: "<f", 8: "<d"}[width], raw)[0]
        if not abs(value) < 2**63:
            raise ValueError(value)
        return int(value)
    return int.from_bytes(raw, "little", signed=True)
