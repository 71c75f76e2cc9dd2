"""F6. A model becomes a layout: the sentence that the whole tool is built on."""

from __future__ import annotations

from dataclasses import replace

from arena_codegen.budget import check_budget
from arena_codegen.kernels import library
from arena_codegen.layout import Layout, lay_out, measure_tail
from arena_codegen.model.types import Model
from arena_codegen.options import DISJOINT_STRATEGIES, PlanOptions
from arena_codegen.planning import plan
from arena_codegen.requests import as_shipped, collect, to_problem
from arena_codegen.timeline import lay_timeline


def plan_layout(model: Model, options: PlanOptions) -> Layout:
    """The judged plan of a model, with everything that there is to say about it.

    Raises the errors of its stages: UsageError for wishes that cannot be met, FitError for an arena that is too small;
    KeyboardInterrupt, with the best peak so far, where a search was interrupted.
    """
    timeline = lay_timeline(model)
    kernels = library(options.kernels, options.target, recorded=options.requests is not None)
    requests = collect(model, timeline, kernels, options)
    problem = to_problem(requests)
    chosen = plan(problem, strategy=options.strategy, effort=options.effort)
    if not chosen.complete:
        raise KeyboardInterrupt(f"the best peak so far is {chosen.peak} bytes, {chosen.gap} above the bound")
    peers = {name: plan(problem, strategy=name).peak for name in DISJOINT_STRATEGIES}
    shipped = as_shipped(requests)
    greedy_peak = peers["greedy"] if shipped == problem else plan(shipped, strategy="greedy").peak
    tail, notes = measure_tail(requests, chosen.peak, greedy_peak)
    layout = lay_out(replace(requests, warnings=requests.warnings + notes), problem, chosen, peers, tail)
    check_budget(layout, options.max_arena)
    return layout
