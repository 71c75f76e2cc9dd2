"""Text from outside on one line of a report."""

from __future__ import annotations

import pytest

from arena_codegen.text import clipped, counted, grid, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("conv1/out", "conv1/out"),
        ("größe 卷积", "größe 卷积"),
        ("a\nb\tc\x1b[31m", r"a\nb\tc\x1b[31m"),
        ("right\u202eto left", r"right\u202eto left"),
        ("\u2028", r"\u2028"),
        ("latin-\udce9", r"latin-\udce9"),
    ],
)
def test_what_is_not_a_visible_character_is_written_out(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_a_clipped_text_keeps_its_end() -> None:
    assert clipped("conv1/out", 9) == "conv1/out"
    assert clipped("conv1/out", 6) == "../out"


def test_counts_agree_with_their_noun() -> None:
    assert [counted(number, "byte") for number in (0, 1, 2)] == ["0 bytes", "1 byte", "2 bytes"]


def test_numbers_stand_right_and_words_left() -> None:
    assert grid(("n", "name"), [(1, "a"), (100, "bc")], ("name",), "name", 40) == ["  n  name", "  1  a", "100  bc"]


def test_the_elastic_column_gives_way_down_to_twelve() -> None:
    rows = [("x" * 30 + "end", 7)]
    assert [len(line) for line in grid(("name", "n"), rows, ("name",), "name", 20)] == [20, 20]
    narrow = grid(("name", "n"), rows, ("name",), "name", 1)
    assert narrow[1] == "..xxxxxxxend 7"
