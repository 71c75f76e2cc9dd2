"""What sharing buys on real models, with the proof that no plan is smaller under the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_codegen.model.reader import read_model
from arena_codegen.options import plan_options
from arena_codegen.pipeline import plan_layout
from tests.support.real_models import real_model
from tests.support.tools import shared_models

FIGURES: dict[str, tuple[int, int, int, int]] = {
    "image_classification": (49152, 49152, 33312, 33872),
    "keyword_spotting": (16000, 16000, 9792, 16000),
    "tflite_micro_speech": (8000, 5968, 4176, 4480),
    "tiny__vww_96_int8": (73728, 55296, 36880, 55296),
    "tiny__str_ww_ref_model": (6656, 6656, 3840, 6144),
    "tflm__person_detect": (55296, 55296, 36880, 55296),
}
"""Bytes of head: greedy, in-place and overlap with the reference kernels, overlap with CMSIS-NN."""

WAYS: tuple[dict[str, object], ...] = (
    {"kernels": "reference", "strategy": "greedy"},
    {"kernels": "reference"},
    {"kernels": "reference", "overlap": True},
    {"kernels": "cmsis-nn", "overlap": True},
)

BESIDE = {path.stem: path for path in shared_models(*FIGURES)}
NAMES = [name for name in FIGURES if "__" not in name or name in BESIDE]


def model_file(name: str) -> Path:
    return BESIDE.get(name) or real_model(name)


@pytest.mark.parametrize("name", NAMES)
def test_heads_are_as_small_as_sharing_lets_them_be(name: str) -> None:
    model = read_model(str(model_file(name)))
    plans = [plan_layout(model, plan_options(**way)) for way in WAYS]
    assert tuple(plan.peak for plan in plans) == FIGURES[name]
    assert [plan.optimal for plan in plans[1:]] == [True, True, True]
