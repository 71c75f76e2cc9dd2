"""The judge: whether a plan keeps every rule of its problem. It shares no code with any planner.

Every plan passes through here before anyone sees it. Rules are read from the problem's buffers and its table of
permitted shares alone, with arithmetic of its own, pair by pair where that is affordable.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from heapq import heappop, heappush

from ..errors import Finding, VerdictError
from .problem import Buffer, Problem
from .result import Plan

PAIRS = 300_000
"""Up to so many pairs that meet in time, each one is looked at; beyond, a sweep looks at neighbours only."""

SHOWN = 20
"""A verdict names so many pairs that touch, and counts the rest."""


def passed(problem: Problem, plan: Plan) -> Plan:
    """The plan itself where it is sound; raises VerdictError with every fault where it is not."""
    findings = judge(problem, plan)
    if findings:
        raise VerdictError(findings)
    return plan


def judge(problem: Problem, plan: Plan) -> tuple[Finding, ...]:
    """Every fault of the plan; empty where it is sound.

    Looked at: the number of offsets, their range and alignment, pins, every pair of buffers that is alive at the same
    time, and whether peak and bound are what they claim. Of a problem too large for pairs, a sweep over time checks
    each buffer as it is born against its neighbours: it accepts no plan with a fault, but may name fewer pairs.
    """
    if len(plan.offsets) != len(problem.buffers):
        return (Finding(f"the plan has {len(plan.offsets)} offsets for {len(problem.buffers)} buffers"),)
    odd = [k for k, offset in enumerate(plan.offsets) if type(offset) is not int]
    if odd:
        return tuple(Finding(f"{title(problem, k)}: offset {plan.offsets[k]!r} is not an integer") for k in odd)
    return (*_alone(problem, plan), *_together(problem, plan.offsets), *_claims(problem, plan))


def pins(problem: Problem) -> tuple[Finding, ...]:
    """Pinned buffers that collide with each other: what no plan can mend."""
    fixed = [k for k, buffer in enumerate(problem.buffers) if buffer.offset is not None]
    offsets = [buffer.offset or 0 for buffer in problem.buffers]
    findings = []
    for position, i in enumerate(fixed):
        for j in fixed[position + 1 :]:
            if _collide(problem, offsets, i, j):
                findings.append(_touching(problem, offsets, i, j))
    return tuple(findings)


def title(problem: Problem, index: int) -> str:
    """A buffer by its name where it has one, else by its number."""
    name = problem.buffers[index].name
    return f"buffer {index} '{name}'" if name else f"buffer {index}"


def _alone(problem: Problem, plan: Plan) -> Iterator[Finding]:
    for k, (buffer, offset) in enumerate(zip(problem.buffers, plan.offsets, strict=True)):
        if offset < 0:
            yield Finding(f"{title(problem, k)}: offset {offset} lies below the arena")
        elif offset % buffer.alignment:
            yield Finding(f"{title(problem, k)}: offset {offset} is not a multiple of {buffer.alignment}")
        if buffer.offset is not None and buffer.offset != offset:
            yield Finding(f"{title(problem, k)}: lies at {offset}, is pinned at {buffer.offset}")
        if buffer.size and offset + buffer.size > plan.peak:
            yield Finding(f"{title(problem, k)}: ends at {offset + buffer.size}, behind the peak {plan.peak}")


def _claims(problem: Problem, plan: Plan) -> Iterator[Finding]:
    """Peak and bound against the offsets and the tallest step."""
    end = max((o + b.size for b, o in zip(problem.buffers, plan.offsets, strict=True) if b.size), default=0)
    while end % problem.alignment:
        end += problem.alignment - end % problem.alignment
    if plan.peak != end:
        yield Finding(f"the peak is said to be {plan.peak}, the highest buffer makes it {end}")
    if not 0 <= plan.lower_bound <= plan.peak:
        yield Finding(f"the lower bound {plan.lower_bound} is not between 0 and the peak {plan.peak}")
    elif not plan.refuted and plan.lower_bound > _most(problem):
        yield Finding(
            f"the lower bound {plan.lower_bound} is above every step, and no search is said to have proven it"
        )


def _most(problem: Problem) -> int:
    """No honest bound from one step is above this: the tallest step with every buffer rounded up, or a pin's end."""
    change: dict[int, int] = {}
    tallest = height = 0
    for buffer in problem.buffers:
        rounded = (buffer.size + buffer.alignment - 1) & -buffer.alignment
        change[buffer.first] = change.get(buffer.first, 0) + rounded
        change[buffer.last + 1] = change.get(buffer.last + 1, 0) - rounded
        if buffer.size and buffer.offset is not None:
            tallest = max(tallest, buffer.offset + buffer.size)
    for step in sorted(change):
        height += change[step]
        tallest = max(tallest, height)
    return (tallest + problem.alignment - 1) & -problem.alignment


def _together(problem: Problem, offsets: tuple[int, ...]) -> list[Finding]:
    buffers = problem.buffers
    order = sorted((k for k in range(len(buffers)) if buffers[k].size), key=lambda k: buffers[k].first)
    firsts = [buffers[k].first for k in order]
    met = sum(bisect_right(firsts, buffers[k].last) - position - 1 for position, k in enumerate(order))
    pairs = _every_pair(problem, offsets, order) if met <= PAIRS else _swept(problem, offsets, order)
    touching = sorted({(min(pair), max(pair)) for pair in pairs})
    findings = [_touching(problem, offsets, i, j) for i, j in touching[:SHOWN]]
    if touching[SHOWN:]:
        findings.append(Finding(f"and {len(touching) - SHOWN} more pairs of buffers"))
    return findings


def _every_pair(problem: Problem, offsets: tuple[int, ...], order: list[int]) -> Iterator[tuple[int, int]]:
    """All pairs that collide, by looking at each that meets; `order` is by first step."""
    shares = problem.shares
    rows = [(b.first, offsets[k], offsets[k] + b.size, b.last, k) for k in order for b in (problem.buffers[k],)]
    for position, (_, low, high, last, i) in enumerate(rows):
        for first, bottom, top, _, j in rows[position + 1 :]:
            if first > last:
                break
            if shares and ((i, j) in shares or (j, i) in shares):
                if _collide(problem, offsets, i, j):
                    yield i, j
            elif bottom < high and low < top:
                yield i, j


def _swept(problem: Problem, offsets: tuple[int, ...], order: list[int]) -> Iterator[tuple[int, int]]:
    """Some pair of every plan in which any collide.

    Pairs of the table are looked at one by one. For the others, the buffers alive are kept by offset. As long as all is
    well, only buffers of the table overlap others, so whoever reaches over a newcomer from below is the nearest
    neighbour, or stands in the table.
    """
    buffers = problem.buffers
    yield from (pair for pair in problem.shares if _collide(problem, offsets, *pair))
    longest = max((buffers[k].size for pair in problem.shares for k in pair), default=0)
    alive: list[tuple[int, int]] = []
    leaving: list[tuple[int, int]] = []
    for k in order:
        while leaving and leaving[0][0] < buffers[k].first:
            gone = heappop(leaving)[1]
            del alive[bisect_left(alive, (offsets[gone], gone))]
        low, high = offsets[k], offsets[k] + buffers[k].size
        here = bisect_left(alive, (low, k))
        for above in range(here, len(alive)):
            if alive[above][0] >= high:
                break
            if _collide(problem, offsets, k, alive[above][1]):
                yield k, alive[above][1]
        for below in range(here - 1, -1, -1):
            if below < here - 1 and alive[below][0] <= low - longest:
                break
            if _collide(problem, offsets, k, alive[below][1]):
                yield k, alive[below][1]
        alive.insert(here, (low, k))
        heappush(leaving, (buffers[k].last, k))


def _collide(problem: Problem, offsets: tuple[int, ...] | list[int], i: int, j: int) -> bool:
    """True where the two are alive together and lie as the pair table, or else common sense, forbids."""
    i, j = min(i, j), max(i, j)
    one, two = problem.buffers[i], problem.buffers[j]
    if not (one.size and two.size and one.first <= two.last and two.first <= one.last):
        return False
    entry = problem.shares.get((i, j))
    if entry is None:
        return offsets[i] < offsets[j] + two.size and offsets[j] < offsets[i] + one.size
    return any(low < offsets[j] - offsets[i] < high for low, high in entry)


def _touching(problem: Problem, offsets: tuple[int, ...] | list[int], i: int, j: int) -> Finding:
    one, two = problem.buffers[i], problem.buffers[j]
    low, high = max(offsets[i], offsets[j]), min(offsets[i] + one.size, offsets[j] + two.size)
    common = f"share bytes {low}..{high - 1}" if low < high else f"lie {offsets[j] - offsets[i]} bytes apart"
    step = max(one.first, two.first)
    return Finding(
        f"{title(problem, i)} and {title(problem, j)} {common} while both are alive in step {step}",
        hint=f"{_extent(one, offsets[i])}; {_extent(two, offsets[j])}",
    )


def _extent(buffer: Buffer, offset: int) -> str:
    return f"[{offset}, {offset + buffer.size}) in steps {buffer.first}..{buffer.last}"
