"""Plans that are wrong by one step are found, hundreds of them, with both buffers named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena_codegen.layout.types import Layout
from arena_codegen.model.types import Model
from arena_codegen.verify import Verdict, run_pattern_check, run_pattern_checks
from tests.firmware.plans import Mutant, collisions, cut, layout_of, layout_with_scratch, model_of, moved
from tests.firmware.wild import wild_model
from tests.support import models

pytestmark = pytest.mark.usefixtures("board")


def judged(model: Model, layout: Layout) -> tuple[list[tuple[Mutant, Verdict]], list[tuple[Mutant, Verdict]]]:
    """The verdicts on all mutants of a plan, (moved, cut), in one start; the plan itself passes."""
    mutants = [*moved(layout)], [*cut(layout)]
    plans = [layout, *(mutant.layout for kind in mutants for mutant in kind)]
    verdicts = run_pattern_checks(model, plans)
    assert verdicts[0].passed, verdicts[0].failures
    split = 1 + len(mutants[0])
    return list(zip(mutants[0], verdicts[1:split], strict=True)), list(zip(mutants[1], verdicts[split:], strict=True))


def pairs(verdict: Verdict, *stages: int) -> set[frozenset[int]]:
    return {frozenset((d.victim, d.culprit)) for d in verdict.damages if d.stage in stages}


def check(moves: list[tuple[Mutant, Verdict]], cuts: list[tuple[Mutant, Verdict]]) -> None:
    for mutant, verdict in moves:
        assert pairs(verdict, 1), f"{mutant.what}: pass 1 found nothing"
        assert pairs(verdict, 1, 2) <= mutant.pairs, f"{mutant.what}: {pairs(verdict, 1, 2)} instead of {mutant.pairs}"
    for mutant, verdict in cuts:
        assert not pairs(verdict, 1), f"{mutant.what}: pass 1 knows lifetimes that are not in the plan"
        assert pairs(verdict, 2), f"{mutant.what}: pass 2 found nothing"
        assert pairs(verdict, 2) <= mutant.pairs, f"{mutant.what}: {pairs(verdict, 2)} instead of {mutant.pairs}"


@pytest.mark.parametrize("name", models.ALL)
def test_every_mutant_of_a_small_model_is_found(name: str) -> None:
    model = model_of(models.ALL[name]())
    moves, cuts = judged(model, layout_with_scratch(model))
    assert moves
    check(moves, cuts)


@pytest.mark.parametrize("seed", range(4))
def test_every_mutant_of_nested_and_shared_control_flow_is_found(seed: int) -> None:
    model = model_of(wild_model(seed))
    moves, cuts = judged(model, layout_of(model, strategy="greedy"))
    assert len(moves) + len(cuts) > 15
    check(moves, cuts)


@pytest.mark.parametrize("align", [1, 64])
def test_a_step_of_any_alignment_is_found(align: int) -> None:
    model = model_of(wild_model(5))
    check(*judged(model, layout_of(model, align=align, strategy="linear")))


def test_more_buffers_than_the_pattern_has_tags_are_told_apart() -> None:
    model = model_of(models.chain(150, (1, 4)))
    layout = layout_of(model, align=4, strategy="naive")
    mutants = [mutant for mutant in moved(layout) if mutant.touched % 25 in (0, 2)]
    verdicts = run_pattern_checks(model, [layout, *(mutant.layout for mutant in mutants)])
    assert verdicts[0].passed
    check(list(zip(mutants, verdicts[1:], strict=True)), [])


def test_buffers_that_have_one_tag_in_a_round_are_told_apart_in_another() -> None:
    model = model_of(models.chain(130, (1, 16)))
    layout = layout_of(model, keep=["in", "t126"], strategy="naive")
    rows = list(layout.buffers)
    rows[127] = replace(rows[127], offset=rows[0].offset)
    assert rows[127].name == "t126"
    verdict = run_pattern_check(model, replace(layout, buffers=tuple(rows)))
    assert pairs(verdict, 1) == pairs(verdict, 2) == {frozenset((0, 127))}


@pytest.mark.parametrize(("name", "overlap"), [("residual", False), ("depthwise_cnn", True)])
def test_mutants_of_plans_that_share_bytes_are_found(name: str, overlap: bool) -> None:
    model = model_of(models.ALL[name]())
    layout = layout_of(model, kernels="cmsis-nn-4.0", overlap=overlap)
    placed = [row.offset for row in layout.buffers]
    assert collisions(replace(layout, buffers=tuple(replace(r, shares=()) for r in layout.buffers)), placed)
    check(*judged(model, layout))


def test_wishes_that_a_plan_forgets_are_found() -> None:
    model = model_of(models.depthwise_cnn())
    wished = layout_of(model, keep=["conv", "pool"], segment="io")
    check(*judged(model, wished))


def test_the_report_names_the_step_both_buffers_and_the_byte() -> None:
    model = model_of(models.residual())
    layout = layout_of(model, strategy="naive")
    mutant = next(m for m in moved(layout) if m.what == "b moved by -16")
    verdict = run_pattern_check(model, mutant.layout)
    lines = [line.partition(" - ")[2] for line in verdict.output.splitlines() if line.startswith("not ok")]
    found = "'a' [128, 256) was overwritten by 'b' [240, 368) at byte 240"
    assert lines == [f"scope 2 op 1 RELU6: {found}", f"op 1 RELU6: {found}", f"op 1 RELU6: {found}"]
    assert verdict.failures[0].what == found
    assert verdict.failures[0].where == "model.tflite · pass 1, offsets · scope 2 op 1 RELU6"
