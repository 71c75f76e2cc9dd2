"""All strategies side by side: one model, planned in every way that there is.

F7. What `plan_layout` does once, done for every strategy and everything that may share bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from arena_codegen.layout import Layout, lay_out, measure_tail
from arena_codegen.layout.comparison import SHARINGS, Comparison, Shipped, Way
from arena_codegen.layout.pins import pinned_by
from arena_codegen.layout.types import used_bytes
from arena_codegen.model.types import Model
from arena_codegen.options import DISJOINT_STRATEGIES, PlanOptions
from arena_codegen.pipeline import ask, shipped_plan
from arena_codegen.planning import Plan, Problem, plan
from arena_codegen.planning.search import hunt, minimise  # noqa: F401  (else the first plan pays for their import)
from arena_codegen.requests import Requests, to_problem

Clock = Callable[[], float]
"""Seconds since any moment."""

PLACING, SEARCHING = tuple(reversed(DISJOINT_STRATEGIES)), ("best", "exact")
"""Strategies in the order of a comparison; those that only place share nothing."""

_COMMON = ("strategy", "in_place", "overlap", "arena")
"""Options that a comparison does not have in common, or does not look at."""


def compare(model: Model, options: PlanOptions, clock: Clock | None = None) -> Comparison:
    """The model planned by every strategy, those that may share bytes with every sharing.

    Strategy, sharing and the size of the emitted buffer in `options` do not matter. With `clock`, planning is timed.
    Raises UsageError for wishes that cannot be met, and KeyboardInterrupt where a search was interrupted.
    """
    asked = {sharing: _requests(model, options, sharing) for sharing in SHARINGS}
    plain = asked["none"]
    peers = {name: plan(to_problem(plain), strategy=name).peak for name in DISJOINT_STRATEGIES}
    ways = [way for sharing in SHARINGS for way in _ways(asked[sharing], sharing, peers, clock)]
    sample = lay_out(plain, to_problem(plain), plan(to_problem(plain), strategy="naive"), peers)
    return Comparison(
        model=sample.model,
        buffers=len(sample.buffers),
        options={name: value for name, value in sample.options.items() if name not in _COMMON},
        kernels=sample.kernels,
        shipped=_shipped(plain),
        ways=tuple(sorted(ways, key=lambda way: (PLACING + SEARCHING).index(way.strategy))),
    )


def _requests(model: Model, options: PlanOptions, sharing: str) -> Requests:
    flags: Mapping[str, Any] = {"in_place": sharing != "none", "overlap": sharing == "overlap"}
    chosen = replace(options, strategy="best", arena="plan", max_arena=None, **flags)
    return ask(model, chosen)


def _ways(requests: Requests, sharing: str, peers: Mapping[str, int], clock: Clock | None) -> list[Way]:
    """Every strategy on the same problem; the best bound that one of them proves holds for all."""
    problem = to_problem(requests)
    names = (*PLACING, *SEARCHING) if sharing == "none" else SEARCHING
    timed = [_timed(problem, name, requests.options.effort, clock) for name in names]
    bound = max(chosen.lower_bound for chosen, _ in timed)
    return [_way(lay_out(requests, problem, chosen, peers), requests, sharing, bound, time) for chosen, time in timed]


def _timed(problem: Problem, strategy: str, effort: str, clock: Clock | None) -> tuple[Plan, float | None]:
    start = clock() if clock else 0.0
    chosen = plan(problem, strategy=strategy, effort=effort)
    seconds = clock() - start if clock else None
    if not chosen.complete:
        raise KeyboardInterrupt(f"the best peak so far is {chosen.peak} bytes, {chosen.gap} above the bound")
    return chosen, seconds


def _way(layout: Layout, requests: Requests, sharing: str, bound: int, seconds: float | None) -> Way:
    unused = [layout.peak - used for scope, used in used_bytes(layout.buffers, layout.end_scope).items() if scope >= 0]
    used = used_bytes(layout.buffers, layout.end_scope).get(layout.peak_scope, 0)
    pin = pinned_by(layout, requests)
    return Way(
        strategy=layout.strategy,
        sharing=sharing,
        peak=layout.peak,
        lower_bound=bound,
        unused=layout.peak - used,
        unused_mean=round(sum(unused) / len(unused), 1) if unused else 0.0,
        decides=pin.operator,
        why=pin.why,
        seconds=seconds,
    )


def _shipped(requests: Requests) -> Shipped:
    """TFLM's own planner on its own requests: no wish of the user reaches it."""
    head = shipped_plan(requests).peak
    tail, _ = measure_tail(requests, head, head)
    greedy = tail.greedy if tail is not None else None
    return Shipped(head, greedy.arena_used if greedy else None, greedy.min_arena if greedy else None)
