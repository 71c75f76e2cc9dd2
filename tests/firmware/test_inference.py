"""Real models computed from their plans, and plans that are wrong on purpose: what breaks is caught and named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena_codegen.layout.types import Layout
from arena_codegen.model.offline_plan import ONLINE
from arena_codegen.model.reader import parse_model
from arena_codegen.model.writer import with_offline_plan
from arena_codegen.verify.findings import BIT_EXACT, NOT_RUN, WRONG
from tests.firmware.inferences import Prepared, compute, prepare, row_of, with_row
from tests.support import models
from tests.support.real_models import real_model
from tests.support.tools import need_cmsis, need_package, shared_models

pytestmark = pytest.mark.usefixtures("inference_board")

REAL = (
    "keyword_spotting", "image_classification", "anomaly_detection", "visual_wake_words", "tflite_micro_speech",
    "tflite_micro_magic_wand", "keyword_spotting_mobilenetv2", "rock_paper_scissors",
)  # fmt: skip
SHARED = shared_models(
    "tflm__person_detect", "tflm__trained_lstm_int8", "tflm__keyword_scrambled_8bit", "tflm__transpose_conv0",
    "mww_v2__vad", "litert__nested_while.bin", "litert__call_once_mul.bin",
)  # fmt: skip
"""A classifier, a residual one, SVDF and LSTM with their states, streaming through variables, loops."""


@pytest.fixture(scope="module")
def inference_board(arm_gcc: str, qemu: str, stub_cache: Path) -> Iterator[None]:
    need_package("tflite_micro")
    need_cmsis()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena_codegen.verify.inference.cache_folder", lambda: stub_cache)
        yield


def agrees(data: bytes) -> None:
    prepared = prepare(data)
    verdict = compute(prepared)
    assert verdict.failures == ()
    assert verdict.worst == 0.0
    assert verdict.used <= verdict.planned == prepared.layout.peak


@pytest.mark.parametrize("name", REAL)
def test_a_real_model_is_bit_exact(name: str) -> None:
    agrees(real_model(name).read_bytes())


def test_state_that_an_offline_plan_puts_into_the_arena_is_bit_exact() -> None:
    model = parse_model(models.svdf_model(), "svdf.tflite")
    fixed = [64 if tensor.is_variable else ONLINE for tensor in model.subgraphs[0].tensors]
    data = with_offline_plan(model, fixed)
    agrees(data)
    prepared = prepare(data)
    moved = compute(prepared, lambda layout: with_row(layout, "state", offset=row_of(layout, "svdf").offset))
    assert moved.failures


@pytest.mark.parametrize("path", SHARED, ids=lambda path: path.stem)
def test_a_model_beside_the_checkout_is_bit_exact(path: Path) -> None:
    agrees(path.read_bytes())


@pytest.mark.parametrize(
    "name", ["residual", "depthwise_cnn", "if_model", "while_model", "call_once_model", "svdf_model"]
)
def test_a_small_model_is_bit_exact(name: str) -> None:
    agrees(models.ALL[name]())


@pytest.mark.parametrize(
    "options", [{"strategy": "naive"}, {"strategy": "greedy"}, {"in_place": False}, {"align": 64}, {"overlap": True}]
)
def test_every_plan_of_a_model_is_bit_exact(options: dict[str, object]) -> None:
    assert compute(prepare(models.depthwise_cnn(), **options)).failures == ()


@pytest.mark.parametrize("kernels", ["reference", "none", "cmsis-nn"])
def test_a_plan_for_other_kernels_is_computed_with_scratch_of_the_board(kernels: str) -> None:
    prepared = prepare(models.depthwise_cnn(), kernels=kernels, in_place=False)
    assert compute(prepared).failures == ()


def test_floats_are_within_the_tolerance() -> None:
    prepared = prepare(real_model("autoencoder_example.float32").read_bytes())
    verdict = compute(prepared)
    assert verdict.failures == ()
    assert verdict.worst < 1.0


# Sabotage.


@pytest.fixture(scope="module")
def cnn(inference_board: None) -> Prepared:
    return prepare(models.depthwise_cnn(), in_place=False)


def whats(prepared: Prepared, edit: Callable[[Layout], Layout]) -> list[str]:
    return [failure.what for failure in compute(prepared, edit).failures]


def test_an_offset_that_was_moved_is_blamed_on_both_tensors(cnn: Prepared) -> None:
    """The residual's first branch is overwritten by what is computed meanwhile."""
    prepared = prepare(models.residual(), strategy="naive")
    a = row_of(prepared.layout, "a")
    found = whats(prepared, lambda layout: with_row(layout, "b", offset=a.offset))
    assert len(found) == 1
    assert found[0].startswith(
        f"'a' [{a.offset}, {a.end}) was overwritten by 'b' [{a.offset}, {a.end}) before op 2 ADD reads it"
    )


def test_an_output_that_lies_on_its_input_is_blamed_on_the_input(cnn: Prepared) -> None:
    depth = row_of(cnn.layout, "depth")

    def edit(layout: Layout) -> Layout:
        return with_row(layout, "point", offset=depth.offset)

    verdict = compute(cnn, edit)
    assert [one.verdict for one in verdict.operators][:4] == [BIT_EXACT, BIT_EXACT, WRONG, NOT_RUN]
    assert "op 2 CONV_2D computes 'point'" in verdict.failures[0].what
    assert "should be" in verdict.failures[0].what
    assert "'depth'" in verdict.failures[0].hint


def test_a_scratch_buffer_that_lies_on_the_output_is_named(cnn: Prepared) -> None:
    conv = row_of(cnn.layout, "conv")
    scratch = next(row for row in cnn.layout.buffers if row.kind == "scratch" and row.operator == 0)
    verdict = compute(cnn, lambda layout: with_row(layout, scratch.label, offset=conv.offset))
    assert "op 0 CONV_2D computes 'conv'" in verdict.failures[0].what
    assert f"'{scratch.label}'" in verdict.failures[0].hint


def test_a_scratch_buffer_that_was_shrunk_names_the_operator(cnn: Prepared) -> None:
    scratch = next(row for row in cnn.layout.buffers if row.kind == "scratch" and row.operator == 0)
    found = whats(cnn, lambda layout: with_row(layout, scratch.label, bytes=scratch.bytes - 16))
    asked = f"{scratch.bytes - 16} bytes in the plan, its kernel asks for {scratch.bytes}"
    assert found == [f"scratch 0 of op 0 CONV_2D has {asked}"]


def test_a_lifetime_that_was_cut_short_is_blamed_on_the_tensor_that_died() -> None:
    prepared = prepare(models.residual(), strategy="naive")
    a = row_of(prepared.layout, "a")

    def edit(layout: Layout) -> Layout:
        return with_row(with_row(layout, "a", last=a.first), "b", offset=a.offset)

    verdict = compute(prepared, edit)
    assert verdict.failures[0].what.startswith("'a' ")
    assert "op 2 ADD" in verdict.failures[0].where


def test_a_guard_zone_that_was_overwritten_fails() -> None:
    """The plan says less than its buffers take: what lies behind the arena is not the plan's."""
    prepared = prepare(models.residual(), strategy="naive")
    verdict = compute(prepared, lambda layout: replace(layout, peak=layout.peak - 16, buffers=layout.buffers))
    assert not verdict.passed
    assert any("inside the arena" in failure.what for failure in verdict.failures)


def test_golden_values_that_were_tampered_with_fail(cnn: Prepared) -> None:
    """Every tensor counts: one value of one intermediate tensor of the last invocation."""
    last = cnn.goldens[-1]
    flat = next(flat for flat, tensor in enumerate(cnn.network.tensors) if tensor.name == "pool")
    array = last.tensors[flat]
    assert array is not None
    changed = array.copy()
    changed.flat[5] ^= 1
    tensors = (*last.tensors[:flat], changed, *last.tensors[flat + 1 :])
    tampered = replace(cnn, goldens=(*cnn.goldens[:-1], replace(last, tensors=tensors)))
    verdict = compute(tampered)
    assert [failure.what for failure in verdict.failures] == [
        f"op 3 AVERAGE_POOL_2D computes 'pool' [{row_of(cnn.layout, 'pool').offset}, {row_of(cnn.layout, 'pool').end}) "
        f"wrong: element 5 is {array.flat[5]}, should be {changed.flat[5]}"
    ]
