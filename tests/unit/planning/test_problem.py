from __future__ import annotations

from pathlib import Path

import pytest

from arena_codegen.planning.problem import Buffer, Problem, read_csv, write_csv


def test_csv_rows_become_buffers_with_an_inclusive_last_step(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("id,lower,upper,size\na,0,3,10\nb,2,4,7\n")

    assert read_csv(tmp_path / "p.csv").buffers == (Buffer(10, 0, 2, name="a"), Buffer(7, 2, 3, name="b"))


def test_csv_may_carry_alignment_and_pins(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("id,lower,upper,size,alignment,offset\na,0,3,10,4,\nb,2,4,7,2,6\n")

    assert read_csv(tmp_path / "p.csv").buffers == (Buffer(10, 0, 2, 4, None, "a"), Buffer(7, 2, 3, 2, 6, "b"))


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    problem = Problem((Buffer(3, -1, 4, 1, None, "x"), Buffer(8, 0, 0, 8, 16, "y")))

    write_csv(problem, tmp_path / "p.csv")

    assert read_csv(tmp_path / "p.csv") == problem


def test_a_row_that_is_no_buffer_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("id,lower,upper,size\na,0,3,10\nb,2,four,7\n")

    with pytest.raises(ValueError, match=r"p\.csv:3: not a buffer"):
        read_csv(tmp_path / "p.csv")


def test_a_csv_without_sizes_is_refused(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("id,lower,upper\na,0,3\n")

    with pytest.raises(ValueError, match="no column size"):
        read_csv(tmp_path / "p.csv")


@pytest.mark.parametrize(
    ("buffers", "shares", "text"),
    [
        ([Buffer(-1, 0, 0)], {}, "size -1"),
        ([Buffer(1, 2, 1)], {}, "lifetime 2..1"),
        ([Buffer(1, 0, 0, 3)], {}, "alignment 3 is not a power of two"),
        ([Buffer(1, 0, 0, 4, 6)], {}, "pinned at 6, not a multiple of 4"),
        ([Buffer(4, 0, 0), Buffer(4, 0, 0)], {(1, 0): ()}, "not a pair of buffers in order"),
        ([Buffer(4, 0, 0), Buffer(4, 0, 0)], {(0, 1): ((0, 4), (-4, 0))}, "ascending order"),
        ([Buffer(4, 0, 0), Buffer(4, 0, 0)], {(0, 1): ((-5, 4),)}, "forbid more than disjoint buffers need"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(buffers: list[Buffer], shares: dict, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        Problem(tuple(buffers), shares=shares)


def test_forbidden_differences_are_mirrored_for_the_other_order() -> None:
    problem = Problem((Buffer(8, 0, 1), Buffer(4, 1, 2), Buffer(2, 1, 1)), shares={(0, 1): ((-3, 8),)})

    assert problem.forbidden(1, 0) == ((-8, 3),)
    assert problem.forbidden(0, 2) == ((-2, 8),)
    assert problem.forbidden(2, 0) == ((-8, 2),)
