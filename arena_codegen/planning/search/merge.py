"""Chains of equal buffers that may share their start, joined into one buffer each: then any planner can do the rest."""

from __future__ import annotations

from dataclasses import replace

from ..problem import Buffer, Problem


def merged(problem: Problem, late: bool) -> tuple[Problem, list[int]]:
    """A problem without shares, in which buffers of equal size that may have the same offset are one; and who is who.

    The second value maps each buffer to its number in the new problem; a plan of that is a plan of this one, each
    buffer at its chain's offset. A buffer joins a chain only if it may share with every member that it meets. Where an
    output could join either of two inputs, `late` prefers the one that was born last. Pinned buffers stay alone.
    """
    chain = list(range(len(problem.buffers)))
    members = {k: [k] for k in chain}
    for i, j in sorted(problem.shares, key=lambda pair: (pair[1], -pair[0] if late else pair[0])):
        one, two = chain[i], chain[j]
        if one == two or not problem.buffers[i].meets(problem.buffers[j]):
            continue
        if all(_same_start(problem, a, b) for a in members[one] for b in members[two]):
            members[one] += members.pop(two)
            for k in members[one]:
                chain[k] = one
    number = {root: position for position, root in enumerate(members)}
    joined = tuple(_joined([problem.buffers[k] for k in group]) for group in members.values())
    return replace(problem, buffers=joined, shares={}), [number[root] for root in chain]


def _same_start(problem: Problem, i: int, j: int) -> bool:
    """True where the two may lie at the same offset and cost no more together than alone."""
    one, two = problem.buffers[i], problem.buffers[j]
    if one.size != two.size or not one.size or one.offset is not None or two.offset is not None:
        return False
    if not one.meets(two):
        return True
    return (min(i, j), max(i, j)) in problem.shares and not any(low < 0 < high for low, high in problem.forbidden(i, j))


def _joined(group: list[Buffer]) -> Buffer:
    return replace(
        group[0],
        first=min(buffer.first for buffer in group),
        last=max(buffer.last for buffer in group),
        alignment=max(buffer.alignment for buffer in group),
    )
