from __future__ import annotations

from arena_codegen.planning.bound import Bound, lower_bound
from arena_codegen.planning.problem import Buffer, Problem


def test_the_tallest_step_is_the_bound_and_its_witness() -> None:
    problem = Problem((Buffer(4, 0, 2), Buffer(5, 1, 1), Buffer(3, 2, 4), Buffer(9, 4, 4)))

    assert lower_bound(problem) == Bound(12, 4, (2, 3))


def test_a_pinned_buffer_may_say_more_than_any_step() -> None:
    assert lower_bound(Problem((Buffer(4, 0, 0), Buffer(4, 3, 3, offset=20)))) == Bound(24, 3, (1,))


def test_nothing_to_place_needs_nothing() -> None:
    assert lower_bound(Problem((), alignment=16)) == Bound(0, 0, ())
    assert lower_bound(Problem((Buffer(0, 0, 5),))).bytes == 0


def test_sizes_are_rounded_to_a_common_alignment() -> None:
    assert lower_bound(Problem((Buffer(1, 0, 0, 16), Buffer(17, 0, 0, 16)), alignment=16)).bytes == 48


def test_the_topmost_buffer_need_not_fill_its_alignment() -> None:
    assert lower_bound(Problem((Buffer(1, 0, 0, 16), Buffer(17, 0, 0, 16)))).bytes == 33


def test_the_same_start_saves_the_smaller_of_the_two() -> None:
    shares = {(0, 1): ((-6, 0), (0, 8))}

    assert lower_bound(Problem((Buffer(8, 0, 1), Buffer(6, 1, 2)), shares=shares)).bytes == 8


def test_trailing_saves_all_but_the_distance() -> None:
    assert lower_bound(Problem((Buffer(8, 0, 1), Buffer(8, 1, 2)), shares={(0, 1): ((-3, 8),)})).bytes == 11


def test_an_output_takes_over_one_input_only() -> None:
    same = ((-8, 0), (0, 8))

    bound = lower_bound(
        Problem((Buffer(8, 0, 2), Buffer(8, 1, 2), Buffer(8, 2, 3)), shares={(0, 2): same, (1, 2): same})
    )

    assert (bound.bytes, bound.step) == (16, 2)


def test_a_share_of_buffers_that_never_meet_saves_nothing() -> None:
    shares = {(0, 1): ((-8, 0), (0, 8))}

    assert lower_bound(Problem((Buffer(8, 0, 0), Buffer(8, 1, 1), Buffer(1, 0, 1)), shares=shares)).bytes == 9
