"""F3. Who may take over whose bytes: what the kernels permit, where lifetimes and wishes let it.

A pair is permitted only where the input dies in the one step in which the output is born, that of the operator which
reads the one and writes the other. Constants take no place, so they are in no pair; variables are in none either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from arena_codegen.kernels.base import KernelLibrary, ShareRule
from arena_codegen.model.find import find_tensor
from arena_codegen.model.types import Model, Operator, Subgraph
from arena_codegen.options import PlanOptions
from arena_codegen.planning.problem import Interval, align_up
from arena_codegen.requests.types import Request, Share
from arena_codegen.timeline import UNUSED, Timeline

IN_PLACE, OVERLAP = "in-place", "overlap"


def permitted_shares(
    model: Model, timeline: Timeline, kernels: KernelLibrary, options: PlanOptions, rows: list[Request]
) -> tuple[Share, ...]:
    """Every pair of buffers that may share bytes, by output and input; none for strategies that never share."""
    if not options.shares:
        return ()
    places: dict[tuple[int, int | None], int] = {
        (row.subgraph, row.tensor): index for index, row in enumerate(rows) if row.tensor is not None
    }
    kept = _kept(model, options)
    shares = [
        share
        for graph in model.subgraphs
        for operator in graph.operators
        if _runs_once(timeline, operator)
        for share in _of(graph, operator, timeline, kernels, options, rows, places, kept)
    ]
    return tuple(sorted(shares, key=lambda share: (share.output, share.input)))


Pairs = Mapping[tuple[int, int], tuple[Interval, ...]]


def as_intervals(rows: tuple[Request, ...], shares: tuple[Share, ...]) -> Pairs:
    """The pairs as the planner has them: open intervals that `offset[later] − offset[earlier]` must stay out of."""
    table = {}
    for share in shares:
        source, target = rows[share.input], rows[share.output]
        spans = _spans(source, target, share)  # of offset[output] − offset[input]
        if share.output < share.input:
            spans = tuple((-high, -low) for low, high in reversed(spans))
        table[min(share.input, share.output), max(share.input, share.output)] = spans
    return MappingProxyType(table)


def pinned_together(rows: list[Request], shares: tuple[Share, ...]) -> set[tuple[int, int]]:
    """The pairs, lower position first, whose pins both lie as their permission says."""
    return {
        (min(share.input, share.output), max(share.input, share.output))
        for share in shares
        if (start := rows[share.input].offset) is not None and (end := rows[share.output].offset) is not None
        if not any(low < end - start < high for low, high in _spans(rows[share.input], rows[share.output], share))
    }


def _spans(source: Request, target: Request, share: Share) -> tuple[Interval, ...]:
    """What the output's offset less the input's must stay out of.

    Offsets are multiples of an alignment, so a distance is rounded up to one, and an interval without one is none.
    """
    step = min(source.alignment, target.alignment)
    if share.rule == IN_PLACE:
        spans: tuple[Interval, ...] = ((-target.size, 0), (0, source.size))
    else:
        spans = ((-align_up(share.distance, step), source.size),)
    return tuple((low, high) for low, high in spans if low // step * step + step < high)


def _of(
    graph: Subgraph,
    operator: Operator,
    timeline: Timeline,
    kernels: KernelLibrary,
    options: PlanOptions,
    rows: list[Request],
    places: Mapping[tuple[int, int | None], int],
    kept: set[tuple[int, int]],
) -> Iterator[Share]:
    """The pairs of one operator that runs once."""
    step = timeline.spans[graph.index][operator.index].first
    rules: dict[tuple[int, int], list[ShareRule]] = {}
    for rule in _chosen(kernels.shares(graph, operator), options):
        rules.setdefault((operator.inputs[rule.input], operator.outputs[rule.output]), []).append(rule)
    for (read, written), several in rules.items():
        source, target = places.get((graph.index, read)), places.get((graph.index, written))
        if source is None or target is None or source == target or (graph.index, read) in kept:
            continue
        if len(several) < operator.inputs.count(read) or len({rule.kind for rule in several}) > 1:
            continue  # it is read in another place too, where nothing or something else is permitted
        life, one, two = timeline.lives[graph.index][read], rows[source], rows[target]
        if "variable" in (one.role, two.role) or life.is_output:
            continue  # others read it later: the next invocation, the caller
        if one.last != step or two.first != step or one.first == step:
            continue
        rule = max(several, key=lambda rule: rule.distance)
        if one.size and two.size and rule.distance < two.size:
            yield Share(source, target, rule.kind, rule.distance, rule.why)


def _chosen(rules: tuple[ShareRule, ...], options: PlanOptions) -> Iterator[ShareRule]:
    """One rule for each input and output: what `--in-place` and `--overlap` leave, the freer one where both stand.

    Views and element-wise operators, which have an in-place rule, share nothing without `--in-place`.
    """
    views = {(rule.input, rule.output) for rule in rules if rule.kind == IN_PLACE}
    trailing = {(rule.input, rule.output) for rule in rules if rule.kind == OVERLAP and options.overlap}
    for rule in rules:
        pair = (rule.input, rule.output)
        if pair in views and not options.in_place:
            continue
        if rule.kind == (OVERLAP if pair in trailing else IN_PLACE):
            yield rule


def _runs_once(timeline: Timeline, operator: Operator) -> bool:
    """True for an operator of one step: it runs, calls nobody, and its subgraph is called from one place alone."""
    span = timeline.spans[operator.subgraph][operator.index]
    return not operator.callees and span.first == span.last != UNUSED


def _kept(model: Model, options: PlanOptions) -> set[tuple[int, int]]:
    """Tensors whose bytes nobody may take over: `--keep`, and inputs and outputs with `--segment io`."""
    kept = {find_tensor(model, text) for text in options.keep}
    if options.segment == "io":
        main = model.subgraphs[0]
        kept |= {(0, tensor) for tensor in main.inputs + main.outputs}
    return kept
