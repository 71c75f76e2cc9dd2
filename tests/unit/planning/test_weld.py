from __future__ import annotations

from dataclasses import replace

from arena_codegen.planning.check import judge
from arena_codegen.planning.effort import EFFORTS, Search, Techniques
from arena_codegen.planning.grid import grid
from arena_codegen.planning.problem import Buffer, Problem
from arena_codegen.planning.result import Plan
from arena_codegen.planning.search.minimise import minimise
from arena_codegen.planning.search.weld import Weld, weld
from tests.support.problems import dissection, optimum, tight

ACROSS = Buffer(1, 0, 30)
"""Alive in every column, so that none of the borders is a way through."""


def welded(*buffers: Buffer) -> tuple[Problem, Weld]:
    """A problem without waste, and what must be welded in it."""
    problem = Problem((ACROSS, *buffers))
    g = grid(problem)
    found = weld(g, max(g.heights))
    assert found is not None
    return problem, found


def test_neighbours_of_one_size_are_welded() -> None:
    problem, found = welded(Buffer(5, 0, 9), Buffer(5, 10, 30))

    assert [(piece.size, piece.end - piece.begin) for piece in found.pieces] == [(1, 2), (5, 2)]
    assert found.offsets([5, 0]) == [5, 0, 0]
    assert problem.peak(found.offsets([5, 0])) == 6


def test_buffers_that_live_and_lie_together_are_stacked() -> None:
    _, found = welded(Buffer(5, 0, 9), Buffer(2, 10, 30), Buffer(3, 10, 30))

    assert [piece.size for piece in found.pieces] == [1, 5]
    assert found.offsets([0, 1]) == [0, 1, 1, 3]


def test_a_wheel_is_welded_whichever_way_it_turns() -> None:
    wheel = [Buffer(7, 0, 9), Buffer(2, 0, 19), Buffer(3, 10, 19), Buffer(4, 10, 30), Buffer(5, 20, 30)]
    for order in ((0, 1, 2, 3, 4), (4, 3, 2, 1, 0)):
        problem, found = welded(*(wheel[k] for k in order))
        offsets = tuple(found.offsets([9, 0]))

        assert [piece.size for piece in found.pieces] == [1, 9]
        assert judge(problem, Plan(offsets, 10, 10, "best")) == ()


def test_sums_that_agree_twice_force_nothing() -> None:
    g = grid(Problem((ACROSS, Buffer(5, 0, 9), Buffer(2, 0, 9), Buffer(2, 10, 20), Buffer(5, 10, 30))))

    assert weld(g, max(g.heights)) is None


def test_columns_with_bytes_to_spare_force_nothing() -> None:
    g = grid(Problem((ACROSS, Buffer(5, 0, 9), Buffer(5, 10, 30))))

    assert weld(g, max(g.heights) + 1) is None


def test_plans_of_the_welded_are_plans_of_the_whole() -> None:
    for seed in range(40):
        problem = dissection(60, seed)
        g = grid(problem)
        found = weld(g, 1024)
        assert found is not None
        offsets = minimise(found.grid.problem, Search(), most=3000).offsets
        units = [offset // found.grid.unit for offset in offsets]

        assert found.grid.problem.peak(offsets) == 1024
        assert judge(problem, Plan(g.offsets(found.offsets(units)), 1024, 1024, "best")) == ()


def test_what_the_welded_refutes_is_refuted_by_brute_force() -> None:
    """Portfolios off, so that the search decides."""
    bare = Techniques(valleys=False, portfolio=False)
    refuted = 0
    for seed in range(300):
        problem = tight(seed, 4, 5, 3)
        g = grid(problem)
        if weld(g, max(g.heights)) is not None:
            made = minimise(problem, Search(EFFORTS["quick"], techniques=bare), most=3000)
            apart = minimise(problem, Search(EFFORTS["quick"], techniques=replace(bare, weld=False)), most=3000)
            refuted += made.refuted_below > max(g.heights)

            assert problem.peak(made.offsets) == problem.peak(apart.offsets) == optimum(problem)
    assert refuted
