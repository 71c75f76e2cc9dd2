"""Models of the field, where they lie beside the checkout: their plans pass, mutants of them do not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena_codegen.model.reader import parse_model, read_model
from arena_codegen.verify import run_pattern_checks
from tests.firmware.plans import cut, layout_of, moved
from tests.support import models
from tests.support.tools import shared_models

pytestmark = pytest.mark.usefixtures("board")

MODELS = shared_models(
    "tiny__kws_ref_model",
    "tiny__pretrainedResnet_quant",
    "tiny__vww_96_int8",
    "tflm__person_detect",
    "tflm__trained_lstm_int8",
    "tflm__keyword_scrambled_8bit",
    "mww_v2__okay_nabu",
    "litert__nested_while.bin",
    "litert__call_once_mul.bin",
)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_plans_pass_and_mutants_are_found(path: Path) -> None:
    model = read_model(path)
    layout = layout_of(model, kernels="cmsis-nn-4.0", strategy="greedy")
    mutants = [*moved(layout), *cut(layout)][:60]
    plans = [layout, *(layout_of(model, kernels="cmsis-nn-4.0", strategy=s) for s in ("best", "linear"))]
    verdicts = run_pattern_checks(model, [*plans, *(mutant.layout for mutant in mutants)])
    for verdict in verdicts[: len(plans)]:
        assert verdict.passed, verdict.failures
    for mutant, verdict in zip(mutants, verdicts[len(plans) :], strict=True):
        found = {frozenset((damage.victim, damage.culprit)) for damage in verdict.damages}
        assert found, mutant.what
        assert found <= mutant.pairs, mutant.what


def test_a_chain_of_3000_operators_passes() -> None:
    model = parse_model(models.chain(3000), "chain.tflite")
    layout = layout_of(model)
    wrong = list(layout.buffers)
    wrong[2000] = replace(wrong[2000], offset=wrong[1999].offset)
    good, bad = run_pattern_checks(model, [layout, replace(layout, buffers=tuple(wrong))])
    assert good.passed
    assert {(damage.victim, damage.culprit) for damage in bad.damages} >= {(1999, 2000)}
