"""The arena as one picture: an SVG that stands alone in a README or a paper.

F5. No script, no font, nothing from elsewhere; colours, patterns and labels each tell the role. Dark where the reader's
system is.
"""

from __future__ import annotations

from arena_codegen.emit.environment import render
from arena_codegen.emit.picture import (
    LINE,
    SIGN,
    Area,
    Box,
    Picture,
    Shared,
    label,
    name_of,
    picture,
    roles,
    thinned,
)
from arena_codegen.emit.steps import Step
from arena_codegen.emit.story import tell
from arena_codegen.emit.words import buffer_text, kib, share_text
from arena_codegen.layout.types import Layout
from arena_codegen.text import clipped, printable

WIDTH, LEFT, RIGHT, TOP, HEIGHT = 1200, 86, 22, 76, 460
ACROSS = WIDTH - LEFT - RIGHT
"""The whole picture's width, and the plot: its margins and its height, in pixels."""

BOLD, CAPITAL = 7.4, 8.6
"""Pixels that a bold character takes, and a bold capital, about."""

DENSE = 4
"""Columns that are narrower leave no room for lines between them."""

NAMED = 20
"""Columns at least so wide have the operator's name under them."""


def render_svg(layout: Layout) -> str:
    """The picture of a layout as SVG text; equal layouts give equal bytes."""
    drawn = picture(layout)
    story = tell(layout)
    wide = ACROSS / len(drawn.steps)
    named = wide >= NAMED
    below = 26 + (min(max(len(_operator(step)) for step in drawn.steps), 24) * CAPITAL + 8 if named else 8)
    return render(
        "svg/arena.svg.j2",
        width=WIDTH,
        height=_n(TOP + HEIGHT + below + 50),
        left=LEFT,
        right=WIDTH - RIGHT,
        top=TOP,
        bottom=TOP + HEIGHT,
        middle=TOP + HEIGHT // 2,
        names_at=TOP + HEIGHT + 34,
        title=_title(layout),
        subtitle=f"{story.decides} decides. {story.proof}",
        description=f"{story.why} Time runs to the right, a column for each step; addresses grow upwards.",
        line="1" if wide >= DENSE else "0.3",
        axis="step, by operator number" if layout.operators else "step",
        columns=[_column(drawn, index, wide, named, shown) for index, shown in enumerate(thinned(drawn.steps, ACROSS))],
        boxes=[_box(box) for box in drawn.boxes],
        shared=[_shared(share) for share in drawn.shared],
        ticks=[(_n(_y(tick.y)), tick.text) for tick in drawn.ticks],
        levels=[(_n(_y(level.y)), level.text, _n(_y(level.y) + (-5 if number == 0 else 13)))
                for number, level in enumerate(drawn.levels)],
        peak=_peak(drawn, wide),
        legend=_legend(layout, bool(drawn.shared)),
        legend_at=_n(TOP + HEIGHT + below + 20),
        empty="" if drawn.boxes else "nothing of this model needs memory in the arena",
    )  # fmt: skip


def _title(layout: Layout) -> str:
    """`kws.tflite: head 16000 bytes (15.6 KiB) · arena 22896`; the arena where it is more than the head."""
    arena = f" · arena {layout.arena_bytes}" if layout.arena_bytes != max(layout.peak, 1) else ""
    return f"{clipped(printable(layout.model.file), 60)}: head {kib(layout.peak)}{arena}"


def _n(value: float) -> str:
    """A number in pixels, to a hundredth, without zeros at its end."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _x(fraction: float) -> float:
    return LEFT + fraction * ACROSS


def _y(fraction: float) -> float:
    return TOP + fraction * HEIGHT


def _place(area: Area) -> dict[str, str]:
    return {
        "x": _n(_x(area.x)),
        "y": _n(_y(area.y)),
        "width": _n(area.width * ACROSS),
        "height": _n(area.height * HEIGHT),
    }


def _operator(step: Step) -> str:
    return clipped(step.name, 24) if step.operator is not None else ""


def _column(drawn: Picture, index: int, wide: float, named: bool, shown: bool) -> dict[str, object]:
    """A step on the axis: its number where there is room, and its operator's name where columns are wide."""
    step = drawn.steps[index]
    return {
        "x": _n(_x(drawn.column(index)[0]) + wide / 2),
        "number": step.number if shown else "",
        "name": _operator(step) if named else "",
        "peak": index == drawn.peak,
    }


def _box(box: Box) -> dict[str, object]:
    """A rectangle with its label: along it where it is wide, upwards where it is tall, none where it is small."""
    place = _place(box.area)
    width, height = box.clear.width * ACROSS, box.clear.height * HEIGHT
    text, upright = label(name_of(box.row), width, height)
    size = str(box.row.bytes) if text and not upright and height >= 2 * LINE + 2 else ""
    return place | {
        "role": box.row.role,
        "label": text,
        "size": size if len(size) * SIGN <= width - 6 else "",
        "upright": upright,
        "middle_x": _n(_x(box.clear.x) + width / 2),
        "middle_y": _n(_y(box.clear.y) + height / 2 + (0 if not size else -6)),
        "text": buffer_text(box.row),
    }


def _shared(share: Shared) -> dict[str, str]:
    return _place(share.area) | {"text": share_text(share.row, share.other, share.share)}


def _peak(drawn: Picture, wide: float) -> dict[str, str]:
    """The column of the peak, and its name above it, kept inside the picture."""
    left = _x(drawn.column(drawn.peak)[0])
    text = clipped(f"peak: {drawn.steps[drawn.peak].label}", 60)
    half = len(text) * (BOLD) / 2
    at = min(max(left + wide / 2, LEFT + half), WIDTH - RIGHT - half)
    return {"x": _n(left), "width": _n(wide), "middle": _n(left + wide / 2), "text": text, "text_x": _n(at)}


def _legend(layout: Layout, shared: bool) -> list[dict[str, str]]:
    entries = [(role, role) for role in roles([layout])] + [("shared", "bytes shared, as permitted")] * shared
    entries.append(("band", "peak step"))
    placed, x = [], float(LEFT)
    for kind, text in entries:
        placed.append({"kind": kind, "text": text, "x": _n(x), "text_x": _n(x + 28)})
        x += 28 + len(text) * SIGN + 26
    return placed
