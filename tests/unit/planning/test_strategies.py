from __future__ import annotations

import json
import sys

import pytest

from arena_codegen.planning import STRATEGIES, plan
from arena_codegen.planning.problem import Buffer, Problem
from arena_codegen.planning.strategies.greedy import greedy
from arena_codegen.planning.strategies.linear import linear
from arena_codegen.planning.strategies.naive import naive
from tests.support.problems import large
from tests.support.tools import SHARED

# What TFLM's planner did on a device: size, first, last, offset of every request.
KEYWORDS = [
    (496, 0, 1, 8000), (8000, 1, 2, 0), (8000, 2, 3, 8000), (8000, 3, 4, 0), (8000, 4, 5, 8000), (8000, 5, 6, 0),
    (8000, 6, 7, 8000), (8000, 7, 8, 0), (8000, 8, 9, 8000), (8000, 9, 10, 0), (64, 10, 11, 8256), (64, 11, 12, 0),
    (16, 12, 13, 64), (16, 13, 13, 0), (160, 1, 1, 8496), (256, 10, 10, 8000),
]  # fmt: skip
WAKE_WORDS = [
    (27648, 0, 1, 0), (18432, 1, 2, 55296), (18432, 2, 3, 36864), (36864, 3, 4, 0), (9216, 4, 5, 36864),
    (18432, 5, 6, 0), (18432, 6, 7, 18432), (18432, 7, 8, 0), (4608, 8, 9, 18432), (9216, 9, 10, 0),
    (9216, 10, 11, 9216), (9216, 11, 12, 0), (2304, 12, 13, 9216), (4608, 13, 14, 0), (4608, 14, 15, 4608),
    (4608, 15, 16, 0), (4608, 16, 17, 4608), (4608, 17, 18, 0), (4608, 18, 19, 4608), (4608, 19, 20, 0),
    (4608, 20, 21, 4608), (4608, 21, 22, 0), (4608, 22, 23, 4608), (4608, 23, 24, 0), (1152, 24, 25, 4608),
    (2304, 25, 26, 0), (2304, 26, 27, 2304), (2304, 27, 28, 0), (256, 28, 29, 2304), (256, 29, 30, 0),
    (16, 30, 31, 256), (16, 31, 31, 0),
]  # fmt: skip


def problem_of(rows: list[tuple[int, int, int, int]]) -> Problem:
    return Problem(tuple(Buffer(size, first, last, 16) for size, first, last, _ in rows), alignment=16)


@pytest.mark.parametrize("rows", [KEYWORDS, WAKE_WORDS])
def test_greedy_places_what_tflm_placed(rows: list[tuple[int, int, int, int]]) -> None:
    assert greedy(problem_of(rows)) == tuple(offset for _, _, _, offset in rows)


def test_greedy_equals_every_record_of_a_device() -> None:
    path = SHARED / "ground_truth" / "arena.jsonl"
    records = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    for record in records:
        rows = record["buffers"]
        buffers = [
            Buffer(b["size"], b["first"], b["last"], 16, None if b["offline"] == -1 else b["offline"]) for b in rows
        ]

        made = plan(Problem(tuple(buffers), alignment=16), "greedy")

        assert list(made.offsets) == [b["off"] for b in rows], record["name"]
        assert (made.peak, made.lower_bound) == (record["head"], record["lower_bound_head"])


def test_greedy_places_the_later_of_equal_requests_first() -> None:
    assert greedy(Problem((Buffer(4, 0, 0), Buffer(4, 0, 0), Buffer(8, 0, 0)))) == (12, 8, 0)


def test_greedy_places_pinned_buffers_first_and_others_around_them() -> None:
    assert greedy(Problem((Buffer(8, 0, 0), Buffer(4, 0, 0), Buffer(2, 0, 0, offset=4)))) == (6, 0, 4)


def test_greedy_takes_an_empty_pinned_buffer_for_a_wall_as_tflm_does() -> None:
    assert greedy(Problem((Buffer(0, 0, 0, offset=4), Buffer(6, 0, 0), Buffer(2, 0, 0, offset=7)))) == (4, 9, 7)


def test_greedy_rounds_a_gap_up_to_the_alignment() -> None:
    assert greedy(Problem((Buffer(9, 0, 0, 1), Buffer(8, 0, 0, 8), Buffer(7, 0, 0, 1)))) == (0, 16, 9)


def test_greedy_gives_the_same_offsets_on_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = large("network", 400)
    listed = greedy(problem)
    monkeypatch.setattr(sys.modules[greedy.__module__], "MANY", 10)

    assert greedy(problem) == listed


def test_linear_takes_the_lowest_freed_range_that_is_large_enough() -> None:
    rows = [(4, 0, 0), (6, 0, 1), (5, 0, 3), (4, 1, 3), (6, 2, 3), (1, 3, 3)]

    assert linear(Problem(tuple(Buffer(*row) for row in rows))) == (0, 4, 10, 0, 4, 15)


def test_linear_joins_neighbouring_freed_ranges_and_lowers_the_top() -> None:
    assert linear(Problem((Buffer(4, 0, 0), Buffer(4, 0, 0), Buffer(2, 0, 2), Buffer(8, 1, 2)))) == (0, 4, 8, 0)
    assert linear(Problem((Buffer(2, 0, 2), Buffer(4, 0, 0), Buffer(8, 1, 1)))) == (0, 2, 2)


def test_linear_comes_in_order_of_the_first_step_and_then_of_the_request() -> None:
    assert linear(Problem((Buffer(1, 1, 1), Buffer(2, 0, 1), Buffer(3, 0, 1)))) == (5, 0, 2)


def test_linear_keeps_clear_of_a_buffer_that_is_pinned_later() -> None:
    assert linear(Problem((Buffer(4, 0, 1), Buffer(4, 1, 2, offset=2)))) == (6, 2)


def test_naive_never_reuses_a_byte() -> None:
    assert naive(Problem((Buffer(3, 0, 0, 4), Buffer(5, 1, 1, 4), Buffer(0, 2, 2), Buffer(1, 9, 9)))) == (0, 4, 9, 9)


def test_naive_steps_over_pinned_buffers() -> None:
    assert naive(Problem((Buffer(3, 0, 0), Buffer(3, 1, 1), Buffer(2, 5, 5, offset=4)))) == (0, 6, 4)


@pytest.mark.parametrize("strategy", ["naive", "linear", "greedy"])
def test_simple_strategies_never_share_bytes(strategy: str) -> None:
    problem = Problem((Buffer(8, 0, 1), Buffer(8, 1, 2)), shares={(0, 1): ((-8, 0), (0, 8))})

    assert plan(problem, strategy).peak == 16


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_nothing_to_place_makes_an_empty_plan(strategy: str) -> None:
    made = plan(Problem((), alignment=16), strategy)

    assert (made.offsets, made.peak, made.optimal) == ((), 0, True)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_pins_and_alignments_are_kept(strategy: str) -> None:
    problem = Problem(
        (Buffer(5, 0, 9, 8, 16), Buffer(20, 0, 4, 4), Buffer(9, -1, 2, 16), Buffer(0, 3, 3, 64)), alignment=16
    )

    assert plan(problem, strategy).offsets[0] == 16


def test_naive_goes_on_behind_an_empty_buffer() -> None:
    problem = Problem((Buffer(32, 0, 3, 4), Buffer(0, 1, 2, 4), Buffer(8, 1, 2, 4)), 4)
    assert plan(problem, strategy="naive").peak == 40
