"""Ways to plan a model side by side, and what decides the peak of each."""

from __future__ import annotations

from itertools import count

import pytest

from arena_codegen.api import plan_model
from arena_codegen.compare import compare
from arena_codegen.layout.comparison import SHARINGS, Comparison
from arena_codegen.layout.types import used_bytes
from arena_codegen.model.reader import parse_model
from arena_codegen.options import DISJOINT_STRATEGIES, PlanOptions
from tests.support import models

FLAGS = {"none": (False, False), "in-place": (True, False), "overlap": (True, True)}


def compared(data: bytes, **options: object) -> Comparison:
    return compare(parse_model(data, "m.tflite"), PlanOptions(**options))


@pytest.mark.parametrize("name", ["residual", "depthwise_cnn", "if_model", "svdf_model", "orphans"])
def test_every_way_is_what_a_plan_of_its_own_gives(name: str) -> None:
    data = models.ALL[name]()
    for way in compared(data).ways:
        in_place, overlap = FLAGS[way.sharing]
        layout = plan_model(data, strategy=way.strategy, in_place=in_place, overlap=overlap)
        used = used_bytes(layout.buffers, layout.end_scope)
        steps = [layout.peak - bytes_used for scope, bytes_used in used.items() if scope >= 0]
        assert (way.peak, way.unused) == (layout.peak, layout.peak - used[layout.peak_scope])
        assert way.lower_bound >= layout.lower_bound
        assert way.unused_mean == round(sum(steps) / len(steps), 1)


def test_all_strategies_are_there_and_those_that_share_with_every_sharing() -> None:
    ways = [(way.strategy, way.sharing) for way in compared(models.residual()).ways]
    searching = [(strategy, sharing) for strategy in ("best", "exact") for sharing in SHARINGS]
    assert ways == [(name, "none") for name in reversed(DISJOINT_STRATEGIES)] + searching


def test_a_bound_that_a_search_proved_holds_for_every_strategy() -> None:
    for name in models.ALL:
        if name != "external_constant":
            bounds: dict[str, set[int]] = {}
            for way in compared(models.ALL[name]()).ways:
                bounds.setdefault(way.sharing, set()).add(way.lower_bound)
            assert all(len(found) == 1 for found in bounds.values())


def test_tflm_as_shipped_knows_no_wish() -> None:
    layout = plan_model(models.residual(), strategy="greedy")
    wishing = compared(models.residual(), keep=("a",), align=64, segment="io")
    assert layout.tail is not None
    assert wishing.shipped.head == layout.greedy == compared(models.residual()).shipped.head
    assert (wishing.shipped.arena_used, wishing.shipped.min_arena) == (
        layout.tail.greedy.arena_used, layout.tail.greedy.min_arena,
    )  # fmt: skip


def test_tflm_s_tail_is_absent_where_nobody_knows_it() -> None:
    shipped = compared(models.residual(), kernels="none").shipped
    assert (shipped.head, shipped.arena_used, shipped.min_arena) == (384, None, None)


def test_planning_is_timed_by_the_clock_that_is_given_and_by_no_other() -> None:
    model = parse_model(models.residual(), "m.tflite")
    ticks = count()
    assert {way.seconds for way in compare(model, PlanOptions(), lambda: next(ticks)).ways} == {1}
    assert {way.seconds for way in compare(model, PlanOptions()).ways} == {None}


def test_wishes_hold_in_every_way() -> None:
    free, kept = compared(models.chain(4)), compared(models.chain(4), keep=("t0", "t1"))
    assert kept.options["keep"] == ["t0", "t1"]
    assert kept.way("best", "none").peak > free.way("best", "none").peak


def test_a_model_without_memory_has_no_peak_and_nothing_that_decides() -> None:
    g = models.Graph()
    g.outputs = [g.constant("c", [1, 2], "INT32")]
    found = compared(models.build(g))
    assert {(way.peak, way.gap, way.decides) for way in found.ways} == {(0, 0, "no operator")}
