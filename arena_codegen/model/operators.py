"""F1. Operators and their codes, options and callees, from tables into values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from arena_codegen.errors import place
from arena_codegen.model import schema
from arena_codegen.model.faults import Faults
from arena_codegen.model.flat import Broken, Flat
from arena_codegen.model.types import Operator

# The subgraphs that an operator calls, in the order in which TFLM walks them (micro_allocation_info.cc).
CALLEES = {
    "IF": ("then_subgraph_index", "else_subgraph_index"),
    "WHILE": ("cond_subgraph_index", "body_subgraph_index"),
    "CALL_ONCE": ("init_subgraph_index",),
}
_NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Code:
    """An entry of the file's table of operator codes."""

    code: int
    name: str
    version: int
    is_custom: bool
    is_old: bool = False
    """Only the old byte says so: TFLM's memory planner looks at the wider field alone."""


def decode_code(flat: Flat, _index: int, at: int) -> Code:
    """Old files set a byte, new ones a wider field, most set both: the larger one holds.

    A custom operator is named by its own code, unprintable characters escaped; one that bears a builtin operator's name
    gets `CUSTOM:` in front of it, since its kernel is not that operator's.
    """
    deprecated, custom, version, builtin = flat.read(schema.OPERATOR_CODE, at)
    code = max(deprecated, builtin)
    if code < 0:
        raise Broken(f"field builtin_code is {code}")
    if code != schema.CUSTOM:
        return Code(code, schema.operator_name(code), version, False, is_old=builtin < code)
    name = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in custom or "") or "CUSTOM"
    return Code(code, f"CUSTOM:{name}" if name in schema.OPERATOR_NAMES else name, version, True)


def decode_operator(
    flat: Flat, faults: Faults, codes: tuple[Code | None, ...], subgraph: int, index: int, at: int
) -> Operator:
    """One operator; raises `Broken` where it cannot be read or has no operator code."""
    fields = flat.read(schema.OPERATOR, at)
    number, inputs, outputs, intermediates, *options, custom, large_offset, large_size = fields
    if number >= len(codes):
        raise Broken(f"field opcode_index is {number}, the file has {len(codes)} operator codes")
    code = codes[number]
    if code is None:
        raise Broken(f"field opcode_index is {number}, an operator code that cannot be read")
    operator = Operator(
        subgraph=subgraph,
        index=index,
        code=code.code,
        name=code.name,
        version=code.version,
        inputs=inputs,
        outputs=outputs,
        intermediates=intermediates,
        is_custom=code.is_custom,
        options=_NO_OPTIONS if code.is_custom else _options(flat, code.name, options),
        custom_options=_custom_options(flat, custom, large_offset, large_size),
    )
    callees = _callees(faults, operator, given=bool(options[0]))
    if callees and code.is_old:
        what = f"{code.name} stands in the old field of its operator code alone: TFLM gives what it calls no lifetimes"
        hint = "TFLM's own planner would let live tensors overlap; convert the model again with a converter of today"
        faults.warn(what, place(faults.file, f"subgraph {subgraph}", operator.label), hint)
    return replace(operator, callees=callees) if callees else operator


def _options(flat: Flat, operator: str, unions: list[Any]) -> Mapping[str, Any]:
    """The operator's options; the schema's defaults where the file has none or another operator's, as in TFLM."""
    known = schema.options_layout(operator)
    if known is None:
        return _NO_OPTIONS
    (number, member), fields = known
    kind, at = unions[:2] if number == 1 else unions[2:]
    if kind != member or at is None:
        return MappingProxyType({field.name: _plain(field.default) for field in fields})
    try:
        values = flat.read(fields, at)
    except Broken as error:
        raise type(error)(f"options: {error}") from None
    return MappingProxyType({field.name: _plain(value) for field, value in zip(fields, values, strict=True)})


def _plain(value: Any) -> Any:
    return "" if value is None else bytes(value) if isinstance(value, memoryview) else value


def _custom_options(flat: Flat, inside: memoryview | tuple[()], offset: int, size: int) -> bytes:
    """A custom operator's own bytes, which may lie behind the flatbuffer when they are large."""
    data = memoryview(inside or b"")
    if not len(data) and offset > 1:
        try:
            data = flat.outside(offset, size)
        except Broken as error:
            raise Broken(f"field large_custom_options: {error}") from None
    flat.charge(len(data))
    return bytes(data)


def _callees(faults: Faults, operator: Operator, given: bool) -> tuple[int, ...]:
    """The subgraphs that it calls, as far as TFLM walks them."""
    names, options = CALLEES.get(operator.name, ()), operator.options
    where = place(faults.file, f"subgraph {operator.subgraph}", operator.label)
    if names and not given:
        faults.add(f"{operator.name} has no options, so which subgraph it calls is not known", where)
    elif not names:
        called = [value for field, value in options.items() if field == "subgraph" or field.endswith("_subgraph_index")]
        if called:
            what = f"{operator.name} names subgraph {called[0]}; TFLM does not walk it, and neither does the plan"
            faults.warn(what, where)
    return tuple(options[name] for name in names) if given else ()
