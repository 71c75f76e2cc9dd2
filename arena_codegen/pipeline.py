"""F6. A model becomes a layout: the sentence that the whole tool is built on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from arena_codegen.budget import check_budget
from arena_codegen.errors import Finding, UsageError
from arena_codegen.kernels import library
from arena_codegen.layout import Layout, lay_out, measure_tail
from arena_codegen.model.offline_plan import ONLINE, read_offline_plan
from arena_codegen.model.types import Model
from arena_codegen.options import DISJOINT_STRATEGIES, SIZE_LIMIT, PlanOptions
from arena_codegen.planning import Plan, Problem, peaks, plan
from arena_codegen.planning.bound import lower_bound
from arena_codegen.planning.check import judge
from arena_codegen.planning.problem import align_up
from arena_codegen.planning.strategies.greedy import greedy
from arena_codegen.requests import (
    TFLM_ALIGNMENT,
    Requests,
    as_shipped,
    collect,
    fixed_for_npu,
    ignored_plan,
    to_problem,
)
from arena_codegen.timeline import lay_timeline


@dataclass(frozen=True, slots=True)
class _Planned:
    """Requests, the problem that they make, and its judged plan."""

    requests: Requests
    problem: Problem
    chosen: Plan


def plan_layout(model: Model, options: PlanOptions) -> Layout:
    """The judged plan of a model, with everything that there is to say about it.

    Raises the errors of its stages: UsageError for wishes that cannot be met, FitError for an arena that is too small;
    KeyboardInterrupt, with the best peak so far, where a search was interrupted.
    """
    layout = _describe(_plan(model, options))
    check_budget(layout, options.max_arena)
    return layout


def plan_peak(model: Model, options: PlanOptions) -> int:
    """The peak of `plan_layout` alone, in half the time where the size of the emitted buffer needs no judging."""
    if options.arena is None and options.max_arena is None:
        peak = _plan(model, options).chosen.peak
        if peak < SIZE_LIMIT // 2:  # else the tail decides whether TFLM can count the arena
            return peak
    return plan_layout(model, options).peak


def plan_copy(model: Model, options: PlanOptions, file: str) -> tuple[Layout, bytes]:
    """A copy of the model that carries its plan, and the layout that TFLM makes of it; `file` is the copy's base name.

    TFLM places scratch by itself around such a plan. Of some ways to fix the tensors, the one with the smallest head
    that comes out is taken. Raises what `plan_layout` raises, UsageError where TFLM would break a wish, and ModelError
    for a model that cannot be copied.
    """
    from arena_codegen.model.writer import with_offline_plan

    options = replace(options, align=max(options.align, TFLM_ALIGNMENT))
    tensors = sum(len(graph.tensors) for graph in model.subgraphs)
    if read_offline_plan(model) and not options.honor_plan:
        if fixed := fixed_for_npu(model):
            raise UsageError(replace(fixed, what=f"--metadata would replace the model's offline plan: {fixed.what}"))
        model = _parse(with_offline_plan(model, [ONLINE] * tensors), model.file, options)
    planned = _plan(model, options)
    shipped = shipped_plan(planned.requests)
    ways = [planned.chosen.offsets, shipped.offsets, (ONLINE,) * len(shipped.offsets), *_kept_above(planned)]
    copies = [_copy(planned, offsets, file, options) for offsets in dict.fromkeys(ways)]
    faults = [tuple(_broken(planned, copy)) for copy in copies]
    sound = [copy for copy, found in zip(copies, faults, strict=True) if not found]
    if not sound:
        hint = "TFLM places scratch buffers by itself around a plan in the metadata; leave out the wish, or --metadata"
        raise UsageError([replace(fault, where=fault.where or model.file, hint=hint) for fault in faults[0]])
    best = min(sound, key=lambda copy: copy.chosen.peak)
    layout = _describe(best)
    layout = replace(layout, options={**layout.options, "metadata": True})
    check_budget(layout, options.max_arena)
    return layout, best.requests.model.data


def ask(model: Model, options: PlanOptions) -> Requests:
    """What a model asks of memory under these options. Raises UsageError and ModelError."""
    kernels = library(options.kernels, options.target, recorded=options.requests is not None)
    return collect(model, lay_timeline(model), kernels, options)


def _plan(model: Model, options: PlanOptions) -> _Planned:
    requests = ask(model, options)
    problem = to_problem(requests)
    chosen = plan(problem, strategy=options.strategy, effort=options.effort)
    if not chosen.complete:
        raise _interrupted(chosen)
    return _Planned(requests, problem, chosen)


def _interrupted(best: Plan) -> KeyboardInterrupt:
    return KeyboardInterrupt(f"the best peak so far is {best.peak} bytes, {best.gap} above the bound")


def _describe(planned: _Planned) -> Layout:
    problem, chosen = planned.problem, planned.chosen
    peers = peaks(problem, DISJOINT_STRATEGIES, beside=chosen)
    same = as_shipped(planned.requests).buffers == problem.buffers
    greedy_peak = peers["greedy"] if same else shipped_plan(planned.requests).peak
    tail, notes = measure_tail(planned.requests, chosen.peak, greedy_peak)
    requests = replace(planned.requests, warnings=planned.requests.warnings + notes)
    return lay_out(requests, problem, chosen, peers, tail)


def shipped_plan(requests: Requests) -> Plan:
    """What TFLM's own planner makes of the model, an offline plan in it included; nobody judges that."""
    shipped = as_shipped(requests)
    offsets = greedy(shipped)
    head = max((offset + b.size for offset, b in zip(offsets, shipped.buffers, strict=True)), default=0)
    return Plan(offsets, head, 0, "greedy")


def _kept_above(planned: _Planned) -> Iterator[tuple[int, ...]]:
    """Offsets with what the user keeps longer than TFLM would above all else: the scratch that TFLM places goes lowest.

    Nothing where nothing is kept, or what is kept is pinned.
    """
    requests, problem = planned.requests, planned.problem
    lives = requests.timeline.lives
    kept = {
        index
        for index, row in enumerate(requests.rows)
        if row.tensor is not None and row.offset is None
        if (life := lives[row.subgraph][row.tensor]) and (row.first, row.last) != (life.first, life.last)
    }
    if not kept:
        return
    rest = tuple(replace(b, size=0) if index in kept else b for index, b in enumerate(problem.buffers))
    shares = {pair: spans for pair, spans in problem.shares.items() if kept.isdisjoint(pair)}
    options = requests.options
    below = plan(Problem(rest, problem.alignment, shares), strategy=options.strategy, effort=options.effort)
    if not below.complete:
        raise _interrupted(planned.chosen)
    offsets, end = list(below.offsets), below.peak
    for index in sorted(kept):
        offsets[index] = align_up(end, problem.alignment)
        end = offsets[index] + problem.buffers[index].size
    yield tuple(offsets)


def _copy(planned: _Planned, offsets: tuple[int, ...], file: str, options: PlanOptions) -> _Planned:
    """The copy whose metadata fixes tensors at these offsets, and where TFLM then puts everything."""
    from arena_codegen.model.writer import with_offline_plan

    model, chosen = planned.requests.model, planned.chosen
    fixed = {(row.subgraph, row.tensor): at for row, at in zip(planned.requests.rows, offsets, strict=True)}
    # TFLM looks for a variable of a later subgraph in the offsets of the first one, at the variable's own index there
    # (micro_allocator.cc, AllocateVariables): such an entry must stay open, or the variable gets no memory.
    taken = {t.index for graph in model.subgraphs[1:] for t in graph.tensors if t.is_variable}
    entries = [fixed.get((graph.index, tensor.index), ONLINE) for graph in model.subgraphs for tensor in graph.tensors]
    entries = [ONLINE if index in taken else offset for index, offset in enumerate(entries)]
    copy = _parse(with_offline_plan(model, entries), file, options)
    timeline = planned.requests.timeline
    requests = collect(copy, timeline, planned.requests.kernels, options)
    noise = ignored_plan(copy, options, read_offline_plan(copy))  # the plan in it is this one
    requests = replace(requests, warnings=tuple(found for found in requests.warnings if found not in noise))
    placed = shipped_plan(requests)
    if options.align == TFLM_ALIGNMENT:
        problem, bound, refuted = to_problem(requests), chosen.lower_bound, chosen.refuted
    else:  # TFLM knows no other: scratch lies at multiples of 16, also right behind a tensor that ends at one
        rows = tuple(replace(row, alignment=TFLM_ALIGNMENT) for row in requests.rows)
        requests = replace(requests, rows=rows, warnings=requests.warnings + _scratch_at_16(requests))
        problem = to_problem(requests)
        bound, refuted = lower_bound(problem).bytes, False
    peak = align_up(placed.peak, problem.alignment)
    bound = min(bound, peak)  # a pin that this way breaks may have made it; the way is refused then
    chosen = replace(chosen, offsets=placed.offsets, peak=peak, lower_bound=bound, refuted=refuted)
    return _Planned(requests, problem, chosen)


def _scratch_at_16(requests: Requests) -> tuple[Finding, ...]:
    if all(row.tensor is not None for row in requests.rows):
        return ()
    what = f"--align {requests.options.align} holds for tensors: TFLM places scratch buffers at multiples of 16"
    return (Finding(what, requests.model.file, "without --metadata, PlannedMemory aligns them too", is_note=True),)


def _broken(planned: _Planned, copy: _Planned) -> Iterator[Finding]:
    """Wishes that TFLM would not keep with this copy."""
    yield from judge(copy.problem, copy.chosen)
    for row, buffer, offset in zip(copy.requests.rows, planned.problem.buffers, copy.chosen.offsets, strict=True):
        if row.tensor is not None and buffer.offset is not None and offset != buffer.offset:
            yield Finding(f"'{row.name}' is fixed at {buffer.offset}, and would lie at {offset}")
        elif row.tensor is not None and offset % buffer.alignment:
            yield Finding(f"'{row.name}' would lie at {offset}, which is no multiple of {buffer.alignment}")


def _parse(data: bytes, file: str, options: PlanOptions) -> Model:
    from arena_codegen.model.reader import parse_model

    return parse_model(data, file, options.shapes)
