from __future__ import annotations

import pytest

from arena_codegen.errors import VerdictError
from arena_codegen.planning import Progress, plan
from arena_codegen.planning.problem import Buffer, Problem
from tests.support.problems import dissection, tight

HARD = dissection(150, 3)
"""Not solved by the portfolio, so that a search runs."""


def test_best_beats_greedy_where_greedy_wastes_a_third() -> None:
    sizes = [6, 4, 4, 8, 2, 4, 4] * 3
    problem = Problem(tuple(Buffer(size, step, step + 1) for step, size in enumerate(sizes)))

    assert plan(problem, "greedy").peak == 16
    assert (plan(problem).peak, plan(problem).optimal) == (12, True)


def test_a_bound_from_refuted_sizes_is_said_to_be_one() -> None:
    refuted = [made for made in (plan(tight(seed, 6), "exact") for seed in range(60)) if made.refuted]

    assert refuted
    assert all(made.optimal for made in refuted)


def test_gap_is_what_lies_between_peak_and_bound() -> None:
    made = plan(HARD, "greedy")

    assert made.gap == made.peak - 1024 > 0
    assert not made.optimal


def test_a_capacity_that_can_be_reached_ends_the_search_there() -> None:
    made = plan(HARD, capacity=1200)

    assert 1024 <= made.peak <= 1200


def test_a_capacity_below_the_bound_still_gives_the_best_plan() -> None:
    made = plan(Problem((Buffer(4, 0, 0), Buffer(4, 0, 0))), capacity=7)

    assert (made.peak, made.optimal) == (8, True)


def test_more_effort_is_never_worse() -> None:
    peaks = [plan(HARD, effort=effort, capacity=1024).peak for effort in ("quick", "normal")]

    assert peaks == sorted(peaks, reverse=True)


def test_progress_tells_peak_bound_and_steps() -> None:
    heard: list[Progress] = []

    made = plan(HARD, effort="quick", progress=heard.append)

    assert heard[-1].peak == made.peak
    assert all(0 < told.steps <= told.limit and told.lower_bound <= told.peak for told in heard)


def test_an_interrupted_search_returns_its_best_plan() -> None:
    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    made = plan(HARD, progress=interrupt)

    assert not made.complete
    assert 1024 <= made.peak <= plan(HARD, "greedy").peak


def test_pinned_buffers_that_collide_are_refused_with_their_names() -> None:
    problem = Problem((Buffer(8, 0, 1, offset=0, name="dma"), Buffer(8, 1, 2, offset=0, name="lcd")))

    with pytest.raises(VerdictError, match=r"'dma' and buffer 1 'lcd' share bytes 0\.\.7"):
        plan(problem)


@pytest.mark.parametrize(
    ("arguments", "text"), [(("fast",), "no strategy 'fast'"), (("best", "huge"), "no effort 'huge'")]
)
def test_unknown_names_are_refused_with_those_that_there_are(arguments: tuple[str, ...], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        plan(Problem(()), *arguments)


def test_deep_problems_meet_no_recursion_limit() -> None:
    count = 1500
    sizes = [(7 * k) % 13 + 1 for k in range(count)]
    problem = Problem(tuple(Buffer(size, k, k + 2 + k % 3) for k, size in enumerate(sizes)))

    made = plan(problem, effort="quick")

    assert made.lower_bound <= made.peak <= plan(problem, "greedy").peak
