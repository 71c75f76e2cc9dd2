"""Plans that are right pass, whatever the model is made of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena_codegen.layout.types import Layout, ShareRow
from arena_codegen.model.types import Model
from arena_codegen.verify import run_pattern_check, run_pattern_checks
from tests.firmware.plans import layout_of, layout_with_scratch, model_of
from tests.firmware.wild import wild_model
from tests.support import models
from tests.support.models import Graph, build

pytestmark = pytest.mark.usefixtures("board")


@pytest.mark.parametrize("name", models.ALL)
def test_every_model_passes(name: str) -> None:
    model = model_of(models.ALL[name]())
    verdict = run_pattern_check(model, layout_of(model))
    assert verdict.passed, verdict.failures
    assert verdict.used == verdict.planned > 0


@pytest.mark.parametrize("seed", range(6))
def test_nested_and_shared_control_flow_passes(seed: int) -> None:
    model = model_of(wild_model(seed))
    plans = [layout_with_scratch(model, strategy=strategy) for strategy in ("greedy", "linear", "naive")]
    for verdict in run_pattern_checks(model, plans):
        assert verdict.passed, verdict.failures


@pytest.mark.parametrize("align", [1, 2, 4, 8, 32, 64])
def test_every_alignment_passes(align: int) -> None:
    model = model_of(wild_model(3))
    verdict = run_pattern_check(model, layout_of(model, align=align))
    assert verdict.passed, verdict.failures


def test_kept_pinned_and_segmented_tensors_pass() -> None:
    model = model_of(models.depthwise_cnn())
    wishes = {"keep": ["conv", "pool"], "pins": {"depth": 4096}, "segment": "io"}
    verdict = run_pattern_check(model, layout_of(model, **wishes))
    assert verdict.passed, verdict.failures


def test_a_model_without_a_single_byte_passes() -> None:
    g = Graph()
    nothing = g.constant("nothing", [1, 2])
    g.outputs = [nothing]
    model = model_of(build(g))
    verdict = run_pattern_check(model, layout_of(model))
    assert verdict.passed
    assert (verdict.used, verdict.planned) == (0, 0)


def test_scratch_of_no_bytes_passes() -> None:
    model = model_of(models.residual())
    layout = layout_with_scratch(model)
    rows = [replace(row, bytes=0, size=0, offset=0) if row.kind == "scratch" else row for row in layout.buffers]
    verdict = run_pattern_check(model, replace(layout, buffers=tuple(rows)))
    assert verdict.passed, verdict.failures


def test_names_cannot_forge_a_report() -> None:
    g = Graph()
    x = g.input('"\n1..1\nok 1 - \\" */ ??/', (1, 16))
    g.op("Work\n# @plan 0 points 1 failures 0\nBail out! no", [x], [g.output("# TODO %s\0end", (1, 16))], custom=True)
    model = model_of(build(g))
    verdict = run_pattern_check(model, layout_of(model))
    assert verdict.passed
    assert verdict.points > 10


def _shared(below: int, rule: str) -> tuple[Model, Layout]:
    """residual() with `out` that begins `below` bytes below `b`, which dies as it is born; nobody else is near."""
    model = model_of(models.residual())
    layout = layout_of(model, strategy="naive")
    x, a, b, out = layout.buffers
    a = replace(a, offset=out.offset)
    out = replace(out, offset=b.offset - below, shares=(ShareRow(b.index, rule, below, "made up"),))
    return model, replace(layout, buffers=(x, a, b, out))


def test_an_output_may_stand_in_place_of_an_input_that_dies() -> None:
    verdict = run_pattern_check(*_shared(0, "in-place"))
    assert verdict.passed, verdict.failures


def test_an_output_may_trail_an_input_that_dies() -> None:
    verdict = run_pattern_check(*_shared(32, "overlap"))
    assert verdict.passed, verdict.failures


def test_in_place_does_not_mean_trailing() -> None:
    model, layout = _shared(32, "in-place")
    assert not run_pattern_check(model, layout).passed


def test_without_a_permission_the_same_plan_fails() -> None:
    model, layout = _shared(0, "in-place")
    rows = tuple(replace(row, shares=()) for row in layout.buffers)
    verdict = run_pattern_check(model, replace(layout, buffers=rows))
    assert {(d.stage, d.victim, d.culprit) for d in verdict.damages} == {(1, 2, 3), (2, 2, 3)}


def test_an_input_that_is_read_again_may_not_be_taken_over() -> None:
    g = Graph()
    x = g.input("x", (1, 64))
    a, b, c = (g.tensor(name, (1, 64)) for name in "abc")
    g.op("Work", [x], [a], custom=True)
    g.op("Work", [a], [b], custom=True)
    g.op("Work", [a, b], [c], custom=True)
    g.outputs = [c]
    model = model_of(build(g))
    layout = layout_of(model, strategy="naive")
    rows = list(layout.buffers)
    rows[b] = replace(rows[b], offset=rows[a].offset, shares=(ShareRow(a, "in-place", 0, "made up"),))
    honest = replace(layout, buffers=tuple(rows))
    rows[a] = replace(rows[a], last=rows[b].first)
    lying = replace(layout, buffers=tuple(rows))
    seen = [{(d.stage, d.victim, d.culprit) for d in v.damages} for v in run_pattern_checks(model, (honest, lying))]
    assert seen == [{(1, a, b), (2, a, b)}, {(2, a, b)}]
