"""Requests as a device printed them: a raw serial log of RecordedMemory, and what of it is scratch.

F2. Lines may carry anything in front and behind; a log may hold several boots and several models. Each counts from 0.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena_codegen.errors import Finding, ModelError, place

MARK = "arena-codegen-request "
MAX_BYTES = 2**31 - 1
"""TFLM counts bytes in 32-bit signed integers."""
LOG = "requests log"
_RECORD = re.compile(re.escape(MARK) + r"(\{[^{}]*\})")
_KEYS = ("i", "size", "first", "last")
_HINT = "print it again: RecordedMemory writes a line a request, `" + MARK + '{"i":0,"size":…,"first":…,"last":…}`'


@dataclass(frozen=True, slots=True)
class Recorded:
    """One request: bytes, which TFLM rounds up to 16, and scopes, both included; `line` counts from 1."""

    size: int
    first: int
    last: int
    line: int

    @property
    def key(self) -> tuple[int, int, int]:
        return (self.size, self.first, self.last)


def read_log(text: str) -> tuple[tuple[Recorded, ...], ...]:
    """The requests of each boot that is in the log from its beginning, in order.

    A boot with a gap or a cut line does not count where another one is whole and as long. Raises ModelError, with the
    line, where none is, or where there are no requests at all.
    """
    boots: list[list[Recorded]] = []
    faults: list[tuple[int, Finding]] = []
    whole = False
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        for found in _records(line, number):
            count = len(boots[-1]) if whole else 0
            if isinstance(found, dict) and found["i"] == 0:
                boots.append([])
                whole, count = True, 0
            if isinstance(found, dict) and whole and found["i"] == count:
                boots[-1].append(Recorded(found["size"], found["first"], found["last"], number))
                continue
            if isinstance(found, dict):
                what = f"request {found['i']} stands where request {count} should"
                found = Finding(what, place(LOG, f"line {number}"), "a line is missing or stands twice; " + _HINT)
            if whole:
                boots.pop()
            if whole or not faults:
                faults.append((count, found))
            whole = False
    longest = max(map(len, boots), default=-1)
    if lost := [fault for count, fault in faults if count >= longest]:
        raise ModelError(lost)
    if not boots:
        raise ModelError(Finding(f"no line with `{MARK.strip()}`", LOG, _HINT))
    return tuple(map(tuple, boots))


def _records(line: str, number: int) -> Iterator[dict[str, int] | Finding]:
    """The records of a line; a finding for one that is cut off or out of range."""
    found = _RECORD.findall(line)
    for text in found:
        fields = _fields(text)
        problem = "not a request" if fields is None else _problem(fields)
        if fields is None or problem:
            yield Finding(f"{problem}: {text[:100]}", place(LOG, f"line {number}"), _HINT)
        else:
            yield fields
    if len(found) != line.count(MARK.strip()):
        yield Finding("line is cut off", place(LOG, f"line {number}"), _HINT)


def _fields(text: str) -> dict[str, int] | None:
    try:
        data = json.loads(text)
    except ValueError:
        return None
    values = {key: data.get(key) for key in _KEYS}
    return values if all(type(value) is int for value in values.values()) else None


def _problem(fields: dict[str, int]) -> str:
    if not 0 <= fields["size"] <= MAX_BYTES:
        return "size is no number of bytes"
    if not -1 <= fields["first"] <= fields["last"] <= MAX_BYTES:
        return "lifetime runs backwards"
    return "" if fields["i"] >= 0 else "number is negative"


@dataclass(frozen=True, slots=True)
class Expected:
    """What the log must begin with: a tensor of ours, as TFLM asks for it; `where` is its place."""

    size: int
    first: int
    last: int
    where: str


def scratch_of(boots: Sequence[tuple[Recorded, ...]], tensors: Sequence[Expected]) -> tuple[Recorded, ...]:
    """What follows the model's tensors in the log.

    A boot of another model, or one that stopped early, does not matter where another boot is whole. Raises ModelError
    where no boot begins with the tensors, or where two do and go on differently.
    """
    faults = [_mismatch(boot, tensors) for boot in boots]
    fitting = [boot for boot, fault in zip(boots, faults, strict=True) if fault is None]
    if not fitting:
        raise ModelError(max(zip(boots, faults, strict=True), key=lambda pair: len(pair[0]))[1] or ())
    whole = _longest(fitting)
    for boot in fitting:
        for ours, theirs in zip(whole, boot, strict=False):
            if ours.key != theirs.key:
                what = f"two boots disagree: {_text(ours.key)} on line {ours.line}, {_text(theirs.key)} here"
                where = place(LOG, f"line {theirs.line}")
                raise ModelError(Finding(what, where, "give a log of one device and one model"))
    return whole[len(tensors) :]


def _longest(boots: Sequence[tuple[Recorded, ...]]) -> tuple[Recorded, ...]:
    return max(boots, key=len)


def _mismatch(boot: tuple[Recorded, ...], tensors: Sequence[Expected]) -> Finding | None:
    hint = "is it the log of this model, with --shape as planned here?"
    for number, (tensor, row) in enumerate(zip(tensors, boot, strict=False)):
        wanted = (tensor.size, tensor.first, tensor.last)
        if row.key != wanted:
            what = f"request {number} is {_text(row.key)}, this tensor needs {_text(wanted)}"
            return Finding(what, place(LOG, f"line {row.line}", tensor.where), hint)
    if len(boot) < len(tensors):
        what = f"the log has {len(boot)} requests, the model has {len(tensors)} tensors in the arena"
        return Finding(what, place(LOG, f"line {boot[-1].line}", tensors[len(boot)].where), hint)
    return None


def _text(key: tuple[int, int, int]) -> str:
    return f"{key[0]} bytes in scopes {key[1]}..{key[2]}"
