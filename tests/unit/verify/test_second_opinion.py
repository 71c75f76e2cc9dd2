"""The judge's word on a layout from a file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena_codegen.layout.types import Layout, ShareRow
from arena_codegen.model.reader import parse_model
from arena_codegen.options import plan_options
from arena_codegen.pipeline import plan_layout
from arena_codegen.verify.second_opinion import judge_layout
from tests.support import models


def with_rows(layout: Layout, **rows: dict[str, object]) -> Layout:
    return replace(layout, buffers=tuple(replace(row, **rows.get(row.name, {})) for row in layout.buffers))


@pytest.fixture(scope="module")
def naive() -> Layout:
    """in [0, 128), a [128, 256), b [256, 384), out [384, 512); `b` dies as `out` is born."""
    return plan_layout(parse_model(models.residual(), "m.tflite"), plan_options(kernels="none", strategy="naive"))


@pytest.mark.parametrize("name", models.ALL)
def test_what_was_planned_is_sound(name: str) -> None:
    layout = plan_layout(parse_model(models.ALL[name](), "m.tflite"), plan_options(kernels="none"))
    assert judge_layout(layout) == ()


def test_touching_buffers_are_found(naive: Layout) -> None:
    (fault,) = judge_layout(with_rows(naive, b={"offset": 240}))
    assert "'a'" in fault.what
    assert "'b'" in fault.what


def test_a_lifetime_that_runs_backwards_is_no_plan(naive: Layout) -> None:
    (fault,) = judge_layout(with_rows(naive, b={"last": 0}))
    assert fault.what.startswith("not a plan: ")


@pytest.mark.parametrize(
    ("rule", "distance", "offset", "is_sound"),
    [
        ("in-place", 0, 256, True),
        ("in-place", 0, 272, False),
        ("in-place", 0, 384, True),
        ("overlap", 32, 224, True),
        ("overlap", 32, 240, False),
        ("overlap", 32, 256, False),
        ("overlap", -16, 272, True),
    ],
)
def test_permitted_shares_count(naive: Layout, rule: str, distance: int, offset: int, is_sound: bool) -> None:
    """`out` at different places around `b` at [256, 384); `a` and `in` are out of the way."""
    share = ShareRow(2, rule, distance, "made up")
    layout = with_rows(naive, a={"offset": 512}, out={"offset": offset, "shares": (share,)})
    layout = replace(layout, peak=640, lower_bound=1)
    assert (judge_layout(layout) == ()) is is_sound


def test_a_share_counts_whichever_buffer_comes_first(naive: Layout) -> None:
    """`in` is born as `a` dies, were it an operator's output: its index is the smaller one."""
    share = ShareRow(1, "overlap", 16, "made up")
    for offset, is_sound in ((112, True), (128, False)):
        changes = {"in": {"offset": offset, "first": 3, "last": 3, "shares": (share,)}}
        layout = replace(with_rows(naive, **changes), lower_bound=1)
        assert (judge_layout(layout) == ()) is is_sound
