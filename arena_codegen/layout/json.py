"""The layout as JSON, and back.

F4. Line-oriented: one row of a table a line, so that a layout can be committed and read in a diff. `SCHEMA` changes
when a reader of the old one could be misled.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, cast

from arena_codegen.errors import Finding, ModelError
from arena_codegen.layout.types import (
    Amount,
    BufferRow,
    GreedyTail,
    Layout,
    ModelInfo,
    OperatorRow,
    ShareRow,
    Tail,
    TailItem,
    TensorRow,
)

SCHEMA = 1

Value = TypeVar("Value")

_ATOMS = frozenset((int, str, float, bool, type(None)))

_KNOWN_OR_ABSENT = ("tail", "weights", "metadata")

_ROWS = {"tensors": TensorRow, "buffers": BufferRow, "operators": OperatorRow, "warnings": Finding}


def layout_to_json(layout: Layout) -> str:
    """The layout as JSON text, ending in a newline; keys in a fixed order, one row of a table a line."""
    data = layout_data(layout)
    lines = []
    for key, value in data.items():
        if key in _ROWS and value:
            rows = ",\n".join("    " + _text(row) for row in value)
            lines.append(f'  "{key}": [\n{rows}\n  ]')
        else:
            lines.append(f'  "{key}": {_text(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def layout_data(layout: Layout) -> dict[str, Any]:
    """The layout as plain dicts and lists, in the order of the schema; what is not known is absent."""
    data: dict[str, Any] = {"schema": SCHEMA}
    for name in (field.name for field in fields(layout)):
        if name in _KNOWN_OR_ABSENT and getattr(layout, name) is None:
            continue
        data[name] = _plain(getattr(layout, name))
        if name == "tail" and data[name]["greedy"] is None:
            del data[name]["greedy"]
        if name == "strategy":
            data["optimal"] = layout.optimal
    return data


def _plain(value: Any) -> Any:
    """Plain data from a value; most are atoms, and a layout has hundred thousands of them, so these come first."""
    kind: Any = type(value)
    if kind in _ATOMS:
        return value
    if kind is tuple or kind is list:
        return [_plain(item) for item in value]
    if kind is Finding:
        return {"what": value.what, "where": value.where, "hint": value.hint}
    if is_dataclass(value):
        return {name: _plain(getattr(value, name)) for name in _names(kind)}
    return dict(value)


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(", ", ": "))


def layout_from_json(text: str, file: str) -> Layout:
    """The layout that `layout_to_json` wrote. Raises ModelError, with the place, for anything else."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _refused(file, f"not a layout: {error}") from error
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        found = data.get("schema") if isinstance(data, dict) else None
        raise _refused(file, f"not a layout of schema {SCHEMA}" + (f": its schema is {found!r}" if found else ""))
    tail = data.get("tail")
    try:
        return _record(
            Layout,
            data,
            model=_record(ModelInfo, data["model"]),
            tail=_tail(tail) if tail is not None else None,
            peak_reason=data.get("peak_reason", ""),
            constants=_record(Amount, data["constants"]),
            weights=_amount(data.get("weights")),
            metadata=_amount(data.get("metadata")),
            variables=_record(Amount, data["variables"]),
            steps=tuple(data.get("steps", ())),
            buffers=tuple(_buffer(row, index) for index, row in enumerate(data["buffers"])),
            **{
                key: tuple(_record(_ROWS[key], row) for row in data[key])
                for key in ("tensors", "operators", "warnings")
            },
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise _refused(file, f"not a whole layout: {error!r}") from error


def _amount(data: Mapping[str, Any] | None) -> Amount | None:
    return None if data is None else _record(Amount, data)


def _refused(file: str, what: str) -> ModelError:
    return ModelError(Finding(what, file, "write one with arena-codegen MODEL.tflite -o PLAN.h --json FILE"))


def _record(kind: type[Value], data: Mapping[str, Any], **given: Any) -> Value:
    """A value of `kind` from a JSON object; keys that it does not know are ignored, lists become tuples."""
    names = [field.name for field in fields(cast("Any", kind)) if field.name not in given and field.name != "is_note"]
    values = {name: tuple(data[name]) if isinstance(data[name], list) else data[name] for name in names}
    return kind(**values, **given)


def _buffer(row: Mapping[str, Any], index: int) -> BufferRow:
    for name in ("index", "bytes", "size", "first", "last", "offset"):
        if type(row[name]) is not int:
            raise TypeError(f"buffers[{index}].{name} is {row[name]!r}, not an integer")
    shares = tuple(_record(ShareRow, share) for share in row.get("shares", ()))
    return _record(BufferRow, row, shares=shares, uses=tuple(row.get("uses", ())))


def _tail(data: Mapping[str, Any]) -> Tail:
    items = tuple(_record(TailItem, item) for item in data["items"])
    greedy = _record(GreedyTail, data["greedy"]) if data.get("greedy") is not None else None
    return _record(Tail, data, greedy=greedy, items=items)
