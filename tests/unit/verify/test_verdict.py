"""What the board says becomes a verdict; what is no whole report becomes an error."""

from __future__ import annotations

import pytest

from arena_codegen.errors import VerdictError
from arena_codegen.layout.types import Layout
from arena_codegen.model.reader import parse_model
from arena_codegen.options import plan_options
from arena_codegen.pipeline import plan_layout
from arena_codegen.verify.tools import Ended
from arena_codegen.verify.verdict import Damage, Verdict, read_verdicts
from tests.support import models

GOOD = """\
TAP version 13
# m.tflite
ok 1 - the arena lies between guard zones
ok 2 - scope 0 no operator: 1 buffers, 128 bytes whole
# high-water mark 384 of 512 planned bytes
# @high-water plan 0 used 384 planned 512
# @plan 0 points 2 failures 0
1..2
"""

BAD = """\
TAP version 13
not ok 1 - scope 3 op 2 ADD: 'a' [128, 256) was overwritten by 'out' [128, 256) at byte 130
# @damage plan 0 pass 1 victim 1 by 3 byte 130 at scope 3 op 2 ADD
not ok 2 - op 2 ADD: 'a' [128, 256) was overwritten by 'out' [128, 256) at byte 130
# @damage plan 0 pass 2 victim 1 by 3 byte 130 at op 2 ADD
not ok 3 - scope 3 op 2 ADD: the guard zone was overwritten at byte 512 of an arena of 512
not ok 4 - op 2 ADD: 'b' [256, 384) was overwritten by nobody that the plan knows at byte 300
# @damage plan 0 pass 2 victim 2 by -1 byte 300 at op 2 ADD
# @high-water plan 0 used 512 planned 512
# @plan 0 points 9 failures 4
1..4
"""


@pytest.fixture(scope="module")
def layout() -> Layout:
    return plan_layout(parse_model(models.residual(), "m.tflite"), plan_options(kernels="none", strategy="naive"))


def read(layout: Layout, output: str, code: int = 0, timed_out: bool = False) -> Verdict:
    return read_verdicts(Ended(code, output, "qemu: oops\n", timed_out), [layout], 5.0)[0]


def test_a_good_report_passes(layout: Layout) -> None:
    verdict = read(layout, GOOD)
    assert verdict.passed
    assert (verdict.points, verdict.failed, verdict.used, verdict.planned) == (2, 0, 384, 512)
    assert verdict.failures == verdict.damages == ()


def test_a_report_with_carriage_returns_is_the_same(layout: Layout) -> None:
    assert read(layout, GOOD.replace("\n", "\r\n")).passed


def test_a_bad_report_names_buffers_byte_and_place(layout: Layout) -> None:
    verdict = read(layout, BAD, code=1)
    assert not verdict.passed
    assert verdict.damages == (
        Damage(1, 1, 3, 130, "scope 3 op 2 ADD"),
        Damage(2, 1, 3, 130, "op 2 ADD"),
        Damage(2, 2, -1, 300, "op 2 ADD"),
    )


def test_each_pair_is_one_finding(layout: Layout) -> None:
    assert [(f.what, f.where) for f in read(layout, BAD, code=1).failures] == [
        (
            "'a' [128, 256) was overwritten by 'out' [384, 512) at byte 130",
            "m.tflite · pass 1, offsets · scope 3 op 2 ADD",
        ),
        ("scope 3 op 2 ADD: the guard zone was overwritten at byte 512 of an arena of 512", "m.tflite"),
        (
            "'b' [256, 384) was overwritten by nobody that the plan knows at byte 300",
            "m.tflite · pass 2, lifetimes · op 2 ADD",
        ),
    ]


def test_reports_of_several_plans_are_kept_apart(layout: Layout) -> None:
    second = "# @high-water plan 1 used 7 planned 9\n# @plan 1 points 3 failures 0\n"
    output = GOOD.replace("1..2\n", second + "1..2\n")
    verdicts = read_verdicts(Ended(0, output, ""), [layout, layout], 5.0)
    assert [(v.points, v.used, v.planned) for v in verdicts] == [(2, 384, 512), (3, 7, 9)]


@pytest.mark.parametrize("lines", range(1, GOOD.count("\n")))
def test_a_report_that_breaks_off_anywhere_is_no_verdict(layout: Layout, lines: int) -> None:
    with pytest.raises(VerdictError):
        read(layout, "".join(GOOD.splitlines(keepends=True)[:lines]))


@pytest.mark.parametrize(
    ("output", "code", "message"),
    [
        ("", 0, "the board's report broke off (exit code 0)"),
        (GOOD, 2, "the board's report broke off (exit code 2)"),
        (GOOD, -9, "the board's report broke off (exit code -9)"),
        (GOOD, 1, "the board's exit code 1 contradicts its report"),
        (BAD, 0, "the board's exit code 0 contradicts its report"),
        (GOOD.replace("ok 2", "pk 2"), 0, "the board's report broke off (exit code 0)"),
        (GOOD.replace("# @plan 0", "# @plan 1"), 0, "the board said nothing about plan 0"),
        (GOOD.replace("points 2", "points 0"), 0, "the board's exit code 0 contradicts its report"),
        (
            GOOD + "Bail out! BusFault at address 0x1, during op 3 ADD\n",
            2,
            "the board stopped: BusFault at address 0x1, during op 3 ADD",
        ),
    ],
)
def test_a_report_that_is_not_whole_is_no_verdict(layout: Layout, output: str, code: int, message: str) -> None:
    with pytest.raises(VerdictError) as error:
        read(layout, output, code)
    assert error.value.findings[0].what == message


def test_a_hang_is_said_with_the_last_line(layout: Layout) -> None:
    with pytest.raises(VerdictError) as error:
        read(layout, GOOD[:60], -9, timed_out=True)
    assert error.value.findings[0].what == "the board did not end within 5 seconds"
    assert error.value.findings[0].hint.startswith("it said last: ok 1 - ")
