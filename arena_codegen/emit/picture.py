"""The arena as a picture, before it is drawn: time across, address up, one rectangle a buffer.

F5. Fractions of the plot: x from the left, y from the top, both 0 … 1; whoever draws multiplies. A step is a column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena_codegen.emit.steps import Step, steps
from arena_codegen.layout.types import BufferRow, Layout, ShareRow
from arena_codegen.layout.words import numbered
from arena_codegen.text import printable

ROLES = ("input", "intermediate", "output", "scratch", "variable")
HEADROOM = 12
"""A part in so many of the height stays free above the plan."""

SIGN, LINE = 6.4, 15
"""Pixels that a character takes, and a line of them, about, where letters are 11 pixels high."""

BYTE_TICKS = 9
"""At most so many marks on the axis of bytes."""


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of the plot."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Box:
    """A buffer and where it lies; `clear` is the part that nobody takes over, where its label goes."""

    row: BufferRow
    area: Area
    clear: Area


@dataclass(frozen=True, slots=True)
class Shared:
    """Bytes that two buffers hold at the same time, as one of them may."""

    row: BufferRow
    other: BufferRow
    share: ShareRow
    area: Area


@dataclass(frozen=True, slots=True)
class Level:
    """A height: so many bytes, and what to write there."""

    bytes: int
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that is drawn; `peak` is the column of the peak step, `ceiling` the bytes at the top of the plot."""

    ceiling: int
    steps: tuple[Step, ...]
    boxes: tuple[Box, ...]
    shared: tuple[Shared, ...]
    ticks: tuple[Level, ...]
    levels: tuple[Level, ...]
    peak: int

    def column(self, index: int) -> tuple[float, float]:
        """Left edge and width of a step."""
        return index / len(self.steps), 1 / len(self.steps)


def picture(layout: Layout, reference: Layout | None = None) -> Picture:
    """The picture of a layout. With a `reference`, the marks are that plan's peak instead of the bound."""
    timeline = steps(layout)
    first = timeline[0].scope
    top = max(layout.peak, layout.lower_bound, reference.peak if reference else 0)
    ceiling = max(top + top // HEADROOM, 1)

    def area(start: int, end: int, low: int, high: int) -> Area:
        count = len(timeline)
        return Area((start - first) / count, 1 - high / ceiling, (end - start + 1) / count, (high - low) / ceiling)

    rows = sorted((row for row in layout.buffers if row.size), key=lambda row: (row.first, row.index))
    shared = [(row, other, share) for row in rows for share in row.shares for other in (layout.buffers[share.index],)
              if _meet(row, other)]  # fmt: skip
    lost = {other.index: row.first for row, other, _ in shared if row.first > other.first}
    whole = {row.index: area(row.first, row.last, row.offset, row.end) for row in rows}
    return Picture(
        ceiling=ceiling,
        steps=timeline,
        boxes=tuple(Box(row, whole[row.index], _left(whole[row.index], row, lost.get(row.index))) for row in rows),
        shared=tuple(Shared(*three, _both(whole[three[0].index], whole[three[1].index])) for three in shared),
        ticks=tuple(Level(size, 1 - size / ceiling, str(size)) for size in byte_ticks(ceiling)),
        levels=tuple(Level(size, 1 - size / ceiling, text) for size, text in _levels(layout, reference)),
        peak=layout.peak_scope - first if rows else 0,
    )


def _both(one: Area, other: Area) -> Area:
    """What two areas have in common."""
    x, y = max(one.x, other.x), max(one.y, other.y)
    right, bottom = min(one.x + one.width, other.x + other.width), min(one.y + one.height, other.y + other.height)
    return Area(x, y, right - x, bottom - y)


def _left(area: Area, row: BufferRow, end: int | None) -> Area:
    """The part of a buffer's area before the step in which its bytes are taken over; all of it where they are not."""
    steps_alive = row.last - row.first + 1
    return area if end is None else replace(area, width=area.width * (end - row.first) / steps_alive)


def _meet(row: BufferRow, other: BufferRow) -> bool:
    """True where two buffers hold the same bytes at the same time."""
    return max(row.offset, other.offset) < min(row.end, other.end) and max(row.first, other.first) <= min(
        row.last, other.last
    )


def _levels(layout: Layout, reference: Layout | None) -> list[tuple[int, str]]:
    if not layout.peak:
        return []
    if reference is not None:
        same = reference.peak == layout.peak
        ours = [] if same else [(reference.peak, f"{reference.strategy} needs {reference.peak}")]
        return [(layout.peak, f"peak {layout.peak}" + (f", as {reference.strategy}" if same else "")), *ours]
    if layout.optimal:
        return [(layout.peak, f"peak {layout.peak} = lower bound")]
    return [(layout.peak, f"peak {layout.peak}"), (layout.lower_bound, f"lower bound {layout.lower_bound}")]


def byte_ticks(ceiling: int, most: int = BYTE_TICKS) -> list[int]:
    """Round numbers of bytes from 0 up to `ceiling`: multiples of 1, 2 or 5 times a power of ten."""
    step = next(
        digit * 10**power for power in range(20) for digit in (1, 2, 5) if ceiling // (digit * 10**power) < most
    )
    return list(range(0, ceiling + 1, step))


def thinned(timeline: Sequence[Step], across: float) -> list[bool]:
    """Which steps have room for their number on an axis of so many pixels: every one, or every 2nd, 5th, 10th …"""
    need = len(timeline) / across * max(len(step.number) for step in timeline) * (SIGN + 2)
    every = next(times * 10**power for power in range(20) for times in (1, 2, 5) if times * 10**power >= need)
    start = next((at for at, step in enumerate(timeline) if step.operator is not None), 0)
    return [every == 1 or (at >= start and (at - start) % every == 0) for at in range(len(timeline))]


def name_of(row: BufferRow) -> str:
    """What a rectangle says: the tensor's number and its name, or what kind of scratch it is.

    Of the names that a converter joined with semicolons when it fused operators, the first.
    """
    if row.tensor is None:
        return printable(row.name)
    return f"{numbered(row.subgraph, row.tensor)} {printable(row.name.partition(';')[0])}".rstrip()


def fitting(text: str, room: int) -> str:
    """The text in at most `room` characters: its number, and of its name the end; "" where not even that goes in."""
    if len(text) <= room:
        return text
    number, _, name = text.partition(" ")
    left = room - len(number) - 3
    if not number[:1].isdigit():
        return number if 4 <= len(number) <= room else ""
    if left >= 4:
        return f"{number} ..{name[-left:]}"
    return number if len(number) <= room else ""


def label(text: str, width: float, height: float) -> tuple[str, bool]:
    """What to write into a rectangle of so many pixels, and whether upwards: nothing where it is small."""
    level = fitting(text, int((width - 6) / SIGN)) if height >= LINE else ""
    if len(level) < min(len(text), 8) and height > width and width >= LINE - 1:
        return fitting(text, int((height - 6) / SIGN)), True
    return level, False


def roles(layouts: Sequence[Layout]) -> list[str]:
    """The roles that occur, in the order of the legend."""
    found = {row.role for layout in layouts for row in layout.buffers if row.size}
    return [role for role in ROLES if role in found] + sorted(found - set(ROLES))
