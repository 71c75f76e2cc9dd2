"""Who decides, why, and what to do first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arena_codegen.emit.story import Story, tell
from arena_codegen.layout.advice import Advice
from arena_codegen.layout.types import BufferRow, Layout, OperatorRow
from arena_codegen.model.reader import parse_model
from arena_codegen.options import PlanOptions
from arena_codegen.pipeline import plan_layout
from tests.support import models
from tests.support.layouts import layout, scratch_row, small, tensor_row


def planned(data: bytes, **wishes: object) -> Layout:
    return plan_layout(parse_model(data, "m.tflite"), replace(PlanOptions(kernels="none", in_place=False), **wishes))


def at(rows: Sequence[BufferRow], name: str = "CONV_2D", **facts: object) -> Story:
    """The story of buffers around an operator 0 that runs in scope 1, reads tensor 0 and writes tensor 1."""
    operators = (OperatorRow(0, 0, name, 1, (0,), (1,), 0), OperatorRow(1, 0, "ADD", 2, (1, 2), (3,), 0))
    return tell(layout(rows, operators=operators, steps=(-1, 0, 1), end_scope=2, **facts))


def test_the_story_names_the_operator_and_the_proof() -> None:
    story = tell(planned(models.residual()))
    assert story.decides == "op 2 ADD"
    assert story.proof == "No plan of these buffers can be smaller: that is proven."
    assert tell(replace(small(), refuted=True)).proof == (
        "No plan of these buffers can be smaller: a search has refuted every smaller size."
    )
    assert tell(replace(small(), lower_bound=900)).proof == (
        "A plan may be up to 12 bytes smaller: 900 is the proven bound."
    )


def test_every_buffer_at_the_peak_has_a_reason() -> None:
    rows = [
        tensor_row(0, role="input", size=64, first=0, last=1, uses=(1,)),
        tensor_row(1, size=160, first=1, last=2, uses=(2,), offset=64),
        tensor_row(2, role="input", size=32, first=0, last=2, uses=(2,), offset=224),
        replace(scratch_row(3, operator=0, size=16, offset=256)),
    ]
    story = at(rows)
    assert [(part.row.index, part.kind, part.why) for part in story.parts] == [
        (1, "writes", "op 0 CONV_2D writes it, and op 1 ADD later"),
        (0, "reads", "op 0 CONV_2D reads it"),
        (2, "waits", "op 1 ADD reads it later"),
        (3, "scratch", "the kernel of op 0 CONV_2D works in it"),
    ]
    assert story.why == (
        "While it runs, 64 bytes that it reads, 160 bytes that it writes, 16 bytes of scratch for its kernel and "
        "32 bytes that wait for later operators must be there at the same time."
    )


def test_the_sums_of_the_reasons_are_the_bytes_alive() -> None:
    for name in ("residual", "depthwise_cnn", "if_model", "while_model", "orphans"):
        given = planned(getattr(models, name)())
        assert sum(part.row.size for part in tell(given).parts) == given.live_bytes()[given.peak_scope]


def test_an_output_and_a_kept_tensor_wait_for_the_end() -> None:
    rows = [
        tensor_row(0, size=64, first=0, last=1, uses=(1,)),
        tensor_row(1, size=64, first=1, last=1, uses=(), offset=64),
        tensor_row(2, role="output", size=48, first=0, last=2, offset=128),
        tensor_row(3, size=32, first=0, last=2, offset=176),
    ]
    whys = {part.row.index: part.why for part in at(rows).parts}
    assert whys[2] == "an output: whole until the end"
    assert whys[3] == "alive until op 1 ADD"


def test_steps_that_are_as_tall_are_named_and_one_alone_saves_nothing() -> None:
    story = tell(planned(models.chain(12)))
    assert "12 steps are equally tall: op 0 RELU to op 11 RELU." in story.why
    assert story.then == "One of the 12 alone saves nothing: the others need 32 bytes too."


def test_a_tensor_that_lives_in_all_of_the_tallest_steps_is_named() -> None:
    rows = [
        tensor_row(0, name="kept", size=512, first=0, last=2),
        tensor_row(1, size=64, first=1, last=1, offset=512),
        tensor_row(2, size=64, first=2, last=2, offset=512),
    ]
    assert at(rows).then == (
        "Both of the tallest steps hold tensor 0 kept. "
        "At 512 bytes before the first operator takes over: at most 64 bytes can be saved before."
    )


def test_the_next_step_limits_what_can_be_saved() -> None:
    rows = [tensor_row(0, size=512, first=0, last=1), tensor_row(1, size=256, first=1, last=2, offset=512)]
    assert at(rows).then == "At 512 bytes before the first operator takes over: at most 256 bytes can be saved before."


def test_advice_that_was_tried_comes_first() -> None:
    advice = (Advice("use less", "--less", 100, 10), Advice("use --overlap", "--overlap", 60, 50))
    assert tell(small(), advice).first == "use --overlap: 60 bytes, which saves 50."
    assert tell(small(), (Advice("hope", "", 912, 0),)).first == (
        "Nothing that was tried helps: op 0 CONV_2D alone needs 912 bytes."
    )


def test_a_plan_that_is_not_the_best_is_planned_again_first() -> None:
    given = replace(small(), strategy="naive", lower_bound=700)
    assert tell(given).first == "Plan with --strategy best: the bound is 700 bytes, this plan takes 912."


def test_the_reason_for_disjoint_buffers_is_told_without_its_source() -> None:
    reason = "its output may trail its input with --overlap: copies, then compares (arm_max_pool_s8.c, arm_max_pool_s8)"
    told = tell(replace(small(), peak_reason=reason)).why
    assert told.endswith(" Sharing: its output may trail its input with --overlap: copies, then compares.")
    assert "Sharing" not in tell(small()).why


def test_what_helps_all_steps_is_not_limited_by_the_next_one() -> None:
    plain = tell(small())
    limited = tell(small(), (Advice("shrink", "", small().peak - 1, 1),))
    beyond = tell(small(), (Advice("link others", "", 1, small().peak - 1),))
    assert plain.then == limited.then != ""
    assert beyond.then == ""


def test_float_at_the_edge_goes_with_its_quantize() -> None:
    rows = [
        tensor_row(0, name="image", role="input", size=400, first=0, last=1, dtype="FLOAT32", uses=(1,)),
        tensor_row(1, size=100, first=1, last=2, offset=400),
    ]
    assert at(rows, "QUANTIZE").first == (
        "Convert the model with integer inputs: tensor 0 image (400 bytes of float) then goes."
    )


def test_padding_goes_into_the_convolution_behind_it() -> None:
    rows = [tensor_row(0, size=64, first=0, last=1), tensor_row(1, name="pad", size=96, first=1, last=2, offset=64)]
    assert at(rows, "PAD").first == "Fold op 0 PAD into the convolution behind it: tensor 1 pad (96 bytes) then goes."


def test_the_largest_kind_of_bytes_decides_what_to_do_otherwise() -> None:
    reads = tensor_row(0, name="a", size=640, first=0, last=1)
    writes = tensor_row(1, name="b", size=64, first=1, last=2, offset=640)
    assert at([reads, writes]).first.startswith("Make what op 0 CONV_2D reads smaller, tensor 0 a (640 bytes) first:")
    floats = replace(reads, dtype="FLOAT32")
    assert at([floats, writes]).first.startswith("Quantise the model to int8: tensor 0 a (640 bytes)")
    waits = tensor_row(2, name="skip", size=1600, first=0, last=2, uses=(2,), offset=704)
    assert at([reads, writes, waits]).first.startswith(
        "Free tensor 2 skip (1600 bytes) earlier: op 1 ADD reads it later."
    )
    scratch = scratch_row(3, operator=0, size=4096, offset=704)
    assert at([reads, writes, scratch]).first.startswith("The kernel's scratch is most of it:")


def test_orphans_are_to_be_removed() -> None:
    story = tell(planned(models.orphans()))
    assert story.decides == "tensors that no operator uses"
    assert story.first == (
        "Remove tensor 1 orphan/a (400 bytes) from the model: no operator uses it, yet TFLM allocates it."
    )


def test_an_arena_without_bytes_needs_nothing() -> None:
    assert tell(layout()).first == "There is nothing to do."


def test_a_pin_beyond_every_step_is_what_decides() -> None:
    story = tell(planned(models.residual(), kernels="none", in_place=False, pins=(("in", 4096),)))
    assert story.decides == "--pin in@4096"
    assert story.why == "Its buffer ends at 4224 bytes. The tallest step, op 2 ADD, has no more than 384 in use."
