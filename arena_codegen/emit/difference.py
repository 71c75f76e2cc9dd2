"""What changed between two layouts: as text, as Markdown for a review, as data.

F5. Every number is one of the two layouts'.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from arena_codegen.emit.story import called
from arena_codegen.layout.difference import KINDS, Change, Difference
from arena_codegen.text import counted, grid, printable

SCHEMA = 1
LISTED = 25
"""So many changes of a kind are listed before the rest is counted; data has all."""

_VERBS = {"stays": "is now alive there", "leaves": "is not alive there any more"}
_MARKUP = re.compile(r"([\\`*_\[\]#|~])")


def to_text(difference: Difference, width: int) -> list[str]:
    """The difference in lines: sizes, who is to blame, what shaped the plans, then buffer by buffer."""
    head = ("", "before", "after", "change", "")
    rows = [(what, _shown(a), _shown(b), _signed(a, b), _percent(a, b)) for what, a, b in sizes(difference)]
    lines = grid(head, rows, ("",), "", width)
    for title, texts in (("to blame", blame(difference)), ("changed", _settings(difference))):
        lines += ["", f"{title}:", *(line for text in texts for line in _wrapped(text, width))] if texts else []
    table = _table(difference)
    if table:
        columns = ("change", "buffer", "bytes", "", "offset", "")
        lines += ["", *grid(columns, table, ("change", "buffer", ""), "buffer", width), *_more(difference)]
    return lines if table or difference.settings or difference.grown else [*lines, "", "no difference"]


def to_markdown(difference: Difference) -> list[str]:
    """The difference as GitHub and others render it; what comes from a model is escaped."""
    a, b = difference.old.arena_bytes, difference.new.arena_bytes
    title = f"### Tensor arena of {_plain(difference.new.model.file)}: {_signed(a, b)} bytes"
    lines = [title + (f" ({_percent(a, b)})" if _percent(a, b) else ""), ""]
    lines += ["| bytes | before | after | change |", "| --- | ---: | ---: | ---: |"]
    lines += [f"| {what} | {_shown(a)} | {_shown(b)} | {_signed(a, b)} |" for what, a, b in sizes(difference)]
    texts = blame(difference)
    lines += ["", *(f"- {_plain(text)}" for text in texts)] if texts else []
    lines += _details("What shaped the plan changed", [f"- {_plain(text)}" for text in _settings(difference)])
    table = _table(difference)
    if table:
        rows = ["| change | buffer | bytes | | offset | |", "| --- | --- | ---: | --- | ---: | --- |"]
        rows += [f"| {' | '.join(_plain(str(cell)) for cell in row)} |" for row in table]
        lines += _details(counts(difference), [*rows, *(["", *_more(difference)] if _more(difference) else [])])
    return lines


def to_json(difference: Difference, allow: int) -> str:
    """The difference as data; every change is there."""
    blamed = difference.blame
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "old": {"file": difference.old.model.file, "sha256": difference.old.model.sha256},
        "new": {"file": difference.new.model.file, "sha256": difference.new.model.sha256},
        "grown": difference.grown,
        "allowed": allow,
        "sizes": [{"what": what, "before": a, "after": b} for what, a, b in sizes(difference)],
        "settings": [{"what": what, "before": a, "after": b} for what, a, b in difference.settings],
        "tail": [{"what": what, "before": a, "after": b} for what, a, b in difference.tail],
        "blame": None
        if blamed is None
        else {
            "operator": blamed.operator,
            "before": blamed.before,
            "after": blamed.after,
            "unused": list(blamed.unused),
            "shared": list(blamed.shared),
            "buffers": [_data(part) for part in blamed.parts],
        },
        "buffers": [_data(change) for change in difference.changes],
    }
    return json.dumps(data, indent=2)


def sizes(difference: Difference) -> list[tuple[str, int | None, int | None]]:
    """(what, before, after) in bytes; None where it is not known."""
    old, new = difference.old, difference.new
    rows: list[tuple[str, int | None, int | None]] = [
        ("arena", old.arena_bytes, new.arena_bytes),
        ("head", old.peak, new.peak),
        ("lower bound", old.lower_bound, new.lower_bound),
    ]
    if old.tail or new.tail:
        rows.append(("TFLM's tail", old.tail.bytes if old.tail else None, new.tail.bytes if new.tail else None))
    rows += [
        ("head by greedy", old.greedy, new.greedy),
        ("constants", old.constants.bytes, new.constants.bytes),
        ("model's file", old.model.bytes, new.model.bytes),
    ]
    return rows


def blame(difference: Difference) -> list[str]:
    """Who is to blame, in sentences; none where neither head nor tail changed."""
    texts = []
    blamed = difference.blame
    if blamed is not None:
        before = "it did not exist before" if blamed.before is None else f"{blamed.before} before"
        after = "does not exist any more" if blamed.after is None else f"{blamed.after} bytes in use there"
        verb = "decides" if difference.new.peak > difference.old.peak else "decided"
        texts.append(f"{printable(blamed.operator)} {verb} the head: {after}, {before}")
        texts += [_part(part) for part in blamed.parts[:LISTED]]
        for what, (then, now) in (("that nothing uses", blamed.unused), ("that buffers share", blamed.shared)):
            if then != now:
                texts.append(f"bytes of the head {what} there: {then} before, {now} now")
    texts += [f"TFLM's tail: {printable(what)} {a} -> {b} ({_signed(a, b)})" for what, a, b in difference.tail]
    return texts


def _part(part: Change) -> str:
    name = called(part.row)
    if part.before is not None and part.after is not None:
        return f"{name} {part.kind} by {abs(part.delta)} bytes: {part.before.size} -> {part.after.size}"
    return f"{name}, {counted(part.row.size, 'byte')}, {_VERBS.get(part.kind, part.kind)}"


def counts(difference: Difference) -> str:
    """`2 buffers grew, 1 moved`; `no buffer changed`."""
    found = [(len(difference.of(kind)), kind) for kind in KINDS if difference.of(kind)]
    if not found:
        return "no buffer changed"
    first, *rest = found
    return ", ".join([f"{counted(first[0], 'buffer')} {first[1]}", *(f"{number} {kind}" for number, kind in rest)])


def _settings(difference: Difference) -> list[str]:
    return [f"{what}: {printable(_word(a))} -> {printable(_word(b))}" for what, a, b in difference.settings]


def _word(value: Any) -> str:
    return "-" if value is None else " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _table(difference: Difference) -> list[tuple[str, str, str, str, str, str]]:
    """Changes as cells: what, which buffer, bytes and their change, offset and where it went."""
    return [_cells(change) for kind in KINDS for change in difference.of(kind)[:LISTED]]


def _cells(change: Change) -> tuple[str, str, str, str, str, str]:
    before, after = change.before, change.after
    now = "" if before is None or after is None or before.offset == after.offset else f"-> {after.offset}"
    delta = f"{change.delta:+d}" if change.delta else ""
    return (change.kind, called(change.row), str(change.row.size), delta, str((before or change.row).offset), now)


def _more(difference: Difference) -> list[str]:
    rest = {kind: len(difference.of(kind)) - LISTED for kind in KINDS}
    return [f"and {number} more that {kind}" for kind, number in rest.items() if number > 0]


def _data(change: Change) -> dict[str, Any]:
    row = change.row
    data: dict[str, Any] = {"change": change.kind, "kind": row.kind, "subgraph": row.subgraph, "tensor": row.tensor}
    data |= {"operator": row.operator, "name": row.name, "role": row.role}
    for when, one in (("before", change.before), ("after", change.after)):
        data[when] = None if one is None else {"bytes": one.bytes, "size": one.size, "offset": one.offset}
    return data


def _shown(number: int | None) -> str:
    return "unknown" if number is None else str(number)


def _signed(before: int | None, after: int | None) -> str:
    if before is None or after is None:
        return ""
    return f"{after - before:+d}" if after != before else "0"


def _percent(before: int | None, after: int | None) -> str:
    if not before or after is None or before == after:
        return ""
    return f"{100 * (after - before) / before:+.1f}%"


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(text, max(width, 40), initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)


def _details(title: str, lines: Sequence[str]) -> list[str]:
    return ["", "<details>", f"<summary>{title}</summary>", "", *lines, "", "</details>"] if lines else []


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    escaped = printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _MARKUP.sub(r"\\\1", escaped).replace("@", "&#64;")
