"""What the judge says about a layout that comes from a file: a second opinion beside the board's, never instead of it.

F7. The judge looks at the numbers as they stand there; only the board knows what the model does with them.
"""

from __future__ import annotations

from arena_codegen.errors import Finding
from arena_codegen.layout.types import BufferRow, Layout, ShareRow
from arena_codegen.planning.check import judge
from arena_codegen.planning.problem import Buffer, Interval, Problem
from arena_codegen.planning.result import Plan


def judge_layout(layout: Layout) -> tuple[Finding, ...]:
    """The judge's faults of a layout's offsets, peak and bound; empty where there are none."""
    rows = layout.buffers
    try:
        problem = Problem(
            tuple(Buffer(row.size, row.first, row.last, 1, None, row.label) for row in rows),
            layout.alignment,
            {_pair(row, share): _forbidden(row, rows[share.index], share) for row in rows for share in row.shares},
        )
    except ValueError as error:
        return (Finding(f"not a plan: {error}", layout.model.file),)
    offsets = tuple(row.offset for row in rows)
    plan = Plan(offsets, layout.peak, layout.lower_bound, layout.strategy, refuted=layout.refuted)
    return judge(problem, plan)


def _pair(output: BufferRow, share: ShareRow) -> tuple[int, int]:
    return min(output.index, share.index), max(output.index, share.index)


def _forbidden(output: BufferRow, source: BufferRow, share: ShareRow) -> tuple[Interval, ...]:
    """What `offset[later] − offset[earlier]` must stay out of, later and earlier by index."""
    earlier, later = (source, output) if source.index < output.index else (output, source)
    if share.rule == "in-place":
        return tuple(span for span in ((-later.size, 0), (0, earlier.size)) if span[0] < span[1])
    low, high = (-share.distance, source.size) if later is output else (-source.size, share.distance)
    return ((low, high),) if low < high else ()
