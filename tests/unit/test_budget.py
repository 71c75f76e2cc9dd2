"""A budget that is exceeded: the need, the limit, what is missing, who decides, who is alive, and what would help."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from arena_codegen.budget import check_budget
from arena_codegen.errors import FitError
from arena_codegen.layout import Layout
from arena_codegen.layout.types import ShareRow
from arena_codegen.model.reader import parse_model
from arena_codegen.options import plan_options
from arena_codegen.pipeline import plan_layout
from tests.support import models
from tests.support.layouts import OPTIONS, TAIL, layout, small, tensor_row, with_everything


def refused(of: Layout, limit: int) -> tuple[str, str, list[str]]:
    with pytest.raises(FitError) as caught:
        check_budget(of, limit)
    assert caught.value.exit_code == 4
    (finding,) = caught.value.findings
    return finding.what, finding.where, finding.hint.split("\n")


@pytest.mark.parametrize("limit", [None, 912, 913, 2**31 - 1])
def test_what_fits_passes(limit: int | None) -> None:
    check_budget(small(), limit)


@pytest.mark.parametrize("limit", [None, 2**31])
def test_an_arena_that_tflm_cannot_count_fits_nowhere(limit: int | None) -> None:
    with pytest.raises(FitError, match="1 more than the 2147483647 that TFLM can count in 32 bits"):
        check_budget(replace(small(), arena_bytes=2**31), limit)


def test_the_whole_message_of_a_plan_that_cannot_be_smaller() -> None:
    assert refused(small(), 900) == (
        "the arena needs 912 bytes: 12 more than the 900 that --max-arena allows",
        "kws.tflite · subgraph 0 · op 0 CONV_2D",
        [
            "most is alive when op 0 CONV_2D runs (step 1): 912 bytes in 3 buffers",
            "  496  tensor 0 'input_1'",
            "  256  tensor 1 'conv/Relu'",
            "  160  scratch 0 of op 0 CONV_2D",
            "no plan of these buffers can be smaller than 912 bytes: that is proven",
            "rounding up to 16 bytes takes 6 bytes there: see --align",
            "make what is alive there smaller in the model, or raise --max-arena to 912",
        ],
    )


def test_a_tail_that_does_not_fit_can_be_left_out() -> None:
    what, _, hints = refused(replace(small(), tail=TAIL, arena_bytes=1536), 1000)
    assert what == "the arena needs 1536 bytes: 536 more than the 1000 that --max-arena allows"
    assert hints[0] == "912 bytes are planned; the rest is for TFLM, whose tail takes 868"
    assert hints[-2:] == [
        "--arena plan emits the 912 planned bytes alone; TFLM's tail then needs memory of its own",
        "raise --max-arena to 1536",
    ]


def test_an_arena_of_a_size_of_its_own_is_named_as_the_reason() -> None:
    _, _, hints = refused(with_everything(), 1024)
    assert hints[0] == "--arena asks for 2048 bytes; the plan needs 928"


def test_wishes_that_held_bytes_are_named() -> None:
    _, _, hints = refused(with_everything(), 512)
    assert "--keep, --pin held bytes that others could have used" in hints


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({}, "no plan can be smaller than 800 bytes; --effort thorough may come closer"),
        ({"strategy": "greedy"}, "no plan can be smaller than 800 bytes; --strategy best may come closer"),
        ({"effort": "thorough"}, "no plan can be smaller than 800 bytes; the search is at its end"),
    ],
)
def test_a_plan_that_may_be_improved_says_how(options: dict[str, Any], hint: str) -> None:
    assert hint in refused(replace(small(), lower_bound=800, options=OPTIONS | options), 100)[2]


def test_of_many_tensors_the_largest_are_named_and_the_rest_is_summed() -> None:
    rows = [tensor_row(i, size=16 * (i + 1), first=0, last=2, offset=0) for i in range(12)]
    hints = refused(layout(rows), 10)[2]
    assert hints[1] == "   192  tensor 11 't11'"
    assert hints[8:10] == ["    80  tensor 4 't4'", "   160  in 4 more"]


@pytest.mark.parametrize(
    ("scope", "words"), [(0, "before the first operator runs"), (-1, "where tensors lie that no operator uses")]
)
def test_a_peak_where_no_operator_runs_has_words_too(scope: int, words: str) -> None:
    rows = [tensor_row(0, size=64, first=scope, last=scope)]
    _, where, hints = refused(layout(rows, peak_scope=scope, peak_operator=None), 10)
    assert (where, hints[0]) == ("kws.tflite", f"most is alive {words}: 64 bytes in 1 buffer")


def test_the_pipeline_judges_the_budget() -> None:
    model = parse_model(models.residual(), "m.tflite")
    assert plan_layout(model, plan_options(kernels="none", max_arena=384)).arena_bytes <= 384
    with pytest.raises(FitError):
        plan_layout(model, plan_options(kernels="none", strategy="greedy", max_arena=383))


def test_buffers_that_share_bytes_are_counted_and_the_shared_bytes_named() -> None:
    over = ShareRow(0, "in-place", 0, "element by element")
    rows = [tensor_row(0, size=64), tensor_row(1, size=32, offset=0, shares=(over,))]
    _, _, hints = refused(layout(rows), 10)
    assert hints[0] == "most is alive when op 0 CONV_2D runs (step 1): 96 bytes in 2 buffers; they share 32"


def pinned(offset: int) -> Layout:
    options = plan_options(kernels="none", in_place=False, pins={"in": offset}, arena="plan")
    return plan_layout(parse_model(models.residual(), "m.tflite"), options)


def test_a_pin_beyond_every_step_decides_and_no_operator_does() -> None:
    _, where, hints = refused(pinned(4096), 1024)
    assert where == "m.tflite"
    assert hints == [
        "decided by --pin in@4096, which ends at 4224",
        "no plan of these buffers can be smaller than 4224 bytes: that is proven",
        "give --pin a lower offset, or raise --max-arena to 4224",
    ]


def test_a_pin_that_costs_nothing_decides_nothing() -> None:
    _, where, hints = refused(pinned(0), 100)
    assert where.endswith("op 2 ADD")
    assert hints[0].startswith("most is alive when op 2 ADD runs")
