"""F5. Does the emitted buffer fit a budget, and if not, why, and what would help?"""

from __future__ import annotations

from arena_codegen.errors import Finding, FitError
from arena_codegen.layout.types import Layout, used_bytes
from arena_codegen.layout.words import deciding_pin, named, peak_place, peak_step
from arena_codegen.options import SIZE_LIMIT
from arena_codegen.text import counted

NAMED = 8
"""So many of the buffers alive at the peak are named, the largest first."""


def check_budget(layout: Layout, limit: int | None) -> None:
    """Raises FitError where the emitted buffer is larger than `limit` bytes, or, with None, than TFLM can count.

    The error names the need, the limit, what is missing, the step that decides, who is alive there, and what would
    help.
    """
    allowed = SIZE_LIMIT if limit is None else min(limit, SIZE_LIMIT)
    if layout.arena_bytes <= allowed:
        return
    need, missing = layout.arena_bytes, layout.arena_bytes - allowed
    who = "--max-arena allows" if allowed == limit else "TFLM can count in 32 bits"
    what = f"the arena needs {need} bytes: {missing} more than the {allowed} that {who}"
    hints = [*_parts(layout), *_alive(layout), *_help(layout, allowed)]
    raise FitError(Finding(what, peak_place(layout), "\n".join(hints)))


def _parts(layout: Layout) -> list[str]:
    if layout.options.get("arena") not in (None, "plan", "tflm"):
        return [f"--arena asks for {layout.arena_bytes} bytes; the plan needs {layout.peak}"]
    if layout.arena_bytes > layout.peak and layout.tail is not None:
        return [f"{layout.peak} bytes are planned; the rest is for TFLM, whose tail takes {layout.tail.bytes}"]
    return []


def _alive(layout: Layout) -> list[str]:
    if (pin := deciding_pin(layout)) is not None:
        return [f"decided by {pin[0]}, which ends at {pin[1]}"]
    rows = sorted(layout.alive(layout.peak_scope), key=lambda row: (-row.size, row.index))
    total = sum(row.size for row in rows)
    digits = len(str(total))
    lines = [f"  {row.size:>{digits}}  {named(row)}" for row in rows[:NAMED]]
    if rest := rows[NAMED:]:
        lines.append(f"  {sum(row.size for row in rest):>{digits}}  in {len(rest)} more")
    used = used_bytes(layout.buffers, layout.end_scope)[layout.peak_scope]
    shared = f"; they share {total - used}" if total > used else ""
    return [f"most is alive {peak_step(layout)}: {total} bytes in {counted(len(rows), 'buffer')}{shared}", *lines]


def _help(layout: Layout, limit: int) -> list[str]:
    """What the user can do, from what the layout knows; a number that would take another plan is not guessed."""
    hints = []
    if layout.peak <= limit and layout.options.get("arena") != "plan":
        hints.append(
            f"--arena plan emits the {layout.peak} planned bytes alone; TFLM's tail then needs memory of its own"
        )
    if layout.peak <= limit:
        return [*hints, f"raise --max-arena to {layout.arena_bytes}"]
    if layout.optimal:
        hints.append(f"no plan of these buffers can be smaller than {layout.lower_bound} bytes: that is proven")
    else:
        hints.append(f"no plan can be smaller than {layout.lower_bound} bytes; {_search(layout)}")
    may_be_raised = f", or raise --max-arena to {layout.arena_bytes}" if layout.arena_bytes <= SIZE_LIMIT else ""
    if deciding_pin(layout) is not None:
        return [*hints, f"give --pin a lower offset{may_be_raised}"]
    padding = sum(row.size - row.bytes for row in layout.alive(layout.peak_scope))
    if padding and layout.options.get("align", 1) > 4:
        hints.append(f"rounding up to {layout.alignment} bytes takes {padding} bytes there: see --align")
    wishes = [f"--{name}" for name in ("keep", "pin", "segment") if layout.options.get(name)]
    if wishes:
        hints.append(f"{', '.join(wishes)} held bytes that others could have used")
    hints.append(f"make what is alive there smaller in the model{may_be_raised}")
    return hints


def _search(layout: Layout) -> str:
    if layout.options.get("strategy") not in ("best", "exact"):
        return "--strategy best may come closer"
    return (
        "--effort thorough may come closer"
        if layout.options.get("effort") != "thorough"
        else "the search is at its end"
    )
