"""The arena in characters."""

from __future__ import annotations

from arena_codegen.emit.memory_map import draw_map, sign
from tests.support.layouts import layout, many, tensor_row

STEPS = [(0, "0 a"), (1, "1 bc"), (2, "2")]


def test_a_row_shows_who_is_where() -> None:
    rows = [
        tensor_row(0, size=64, first=0, last=1, offset=0),
        tensor_row(1, size=32, first=1, last=2, offset=64),
        tensor_row(2, size=32, first=2, last=2, offset=0),
    ]
    assert draw_map(layout(rows), STEPS, 32) == [
        "      0                     96",
        "0 a  |0000000000000000........|",
        "1 bc |000000000000000011111111|",
        "2    |22222222........11111111|",
        "a column is 4 bytes; . is free",
    ]


def test_a_buffer_that_is_smaller_than_a_column_is_seen_where_it_is_alone() -> None:
    rows = [
        tensor_row(0, size=16, first=0, last=2, offset=16000 - 16),
        tensor_row(1, size=16, first=1, last=1, offset=0),
    ]
    cells = [line.partition("|")[2] for line in draw_map(layout(rows), STEPS, 40)[1:-1]]
    assert [(line[0], line[-2]) for line in cells] == [(".", "0"), ("1", "0"), (".", "0")]


def test_the_larger_part_of_a_column_decides() -> None:
    rows = [tensor_row(0, size=48, first=0, last=0, offset=0), tensor_row(1, size=208, first=0, last=0, offset=48)]
    assert draw_map(layout(rows), [(0, "")], 20)[1] == " |000" + "1" * 13 + "|"


def test_the_map_is_as_wide_as_asked_for_down_to_a_least_width() -> None:
    for width in (40, 80, 200):
        assert {len(line) for line in draw_map(many(20), STEPS, width)[1:-1]} == {width - 1}
    assert {len(line) for line in draw_map(many(20), STEPS, 3)[1:-1]} == {4 + 3 + 16}


def test_neighbours_have_different_signs() -> None:
    rows = many(200).buffers
    assert all(sign(one) != sign(other) for one, other in zip(rows, rows[1:], strict=False))


def test_empty_buffers_are_not_drawn() -> None:
    rows = [tensor_row(0, size=16, first=0, last=0), tensor_row(1, size=0, first=0, last=0)]
    assert "1" not in draw_map(layout(rows), [(0, "")], 40)[1]
