"""Advice is checked by doing it: the model is built, or planned, as the advice says."""

from __future__ import annotations

import pytest

from arena_codegen.advise import advise, what_if
from arena_codegen.api import peak_bytes, plan_model
from arena_codegen.emit.advice import advice_lines
from arena_codegen.errors import ArenaError, ModelError, UsageError
from arena_codegen.layout.advice import Advice
from arena_codegen.model.reader import parse_model
from arena_codegen.options import PlanOptions
from tests.support import models
from tests.support.convnets import convnet
from tests.unit.model.test_edits import float_edges


def advised(data: bytes, **options: object) -> tuple[Advice, ...]:
    chosen = PlanOptions(**options)
    return advise(parse_model(data, "m.tflite"), chosen, plan_model(data, options=chosen))


def step(data: bytes, words: str, **options: object) -> Advice:
    return next(row for row in advised(data, **options) if row.step.startswith(words))


def answer(data: bytes, *questions: str, **options: object) -> Advice:
    chosen = PlanOptions(**options)
    return what_if(parse_model(data, "m.tflite"), chosen, plan_model(data, options=chosen), questions)


@pytest.mark.parametrize("kernels", ["cmsis-nn", "none"])
def test_folding_a_pad_saves_what_the_model_without_it_needs_less(kernels: str) -> None:
    row = step(convnet(4, padded=True), "Fold op 1 PAD", kernels=kernels)
    assert row.peak == peak_bytes(convnet(4), kernels=kernels)
    assert row.saves == peak_bytes(convnet(4, padded=True), kernels=kernels) - row.peak > 0


def test_fusing_an_activation_saves_what_the_model_without_it_needs_less() -> None:
    row = step(convnet(8, relu=True), "Fuse op 2 RELU", in_place=False)
    assert row.peak == peak_bytes(convnet(8), in_place=False)
    assert row.saves > 0


def test_removing_an_orphan_saves_what_the_model_without_it_needs_less() -> None:
    row = step(convnet(2, size=4, orphan=5000), "Remove tensor")
    assert (row.peak, row.saves > 0) == (peak_bytes(convnet(2, size=4)), True)


def test_integers_at_the_edges_save_what_the_floats_take() -> None:
    row = step(float_edges(), "Pass integers instead of floats: drop op 0 QUANTIZE, op 2 DEQUANTIZE")
    assert row.peak == peak_bytes(models.chain(1, (1, 64)))


def test_options_give_what_a_plan_with_them_gives() -> None:
    data = convnet(6)
    for words, options in (
        ("Let outputs trail", {"overlap": True}),
        ("Link TFLM's reference kernels, and let", {"kernels": "reference", "overlap": True}),
        ("Align to 4", {"align": 4}),
        ("Align to 8", {"align": 8}),
    ):
        assert step(data, words).peak == peak_bytes(data, **options)
    assert step(data, "Plan with the best", strategy="naive").peak == peak_bytes(data)
    assert step(data, "Let views", in_place=False).peak == peak_bytes(data)


def test_what_the_command_does_already_is_not_advised() -> None:
    steps = [row.step for row in advised(convnet(), overlap=True, kernels="reference", align=4)]
    assert not [one for one in steps if one.startswith(("Let outputs", "Align", "Link TFLM"))]


def test_a_smaller_picture_is_the_model_that_was_built_so() -> None:
    row = step(convnet(8, size=16), "Take 12x12 instead of 16x16")
    assert row.peak == peak_bytes(convnet(8, size=12))
    assert row.how == "--what-if image=12x12"


def test_fewer_channels_are_tried_in_the_layer_that_decides() -> None:
    row = step(convnet(24), "Give wide 16 instead of 24 channels")
    assert (row.peak, row.how) == (peak_bytes(convnet(16)), "--what-if channels:wide=16")


def test_inputs_and_outputs_elsewhere_leave_the_rest() -> None:
    row = step(models.chain(4, (1, 64)), "Keep inputs and outputs", in_place=False)
    assert row.peak == peak_bytes(models.chain(2, (1, 64)), in_place=False)


def test_questions_are_answered_together() -> None:
    row = answer(convnet(24, size=16), "input=12x12", "channels:wide=8")
    assert row.peak == peak_bytes(convnet(8, size=12))
    assert row.saves == peak_bytes(convnet(24, size=16)) - row.peak
    assert answer(convnet(size=16), "image=1x12x12x4").peak == peak_bytes(convnet(size=12))


def test_a_question_may_make_the_arena_larger() -> None:
    row = answer(convnet(8), "channels:wide=32")
    assert (row.peak, row.saves < 0) == (peak_bytes(convnet(32)), True)


@pytest.mark.parametrize(
    ("question", "error"),
    [
        ("", UsageError), ("channels:wide", UsageError), ("channels:wide=0", UsageError), ("wide", UsageError),
        ("nobody=8x8", UsageError), ("channels:nobody=8", UsageError), ("image=1x2x3", UsageError),
        ("image=0x0", UsageError), ("channels:image=3", ModelError),
    ],
)  # fmt: skip
def test_what_is_no_question_is_refused(question: str, error: type[ArenaError]) -> None:
    with pytest.raises(error):
        answer(convnet(), question)


def test_the_best_step_that_needs_no_training_comes_first() -> None:
    rows = [row for row in advised(convnet(24, padded=True, orphan=300)) if row.saves > 0]
    for retrain in (False, True):
        saves = [row.saves for row in rows if row.retrain is retrain]
        assert saves == sorted(saves, reverse=True)
    assert [row.retrain for row in rows] == sorted(row.retrain for row in rows)
    assert {row.retrain for row in rows} == {True, False}


def test_what_the_tool_does_not_do_is_said_to_be_so() -> None:
    (row,) = [row for row in advised(convnet()) if row.step.startswith("Keep inputs and outputs outside")]
    assert row.how.startswith("not done by this tool: ")


def test_where_nothing_helps_the_operator_that_needs_it_is_named() -> None:
    data = models.chain(1, (1, 64))
    layout = plan_model(data)
    rows = tuple(row for row in advised(data) if row.saves <= 0)
    lines = advice_lines(layout, rows, 100)
    assert lines[0] == "nothing that was tried helps: op 0 RELU alone needs 64 bytes"


@pytest.mark.parametrize("name", [name for name in models.ALL if name != "external_constant"])
def test_every_model_can_be_advised(name: str) -> None:
    for options in ({}, {"kernels": "none"}, {"strategy": "greedy"}, {"keep": ("0",)}):
        assert all(row.peak >= 0 for row in advised(models.ALL[name](), **options))
