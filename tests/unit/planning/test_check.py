"""The judge against plans that are broken on purpose."""

from __future__ import annotations

import dataclasses

import pytest

from arena_codegen.errors import VerdictError
from arena_codegen.planning import check
from arena_codegen.planning.check import judge, passed, pins
from arena_codegen.planning.problem import Buffer, Problem
from arena_codegen.planning.result import Plan

PROBLEM = Problem(
    (
        Buffer(32, 0, 1, 16, None, "input"),
        Buffer(16, 1, 2, 16, None, "conv"),
        Buffer(48, 2, 3, 16, None, "output"),
        Buffer(0, 0, 3, 16),
        Buffer(16, 3, 3, 16, 64, "camera"),
    ),
    alignment=16,
)
PLAN = Plan((16, 0, 16, 32, 64), 80, 64, "by hand")


def broken(**changes: object) -> list[str]:
    return [finding.what for finding in judge(PROBLEM, dataclasses.replace(PLAN, **changes))]


def test_a_sound_plan_passes_as_it_is() -> None:
    assert passed(PROBLEM, PLAN) is PLAN


def test_a_plan_with_too_few_offsets_is_found() -> None:
    assert broken(offsets=(0, 32)) == ["the plan has 2 offsets for 5 buffers"]


def test_an_offset_that_is_no_integer_is_found() -> None:
    assert broken(offsets=(16, 0, 16.0, 32, 64)) == ["buffer 2 'output': offset 16.0 is not an integer"]


def test_a_negative_offset_is_found() -> None:
    assert "buffer 1 'conv': offset -16 lies below the arena" in broken(offsets=(16, -16, 16, 32, 64))


def test_a_misaligned_offset_is_found() -> None:
    assert "buffer 1 'conv': offset 8 is not a multiple of 16" in broken(offsets=(32, 8, 16, 32, 64), peak=80)


def test_a_buffer_off_its_pin_is_found() -> None:
    assert "buffer 4 'camera': lies at 80, is pinned at 64" in broken(offsets=(16, 0, 16, 32, 80), peak=96)


def test_two_live_buffers_that_touch_are_named_with_the_bytes() -> None:
    (finding,) = judge(PROBLEM, dataclasses.replace(PLAN, offsets=(0, 16, 32, 32, 64), peak=80))[:1]

    assert finding.what == "buffer 0 'input' and buffer 1 'conv' share bytes 16..31 while both are alive in step 1"
    assert finding.hint == "[0, 32) in steps 0..1; [16, 32) in steps 1..2"


def test_a_peak_that_is_too_low_or_too_high_is_found() -> None:
    assert broken(peak=64)[0] == "buffer 4 'camera': ends at 80, behind the peak 64"
    assert broken(peak=96) == ["the peak is said to be 96, the highest buffer makes it 80"]


def test_a_peak_that_is_not_rounded_is_found() -> None:
    problem = Problem((Buffer(5, 0, 0),), alignment=8)

    assert [f.what for f in judge(problem, Plan((0,), 5, 5, "x"))] == [
        "the peak is said to be 5, the highest buffer makes it 8"
    ]


def test_a_bound_above_the_peak_is_found() -> None:
    assert broken(lower_bound=96) == ["the lower bound 96 is not between 0 and the peak 80"]


def test_a_bound_that_no_step_proves_is_found() -> None:
    problem = Problem((Buffer(4, 0, 0), Buffer(4, 1, 1)))
    plan = Plan((0, 4), 8, 8, "x")

    assert "above every step" in judge(problem, plan)[0].what
    assert judge(problem, dataclasses.replace(plan, refuted=True)) == ()


def test_the_same_start_is_judged_by_the_pair_table() -> None:
    problem = Problem((Buffer(4, 0, 1), Buffer(4, 1, 2)), shares={(0, 1): ((-4, 0), (0, 4))})

    assert judge(problem, Plan((0, 0), 4, 4, "x")) == ()
    assert "share bytes 1..3" in judge(problem, Plan((0, 1), 5, 4, "x"))[0].what


def test_trailing_closer_than_the_distance_is_found() -> None:
    problem = Problem((Buffer(8, 0, 1), Buffer(8, 1, 2)), shares={(0, 1): ((-3, 8),)})

    assert judge(problem, Plan((3, 0), 11, 8, "x")) == ()
    assert "share bytes 2..7" in judge(problem, Plan((2, 0), 10, 8, "x"))[0].what


def test_a_share_without_an_entry_is_found_beside_one_with() -> None:
    shares = {(0, 1): ((-4, 0), (0, 4))}
    problem = Problem((Buffer(4, 0, 1), Buffer(4, 1, 2), Buffer(4, 1, 1)), shares=shares)

    (finding, *_) = judge(problem, Plan((0, 0, 0), 4, 4, "x"))

    assert finding.what == "buffer 0 and buffer 2 share bytes 0..3 while both are alive in step 1"


def test_empty_buffers_collide_with_nobody() -> None:
    assert judge(Problem((Buffer(8, 0, 3), Buffer(0, 1, 2))), Plan((0, 4), 8, 8, "x")) == ()


def test_many_faults_are_counted_beyond_the_first_ones() -> None:
    problem = Problem(tuple(Buffer(1, 0, 0) for _ in range(10)))

    findings = judge(problem, Plan((0,) * 10, 1, 1, "x"))

    assert len(findings) == check.SHOWN + 1
    assert findings[-1].what == "and 25 more pairs of buffers"


def test_pinned_buffers_that_collide_are_named() -> None:
    problem = Problem(
        (Buffer(8, 0, 1, offset=0, name="a"), Buffer(8, 1, 1, offset=4, name="b"), Buffer(8, 2, 2, offset=4))
    )

    assert [f.what for f in pins(problem)] == [
        "buffer 0 'a' and buffer 1 'b' share bytes 4..7 while both are alive in step 1"
    ]


def test_a_broken_plan_raises_every_finding() -> None:
    with pytest.raises(VerdictError) as error:
        passed(PROBLEM, dataclasses.replace(PLAN, offsets=(0, 0, 0, 0, 0), peak=48, lower_bound=48))

    assert len(error.value.findings) == 4


def test_the_sweep_for_large_problems_finds_what_pairs_find(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = {(0, 1): ((-4, 0), (0, 40))}
    problem = Problem((Buffer(40, 0, 5), Buffer(4, 1, 2), Buffer(2, 2, 3), Buffer(3, 2, 2)), shares=shares)
    sound = Plan((0, 0, 40, 42), 45, 45, "x")
    covered = Plan((0, 0, 20, 42), 45, 45, "x")
    monkeypatch.setattr(check, "PAIRS", 0)

    assert judge(problem, sound) == ()
    assert [f.what for f in judge(problem, covered)] == [
        "buffer 0 and buffer 2 share bytes 20..21 while both are alive in step 2"
    ]
