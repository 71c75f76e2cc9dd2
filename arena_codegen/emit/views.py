"""The pictures of a page: across in per cent, so that they fit every window, upwards in pixels.

F5. What is written into rectangles depends on the window; the page's script does that, from the texts given here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena_codegen.emit.picture import Area, Box, Picture, Shared, fitting, name_of, picture, thinned
from arena_codegen.emit.steps import Step
from arena_codegen.emit.words import buffer_text, share_text
from arena_codegen.layout.types import Layout
from arena_codegen.text import clipped

MAP, CURVE, TITLE = 380, 96, 22
"""Heights in pixels: the map of the arena, the curve of bytes alive, and the room above each of them."""

SMALL = 220
"""Height of the map where it stands beside another."""

USUAL = 900
"""Pixels across for which numbers of steps are thinned out where no script runs."""

NAMED = 24
"""Characters that an operator's name may have on the axis."""

DENSE = 4
"""Columns that are narrower, in pixels, leave no room for lines between them."""


@dataclass(frozen=True, slots=True)
class View:
    """One picture, ready for its template: every number a text."""

    id: str
    title: str
    caption: str
    label: str
    map_height: int
    curve_height: int
    boxes: list[dict[str, Any]]
    shared: list[dict[str, str]]
    ticks: list[dict[str, Any]]
    levels: list[dict[str, Any]]
    columns: list[dict[str, Any]]
    bars: list[dict[str, Any]]
    curve_ticks: list[dict[str, Any]]
    curve_label: str
    peak: dict[str, str]
    dense: bool


def main_view(layout: Layout) -> View:
    """The picture of the plan itself, with its peak and its bound."""
    caption = f"head of {layout.peak} bytes, planned by {layout.strategy}"
    return _view(layout, picture(layout), "plan", "The arena, step by step", caption, MAP)


def peer_views(layout: Layout, peers: Mapping[str, Layout]) -> list[View]:
    """The pictures of other strategies, marked with the peak of the plan."""
    words = {"greedy": "greedy: what TFLM as shipped does", "linear": "linear: first come, first served",
             "naive": "naive: no byte is used twice"}  # fmt: skip
    return [
        _view(peer, picture(peer, layout), f"peer-{name}", words.get(name, name), _against(layout, peer), SMALL)
        for name, peer in peers.items()
    ]


def _against(layout: Layout, peer: Layout) -> str:
    more = peer.peak - layout.peak
    if not more:
        return f"head of {peer.peak} bytes, as many as {layout.strategy} needs"
    return f"head of {peer.peak} bytes, {abs(more)} {'more' if more > 0 else 'less'} than {layout.strategy} needs"


def _view(layout: Layout, drawn: Picture, name: str, title: str, caption: str, height: int) -> View:
    top = max(max((max(step.alive, step.used) for step in drawn.steps), default=0), 1)
    peak = drawn.steps[drawn.peak]
    what = f"{len(drawn.boxes)} buffers over {len(drawn.steps)} steps; the peak is at {peak.label}"
    return View(
        id=name,
        title=title,
        caption=caption,
        label=f"{title}, {caption}: {what}",
        map_height=height + TITLE,
        curve_height=CURVE + TITLE,
        boxes=[_box(box, height) for box in drawn.boxes],
        shared=[_shared(share, height) for share in drawn.shared],
        ticks=[{"y": _n(TITLE + tick.y * height), "text": tick.text} for tick in drawn.ticks],
        levels=[
            {
                "y": _n(TITLE + level.y * height),
                "text": level.text,
                "text_y": _n(TITLE + level.y * height + (-5 if number == 0 else 13)),
                "kind": "level" if number == 0 else "bound",
            }
            for number, level in enumerate(drawn.levels)
        ],
        columns=_columns(drawn),
        bars=[_bar(drawn, index, top) for index in range(len(drawn.steps))],
        curve_ticks=[{"y": _n(TITLE + (1 - part) * CURVE), "text": str(int(top * part))} for part in (0, 1)],
        curve_label=f"Bytes alive in each step, {top} at most; the table of steps has every number",
        peak={"x": _percent(drawn.column(drawn.peak)[0]), "width": _percent(1 / len(drawn.steps)),
              "middle": _percent((drawn.peak + 0.5) / len(drawn.steps)), "text": clipped(f"peak: {peak.label}", 40),
              "anchor": _anchor((drawn.peak + 0.5) / len(drawn.steps))},
        dense=len(drawn.steps) > USUAL / DENSE,
    )  # fmt: skip


def _anchor(x: float) -> str:
    """Where a text at x begins, so that it stays inside."""
    return "start" if x < 0.2 else "end" if x > 0.8 else "middle"


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _percent(value: float) -> str:
    return f"{_n(100 * value)}%" if value in (0, 1) else f"{100 * value:.4f}%"


def _place(area: Area, height: int) -> dict[str, str]:
    return {
        "x": _percent(area.x),
        "width": _percent(area.width),
        "y": _n(TITLE + area.y * height),
        "height": _n(area.height * height),
    }


def _box(box: Box, height: int) -> dict[str, Any]:
    row = box.row
    return _place(box.area, height) | {
        "index": row.index,
        "role": row.role,
        "offset": row.offset,
        "part": _percent(box.clear.width) if box.clear != box.area else "",
        "label": fitting(name_of(row), 40),
        "text": buffer_text(row),
    }


def _shared(share: Shared, height: int) -> dict[str, str]:
    return _place(share.area, height) | {"text": share_text(share.row, share.other, share.share)}


def _columns(drawn: Picture) -> list[dict[str, Any]]:
    """The steps on the axis; where no script runs, those without a number are the ones that have no room."""
    return [
        {
            "x": _percent((index + 0.5) / len(drawn.steps)),
            "number": step.number,
            "name": _short(step),
            "shown": shown,
            "peak": index == drawn.peak,
        }
        for index, (step, shown) in enumerate(zip(drawn.steps, thinned(drawn.steps, USUAL), strict=True))
    ]


def _short(step: Step) -> str:
    return clipped(step.name, NAMED) if step.operator is not None else ""


def _bar(drawn: Picture, index: int, top: int) -> dict[str, Any]:
    """A step's bytes in use, and on top of it how many more are alive where buffers share bytes."""
    step = drawn.steps[index]
    x, width = drawn.column(index)
    return {
        "x": _percent(x),
        "width": _percent(width),
        "y": _n(TITLE + (1 - step.used / top) * CURVE),
        "height": _n(step.used / top * CURVE),
        "alive_y": _n(TITLE + (1 - step.alive / top) * CURVE),
        "more": _n((step.alive - step.used) / top * CURVE) if step.used != step.alive else "",
        "peak": index == drawn.peak,
    }
