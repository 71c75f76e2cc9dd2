"""Plans for the board to judge, good ones and mutants, and what is wrong with a mutant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from arena_codegen.layout.types import BufferRow, Layout
from arena_codegen.model.reader import parse_model
from arena_codegen.model.types import Model
from arena_codegen.options import PlanOptions, plan_options
from arena_codegen.pipeline import plan_layout
from arena_codegen.planning.problem import Buffer, Problem, align_up
from arena_codegen.planning.strategies import STRATEGIES
from arena_codegen.timeline import lay_timeline

Pair = frozenset[int]


@dataclass(frozen=True)
class Mutant:
    """A plan that is wrong on purpose: which buffer was touched, and the pairs that share bytes while alive."""

    layout: Layout
    touched: int
    pairs: frozenset[Pair]
    what: str


def model_of(data: bytes) -> Model:
    return parse_model(data, "model.tflite")


def layout_of(model: Model, **wishes: object) -> Layout:
    return plan_layout(model, plan_options(**{"kernels": "none", "arena": "plan", **wishes}))


def layout_with_scratch(model: Model, sizes: Sequence[int] = (24,), **wishes: object) -> Layout:
    """A plan in which every operator that runs asks for scratch of these sizes, control flow included."""
    base, timeline = layout_of(model, align=16), lay_timeline(model)
    spans = [span for graph in timeline.spans for span in graph if span.first >= 0]
    rows = [(align_up(row.bytes, 16), row.first, row.last) for row in base.buffers]
    rows += [(size, span.first, span.last) for span in spans for size in sizes]
    lines = [
        f'arena-codegen-request {{"i":{index},"size":{size},"first":{first},"last":{last}}}'
        for index, (size, first, last) in enumerate(rows)
    ]
    options = plan_options(**{"arena": "plan", **wishes})
    return plan_layout(model, replace(options, requests="\n".join(lines)))


def problem_of(layout: Layout) -> Problem:
    """The layout's rows as a problem of their own; permitted shares are left out."""
    alignment = PlanOptions(align=layout.options["align"]).align
    buffers = (Buffer(row.size, row.first, row.last, alignment, None, row.label) for row in layout.buffers)
    return Problem(tuple(buffers), layout.alignment)


def collisions(truth: Layout, offsets: Sequence[int]) -> frozenset[Pair]:
    """The pairs that are alive together, as `truth` says, and have bytes in common at these offsets, unpermitted."""
    rows = truth.buffers
    return frozenset(
        frozenset((one.index, other.index))
        for one in rows
        for other in rows[one.index + 1 :]
        if one.size and other.size
        if one.first <= other.last and other.first <= one.last
        if offsets[one.index] < offsets[other.index] + other.size
        if offsets[other.index] < offsets[one.index] + one.size
        if not _permitted(one, other, offsets) and not _permitted(other, one, offsets)
    )


def _permitted(source: BufferRow, output: BufferRow, offsets: Sequence[int]) -> bool:
    above = offsets[source.index] - offsets[output.index]
    return source.last == output.first and any(
        share.index == source.index and (above == 0 if share.rule == "in-place" else above >= share.distance)
        for share in output.shares
    )


def moved(layout: Layout) -> Iterator[Mutant]:
    """Each buffer one alignment step down and up, where it then touches another that is alive at the same time."""
    for row in layout.buffers:
        for step in (-layout.alignment, layout.alignment):
            offsets = [other.offset for other in layout.buffers]
            offsets[row.index] += step
            pairs = collisions(layout, offsets)
            if offsets[row.index] >= 0 and pairs:
                yield Mutant(_placed(layout, layout.buffers, offsets), row.index, pairs, f"{row.label} moved by {step}")


def cut(layout: Layout) -> Iterator[Mutant]:
    """Each lifetime one scope shorter, at either end, and planned again, where sharing really happens then."""
    for row in layout.buffers:
        for end, (first, last) in {
            "begins late": (row.first + 1, row.last),
            "ends early": (row.first, row.last - 1),
        }.items():
            if first > last or not row.size:
                continue
            rows = list(layout.buffers)
            rows[row.index] = replace(row, first=first, last=last)
            short = replace(layout, buffers=tuple(rows))
            scope = row.first if end == "begins late" else row.last
            for offsets in _plans_that_share(short, row, scope):
                pairs = collisions(layout, offsets)
                if pairs and not collisions(short, offsets):
                    yield Mutant(_placed(layout, rows, offsets), row.index, pairs, f"{row.label} {end}")
                    break


def _plans_that_share(short: Layout, row: BufferRow, scope: int) -> Iterator[list[int]]:
    """Plans of the shortened problem: the planners' own, then the old one with a partner moved into the gap."""
    problem = problem_of(short)
    for strategy in ("greedy", "linear"):
        yield list(STRATEGIES[strategy](problem))
    for partner in short.buffers:
        if partner.index != row.index and partner.size and scope in (partner.first, partner.last):
            for mine, theirs in ((row, partner), (partner, row)):
                offsets = [other.offset for other in short.buffers]
                offsets[mine.index] = offsets[theirs.index]
                yield offsets


def _placed(layout: Layout, rows: Sequence[BufferRow], offsets: Sequence[int]) -> Layout:
    placed = tuple(replace(row, offset=offset) for row, offset in zip(rows, offsets, strict=True))
    peak = max((row.end for row in placed if row.size), default=0)
    return replace(layout, buffers=placed, peak=max(layout.peak, align_up(peak, layout.alignment)))
