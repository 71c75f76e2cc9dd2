"""What changed from one layout to another, and which operator is to blame.

F4. Every number is one of the two layouts'.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena_codegen.layout.match import Matches, match
from arena_codegen.layout.types import BufferRow, Layout, used_bytes
from arena_codegen.layout.words import numbered

KINDS = ("appeared", "vanished", "grew", "shrank", "moved")


@dataclass(frozen=True, slots=True)
class Change:
    """One buffer that is not what it was; `before` is None for one that appeared, `after` for one that vanished.

    One that grew or shrank may have moved too.
    """

    kind: str
    before: BufferRow | None
    after: BufferRow | None

    @property
    def row(self) -> BufferRow:
        """The buffer as it is, or as it was last."""
        row = self.after or self.before
        assert row is not None
        return row

    @property
    def delta(self) -> int:
        """Bytes more than before, rounded sizes."""
        return (self.after.size if self.after else 0) - (self.before.size if self.before else 0)


@dataclass(frozen=True, slots=True)
class Blame:
    """The step that decides the head: of the new layout where the head did not shrink, else of the old one.

    `operator` names it, `before` and `after` are the bytes in use there in both layouts, None where it does not exist.
    `parts` are the buffers alive there that changed, or were not alive there before (kind `stays`) or are not any more
    (kind `leaves`); `unused` are bytes of the head that nothing uses there, `shared` those that are counted more than
    once among the bytes alive there, both before and after.
    """

    operator: str
    before: int | None
    after: int | None
    parts: tuple[Change, ...]
    unused: tuple[int, int]
    shared: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Difference:
    """Everything that changed. `settings` are (what, before, after) of what shaped the two plans."""

    old: Layout
    new: Layout
    changes: tuple[Change, ...]
    settings: tuple[tuple[str, Any, Any], ...]
    tail: tuple[tuple[str, int, int], ...]
    blame: Blame | None

    @property
    def grown(self) -> int:
        """Bytes that the emitted buffer has more than before; negative where it has less."""
        return self.new.arena_bytes - self.old.arena_bytes

    def of(self, kind: str) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if change.kind == kind)


def differ(old: Layout, new: Layout) -> Difference:
    """What changed from `old` to `new`; blame is None where the heads are equal."""
    matches = match(old, new)
    return Difference(
        old=old,
        new=new,
        changes=_changes(old, new, matches),
        settings=_settings(old, new),
        tail=_tail(old, new),
        blame=_blame(old, new, matches) if old.peak != new.peak else None,
    )


def _changes(old: Layout, new: Layout, matches: Matches) -> tuple[Change, ...]:
    """Largest first within a kind; those that moved in the order of the new layout."""
    found = [_change(old.buffers[before], new.buffers[after]) for before, after in matches.buffers.items()]
    found += [Change("vanished", row, None) for i, row in enumerate(old.buffers) if i not in matches.buffers]
    known = set(matches.buffers.values())
    found += [Change("appeared", None, row) for i, row in enumerate(new.buffers) if i not in known]
    there = [change for change in found if change is not None]
    return tuple(sorted(there, key=lambda change: (KINDS.index(change.kind), -abs(change.delta), change.row.index)))


def _change(before: BufferRow, after: BufferRow) -> Change | None:
    if after.size != before.size:
        return Change("grew" if after.size > before.size else "shrank", before, after)
    return Change("moved", before, after) if after.offset != before.offset and after.size else None


def _settings(old: Layout, new: Layout) -> tuple[tuple[str, Any, Any], ...]:
    rows: list[tuple[str, Any, Any]] = [
        ("tool", old.tool, new.tool),
        ("model", old.model.file, new.model.file),
        ("model's SHA-256", old.model.sha256, new.model.sha256),
        ("kernels", old.kernels, new.kernels),
        ("operators", old.model.operators, new.model.operators),
    ]
    names = dict.fromkeys([*old.options, *new.options])
    rows += [(f"--{name.replace('_', '-')}", _wish(old.options, name), _wish(new.options, name)) for name in names]
    return tuple(row for row in rows if row[1] != row[2])


def _wish(options: Mapping[str, Any], name: str) -> Any:
    """An option's value; lists as tuples, since JSON knows no others, and None where nobody asked."""
    value = options.get(name)
    return tuple(value) if isinstance(value, list) else value


def _tail(old: Layout, new: Layout) -> tuple[tuple[str, int, int], ...]:
    """Parts of TFLM's tail that changed, where both are known."""
    if old.tail is None or new.tail is None:
        return ()
    before, after = ({item.what: item.bytes for item in layout.tail.items} for layout in (old, new) if layout.tail)
    names = dict.fromkeys([*before, *after])
    rows = ((name, before.get(name, 0), after.get(name, 0)) for name in names)
    return tuple(row for row in rows if row[1] != row[2])


def _blame(old: Layout, new: Layout, matches: Matches) -> Blame:
    """The step that decides, and what of it changed."""
    back = {after: before for before, after in matches.operators.items()}
    grown = new.peak > old.peak
    layout, other, twins = (new, old, back) if grown else (old, new, matches.operators)
    position, here = layout.peak_operator, layout.peak_scope
    there = _scope(other, None if position is None else twins.get(position), here if position is None else None)
    before, after = (there, here) if grown else (here, there)
    used = [_used(one, scope) for one, scope in ((old, before), (new, after))]
    return Blame(
        operator=_label(layout, position, here),
        before=used[0],
        after=used[1],
        parts=_parts(old, new, matches, before, after),
        unused=(old.peak - (used[0] or 0), new.peak - (used[1] or 0)),
        shared=(_shared(old, before), _shared(new, after)),
    )


def _scope(layout: Layout, position: int | None, otherwise: int | None) -> int | None:
    """The step of an operator, else another one."""
    return otherwise if position is None else layout.operators[position].scope


def _used(layout: Layout, scope: int | None) -> int | None:
    return None if scope is None else used_bytes(layout.buffers, layout.end_scope).get(scope, 0)


def _shared(layout: Layout, scope: int | None) -> int:
    return 0 if scope is None else layout.live_bytes().get(scope, 0) - (_used(layout, scope) or 0)


def _label(layout: Layout, position: int | None, scope: int) -> str:
    if position is None:
        return "what lies there before the first operator" if scope >= 0 else "what no operator uses"
    row = layout.operators[position]
    return f"op {numbered(row.subgraph, row.index)} {row.name}"


def _parts(old: Layout, new: Layout, matches: Matches, before: int | None, after: int | None) -> tuple[Change, ...]:
    """The buffers alive in the step that changed, largest change first."""
    was = {row.index: row for row in old.alive(before)} if before is not None else {}
    now = {row.index: row for row in new.alive(after)} if after is not None else {}
    back = {after: before for before, after in matches.buffers.items()}
    parts: list[Change] = []
    for index, row in now.items():
        twin = back.get(index)
        if twin is None:
            parts.append(Change("appeared", None, row))
        elif twin not in was:
            parts.append(Change("stays", None, row))
        elif row.size != was[twin].size:
            parts.append(Change("grew" if row.size > was[twin].size else "shrank", was[twin], row))
    for index, row in was.items():
        if matches.buffers.get(index) not in now:
            parts.append(Change("leaves" if index in matches.buffers else "vanished", row, None))
    return tuple(sorted(parts, key=lambda part: (-abs(part.delta), part.row.index)))
