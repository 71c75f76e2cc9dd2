"""Ways to plan a model side by side: as text, as CSV, as data.

F5. Planning time is a measurement: it is there only where the comparison has it.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

from arena_codegen.layout.comparison import SHARINGS, Comparison, Way
from arena_codegen.text import counted, grid, printable
from arena_codegen.version import VERSION

SCHEMA = 1


def compared(comparison: Comparison, name: str, width: int) -> list[str]:
    """One model in lines of at most `width` characters: every way to plan it, then what decides each sharing."""
    model = comparison.model
    wishes = " ".join(f"{option}={printable(str(value))}" for option, value in comparison.options.items())
    counts = f"{counted(model.operators, 'operator')}, {counted(comparison.buffers, 'buffer')}"
    lines = [f"{printable(name)}: {counts}", *_indented(f"{printable(comparison.kernels)}; {wishes}", width)]
    lines += _indented(_shipped(comparison), width)
    return [*lines, "", *_table(comparison, width), "", *_pins(comparison, width)]


def _indented(text: str, width: int, indent: str = "  ") -> list[str]:
    rest = f"{indent}  "
    return wrap(text, max(width, 40), initial_indent=indent, subsequent_indent=rest, break_on_hyphens=False)


def _shipped(comparison: Comparison) -> str:
    shipped = comparison.shipped
    head = f"TFLM as shipped: {counted(shipped.head, 'byte')} of head"
    if shipped.arena_used is None:
        return f"{head}; its tail is not known for these kernels"
    return f"{head}, {shipped.arena_used} of arena used, boots with {shipped.min_arena}"


def _table(comparison: Comparison, width: int) -> list[str]:
    """A row for each way. Unused bytes: in the step of the peak, and on average over all steps."""
    head = ["strategy", "shares", "peak", "over bound", "unused at peak", "on average", "proof"]
    rows = [
        [
            way.strategy, way.sharing, way.peak, _part(way.gap, way.lower_bound), _part(way.unused, way.peak),
            _part(way.unused_mean, way.peak), "optimal" if way.optimal else f"bound {way.lower_bound}",
        ]
        for way in comparison.ways
    ]  # fmt: skip
    if any(way.seconds is not None for way in comparison.ways):
        head.append("ms")
        for row, way in zip(rows, comparison.ways, strict=True):
            row.append(_ms(way.seconds))
    return [f"  {line}" for line in grid(head, rows, ("strategy", "shares", "proof"), "strategy", width - 2)]


def _part(part: float, whole: int) -> str:
    return f"{part:.0f} {_percent(part, whole):>5}%" if part else "0"


def _percent(part: float, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "0.0"


def _ms(seconds: float | None) -> str:
    return "" if seconds is None else f"{1000 * seconds:.1f}"


def _pins(comparison: Comparison, width: int) -> list[str]:
    """What decides the peak of `best`, sharings of which the same is true together."""
    found: dict[tuple[int, str, str], list[str]] = {}
    for sharing in SHARINGS:
        way = comparison.way("best", sharing)
        found.setdefault((way.peak, way.decides, way.why), []).append(sharing)
    texts = [f"{', '.join(names)}: {peak}, {decides}: {why}" for (peak, decides, why), names in found.items()]
    return ["  what decides, by what may share:", *(line for text in texts for line in _indented(text, width, " " * 4))]


def summary(comparisons: Sequence[Comparison], names: Sequence[str], width: int) -> list[str]:
    """A row for each model: peaks by strategy, those of `best` by what may share."""
    head = ("model", "TFLM", "naive", "linear", "greedy", *SHARINGS, "saves")
    rows = [
        (
            printable(name),
            one.shipped.head,
            *(one.way(strategy, "none").peak for strategy in ("naive", "linear", "greedy")),
            *(one.way("best", sharing).peak for sharing in SHARINGS),
            _saved(one),
        )
        for one, name in zip(comparisons, names, strict=True)
    ]
    return grid(head, rows, ("model",), "model", width)


def _saved(comparison: Comparison) -> str:
    """What the smallest plan saves of TFLM's head."""
    head = comparison.shipped.head
    least = min(way.peak for way in comparison.ways)
    return f"{100 * (head - least) / head:.1f} %" if head else ""


COLUMNS = (
    "model", "strategy", "shares", "peak", "lower_bound", "over", "over_percent", "optimal", "unused_at_peak",
    "unused_at_peak_percent", "unused_on_average", "peak_operator", "why", "tflm_head",
    "tflm_arena_used", "tflm_min_arena",
)  # fmt: skip


def to_csv(comparisons: Sequence[Comparison], names: Sequence[str]) -> str:
    """A row for each way to plan each model; the numbers of TFLM as shipped are repeated on each row of a model."""
    timed = any(way.seconds is not None for one in comparisons for way in one.ways)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*COLUMNS, *(["planning_ms"] if timed else [])])
    for one, name in zip(comparisons, names, strict=True):
        shipped = ("" if number is None else number for number in (one.shipped.arena_used, one.shipped.min_arena))
        last = [one.shipped.head, *shipped]
        for way in one.ways:
            time = [f"{1000 * (way.seconds or 0):.3f}"] if timed else []
            writer.writerow([name, *_cells(way), *last, *time])
    return text.getvalue()


def _cells(way: Way) -> tuple[object, ...]:
    return (
        way.strategy, way.sharing, way.peak, way.lower_bound, way.gap, _percent(way.gap, way.lower_bound),
        "yes" if way.optimal else "no", way.unused, _percent(way.unused, way.peak), way.unused_mean,
        way.decides, way.why,
    )  # fmt: skip


def to_json(comparisons: Sequence[Comparison], names: Sequence[str]) -> str:
    """All comparisons as one JSON object, a way a line."""
    head = json.dumps({"schema": SCHEMA, "tool": f"arena-codegen {VERSION}"})[1:-1]
    models = ",\n".join(_model(one, name) for one, name in zip(comparisons, names, strict=True))
    return f'{{{head}, "models": [\n{models}\n]}}'


def _model(comparison: Comparison, name: str) -> str:
    shipped = comparison.shipped
    data: Mapping[str, Any] = {
        "model": {"file": name, "sha256": comparison.model.sha256, "operators": comparison.model.operators},
        "buffers": comparison.buffers,
        "options": dict(comparison.options),
        "kernels": comparison.kernels,
        "tflm": {"head": shipped.head, "arena_used": shipped.arena_used, "min_arena": shipped.min_arena},
    }
    ways = ",\n".join(f"    {json.dumps(_way(way))}" for way in comparison.ways)
    return f'  {json.dumps(data)[:-1]}, "ways": [\n{ways}\n  ]}}'


def _way(way: Way) -> dict[str, Any]:
    data: dict[str, Any] = {
        "strategy": way.strategy,
        "shares": way.sharing,
        "peak": way.peak,
        "lower_bound": way.lower_bound,
        "over": way.gap,
        "optimal": way.optimal,
        "unused_at_peak": way.unused,
        "unused_on_average": way.unused_mean,
        "peak_operator": way.decides,
        "why": way.why,
    }
    return data if way.seconds is None else data | {"planning_ms": round(1000 * way.seconds, 3)}
