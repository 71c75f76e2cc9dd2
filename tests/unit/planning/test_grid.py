from __future__ import annotations

from arena_codegen.planning.grid import columns, grid
from arena_codegen.planning.problem import Buffer, Problem


def test_columns_are_the_largest_sets_alive_together() -> None:
    time = columns([0, 1, 2, 9], [1, 2, 5, 9])

    assert (time.begins, time.ends, time.steps) == ([0, 0, 1, 2], [1, 2, 2, 3], [1, 2, 9])


def test_lifetimes_meet_where_column_ranges_overlap() -> None:
    spans = [(0, 3), (2, 2), (3, 7), (4, 4), (-1, 0), (8, 9)]
    time = columns([a for a, _ in spans], [b for _, b in spans])

    for i, (a, b) in enumerate(spans):
        for j, (c, d) in enumerate(spans):
            met = time.begins[i] < time.ends[j] and time.begins[j] < time.ends[i]
            assert met == (a <= d and c <= b)


def test_units_are_what_sizes_have_in_common() -> None:
    g = grid(Problem((Buffer(96, 0, 0, 16), Buffer(40, 0, 1, 16)), alignment=16))

    assert (g.unit, g.sizes, g.even, g.plain) == (48, [2, 1], True, True)
    assert g.bytes(3) == 144
    assert g.units(150) == 3
    assert g.offsets([1, 0]) == (48, 0)


def test_mixed_alignment_that_sizes_keep_anyway_is_even() -> None:
    assert grid(Problem((Buffer(16, 0, 0, 4), Buffer(32, 0, 0, 16)), alignment=16)).even


def test_mixed_alignment_is_kept_in_units_where_it_matters() -> None:
    g = grid(Problem((Buffer(4, 0, 0, 4), Buffer(32, 0, 0, 16)), alignment=16))

    assert (g.unit, g.aligns, g.even) == (4, [1, 4], False)


def test_empty_buffers_are_left_out_and_lie_at_their_pin_or_at_zero() -> None:
    g = grid(Problem((Buffer(0, 0, 0, offset=7), Buffer(3, 0, 0), Buffer(0, 2, 2))))

    assert g.index == [1]
    assert g.offsets([0]) == (7, 0, 0)
    assert len(g.steps) == 1


def test_forbidden_differences_grow_to_whole_units() -> None:
    g = grid(Problem((Buffer(12, 0, 1, 4), Buffer(24, 1, 1, 4)), 4, {(0, 1): ((-7, 9),)}))

    assert (g.unit, g.shares[0, 1], g.shares[1, 0]) == (4, ((-2, 3),), ((-3, 2),))
