"""F1. Where buffers go: from a problem, a page of numbers, to a plan that the judge has passed.

    from arena_codegen.planning import plan
    from arena_codegen.planning.problem import read_csv
    best = plan(read_csv("A.1048576.csv"), effort="thorough", capacity=1048576)

Re-entrant, and equal problems give equal plans, on any machine and in any thread.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import VerdictError
from . import check
from .bound import Bound, lower_bound
from .effort import EFFORTS, Search
from .listen import listener, listening
from .problem import Buffer, Problem, read_csv, write_csv
from .result import Found, OnProgress, Plan, Progress
from .strategies import RULES, SEARCHES, STRATEGIES

__all__ = [
    "EFFORTS",
    "STRATEGIES",
    "Bound",
    "Buffer",
    "Plan",
    "Problem",
    "Progress",
    "listening",
    "lower_bound",
    "peaks",
    "plan",
    "read_csv",
    "write_csv",
]


def plan(
    problem: Problem,
    strategy: str = "best",
    effort: str = "normal",
    capacity: int | None = None,
    progress: OnProgress | None = None,
) -> Plan:
    """Offsets for all buffers, with the best proven bound, passed by the judge.

    `strategy`: a name of `STRATEGIES`. `effort`: a name of `EFFORTS`, how many steps `best` and `exact` may search.
    `capacity` in bytes: any peak up to it will do, so a search stops there; where it is not reached, the best plan
    found comes back with `peak > capacity`. `progress`, else who is `listening`, is called now and then during a
    search, in the same thread. KeyboardInterrupt during a search ends it: the best plan so far comes back, with
    `complete` False.

    Raises ValueError for an unknown name, VerdictError where pinned buffers collide (no plan exists), or where the
    judge finds a fault in what a strategy did.
    """
    if strategy not in STRATEGIES:
        raise ValueError(f"no strategy '{strategy}': there are {', '.join(STRATEGIES)}")
    if effort not in EFFORTS:
        raise ValueError(f"no effort '{effort}': there are {', '.join(EFFORTS)}")
    collisions = check.pins(problem)
    if collisions:
        raise VerdictError(collisions)
    if strategy in SEARCHES:
        found = SEARCHES[strategy](problem, Search(EFFORTS[effort], capacity, progress or listener()))
    else:
        found = Found(RULES[strategy](problem))
    return check.passed(problem, _plan(problem, strategy, found))


def peaks(problem: Problem, strategies: Iterable[str], beside: Plan) -> dict[str, int]:
    """Bytes that the strategies without a search need for a problem, each of their plans passed by the judge.

    `beside` is a plan of the same problem: its bound holds for theirs too.
    """
    found = {name: RULES[name](problem) for name in strategies}
    return {
        name: check.passed(
            problem,
            Plan(offsets, problem.peak(offsets), beside.lower_bound, name, beside.refuted),
        ).peak
        for name, offsets in found.items()
    }


def _plan(problem: Problem, strategy: str, found: Found) -> Plan:
    tallest = lower_bound(problem).bytes
    return Plan(
        offsets=found.offsets,
        peak=problem.peak(found.offsets),
        lower_bound=max(tallest, found.refuted_below),
        strategy=strategy,
        refuted=found.refuted_below > tallest,
        complete=found.complete,
    )
