"""Is a layout that came from a file one in kind: whole numbers where these belong, positions that exist?

F4. What the numbers say is not judged here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from arena_codegen.errors import Finding, ModelError
from arena_codegen.layout.types import Layout


def check_kind(layout: Layout, file: str) -> None:
    """Raises ModelError with everything in a layout that is of another kind than its schema says."""
    faults = list(_faults(layout, Layout, "")) or list(_strays(layout))
    if faults:
        raise ModelError([Finding(fault, file, "write it again with --json") for fault in faults])


def _faults(value: Any, kind: Any, where: str) -> Iterator[str]:
    """Every place in a value that is not of a kind."""
    origin = get_origin(kind)
    if origin is UnionType:
        some = [one for one in get_args(kind) if one is not NoneType]
        if value is not None or NoneType not in get_args(kind):
            yield from _faults(value, some[0], where)
    elif origin is tuple:
        if not isinstance(value, tuple):
            yield f"{where} is no list"
            return
        for position, item in enumerate(value):
            yield from _faults(item, get_args(kind)[0], f"{where}[{position}]")
    elif is_dataclass(kind):
        if not isinstance(value, kind):  # type: ignore[arg-type]
            yield f"{where} is no object"
            return
        for name, hint in _hints(type(value)).items():
            yield from _faults(getattr(value, name), hint, f"{where}.{name}" if where else name)
    elif not _is(value, Mapping if origin is not None else kind):
        yield f"{where} is {value!r:.60}, not {_WORDS.get(kind, 'an object')}"


_WORDS = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


def _is(value: Any, kind: type) -> bool:
    if kind is int:
        return type(value) is int
    return type(value) in (int, float) if kind is float else isinstance(value, kind)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _strays(layout: Layout) -> Iterator[str]:
    """Positions and numbers that name nothing."""
    buffers, operators = len(layout.buffers), len(layout.operators)
    if layout.peak_operator is not None and not 0 <= layout.peak_operator < operators:
        yield f"peak_operator is {layout.peak_operator}: there are {operators} operators"
    for scope, position in enumerate(layout.steps):
        if not -1 <= position < operators:
            yield f"steps[{scope}] is {position}: there are {operators} operators"
    for position, row in enumerate(layout.buffers):
        if row.index != position:
            yield f"buffers[{position}].index is {row.index}"
        if not -1 <= row.first <= row.last <= layout.end_scope:
            yield f"buffers[{position}] lives from {row.first} to {row.last}, of steps up to {layout.end_scope}"
        if min(row.size, row.bytes, row.offset) < 0:
            yield f"buffers[{position}] has a negative number of bytes"
        if not all(0 <= share.index < buffers for share in row.shares):
            yield f"buffers[{position}] shares bytes with a buffer that does not exist"
    for position, tensor in enumerate(layout.tensors):
        if tensor.buffer is not None and not 0 <= tensor.buffer < buffers:
            yield f"tensors[{position}].buffer is {tensor.buffer}: there are {buffers} buffers"
    if not -1 <= layout.peak_scope <= layout.end_scope:
        yield f"peak_scope is {layout.peak_scope}, of steps up to {layout.end_scope}"
