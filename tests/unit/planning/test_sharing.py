from __future__ import annotations

from arena_codegen.planning import plan
from arena_codegen.planning.grid import grid
from arena_codegen.planning.problem import Buffer, Problem
from arena_codegen.planning.search.merge import merged
from arena_codegen.planning.search.pairs import Pairwise

SAME = ((-8, 0), (0, 8))


def test_a_chain_of_views_takes_the_bytes_of_one() -> None:
    buffers = tuple(Buffer(8, step, step + 1) for step in range(5))

    made = plan(Problem(buffers, shares={(k, k + 1): SAME for k in range(4)}))

    assert (made.offsets, made.peak, made.optimal) == ((0, 0, 0, 0, 0), 8, True)


def test_either_of_two_inputs_may_be_taken_over() -> None:
    buffers = (Buffer(8, 0, 2), Buffer(8, 1, 2), Buffer(8, 2, 3))

    for pair in ((0, 2), (1, 2)):
        made = plan(Problem(buffers, shares={pair: SAME}))
        assert (made.peak, made.optimal) == (16, True)
        assert made.offsets[pair[0]] == made.offsets[2]


def test_an_output_trails_its_input_by_the_distance() -> None:
    made = plan(Problem((Buffer(32, 0, 1, 16), Buffer(32, 1, 2, 16)), 16, {(0, 1): ((-16, 32),)}))

    assert (made.offsets, made.peak, made.optimal) == ((16, 0), 48, True)


def test_an_input_may_lie_at_the_end_of_its_output() -> None:
    made = plan(Problem((Buffer(4, 0, 1), Buffer(16, 1, 2)), shares={(0, 1): ((-12, 4),)}))

    assert (made.offsets, made.peak) == ((12, 0), 16)


def test_a_buffer_in_two_pairs_keeps_both_distances() -> None:
    shares = {(0, 1): ((-4, 16),), (1, 2): ((-4, 16),)}

    made = plan(Problem((Buffer(16, 0, 1), Buffer(16, 1, 2), Buffer(16, 2, 3)), shares=shares))

    assert (made.offsets, made.peak, made.lower_bound, made.refuted) == ((8, 4, 0), 24, 24, True)


def test_a_pinned_buffer_is_shared_where_it_lies() -> None:
    problem = Problem((Buffer(8, 0, 1, offset=24), Buffer(8, 1, 2)), shares={(0, 1): SAME})

    assert plan(problem).peak == 32


def test_merging_joins_equal_buffers_only() -> None:
    buffers = (Buffer(8, 0, 1), Buffer(8, 1, 2, 4), Buffer(4, 2, 3))
    shares = {(0, 1): SAME, (1, 2): ((-4, 0), (0, 8))}

    problem, owner = merged(Problem(buffers, shares=shares), late=True)

    assert problem.buffers == (Buffer(8, 0, 2, 4), Buffer(4, 2, 3))
    assert (owner, problem.shares) == ([0, 0, 1], {})


def test_merging_prefers_the_input_asked_for() -> None:
    problem = Problem((Buffer(8, 0, 2), Buffer(8, 1, 2), Buffer(8, 2, 3)), shares={(0, 2): SAME, (1, 2): SAME})

    assert merged(problem, late=True)[1] == [0, 1, 1]
    assert merged(problem, late=False)[1] == [0, 1, 0]


def test_pairwise_search_finds_what_fits_and_refutes_what_does_not() -> None:
    g = grid(Problem((Buffer(4, 0, 1), Buffer(3, 1, 2), Buffer(4, 0, 2)), shares={(0, 1): ((-1, 4),)}))
    search = Pairwise(g)

    assert search.fits(8, 100) is None
    assert search.fits(9, 100) is not None


def test_an_empty_pinned_buffer_does_not_disturb_mixed_alignments() -> None:
    problem = Problem((Buffer(3, 0, 1, 1), Buffer(5, 0, 1, 4), Buffer(0, 0, 1, 1, 5)))

    assert (plan(problem).offsets[2], plan(problem).peak) == (5, 8)
