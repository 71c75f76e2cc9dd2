"""What keeps a plan from needing less, in one line."""

from __future__ import annotations

from arena_codegen.compare import compare
from arena_codegen.layout.comparison import Way
from arena_codegen.model.reader import parse_model
from arena_codegen.options import PlanOptions
from arena_codegen.pipeline import plan_layout
from tests.support import models
from tests.support.operator_models import one

SAME = 0


def way(data: bytes, sharing: str, kernels: str = "cmsis-nn") -> Way:
    return compare(parse_model(data, "m.tflite"), PlanOptions(kernels=kernels)).way("best", sharing)


def pointwise(kernel: int = 1) -> bytes:
    taps = f"=INT8 8,{kernel},{kernel},4@0.1,0*8/0"
    return one(
        "CONV_2D", ["INT8 1,9,8,4", taps, "=INT32 8"], ["INT8 1,9,8,8"],
        padding=SAME, stride_w=1, stride_h=1, dilation_w_factor=1, dilation_h_factor=1,
    )  # fmt: skip


def test_the_kernel_s_reason_stands_with_its_operator_and_window() -> None:
    found = way(pointwise(), "overlap")
    assert found.decides == "op 0 CONV_2D 1x1"
    assert found.why.startswith("288 bytes read, 576 bytes written")
    assert "CMSIS-NN reads all pixels for each output channel" in found.why
    assert found.why.endswith("input and output cannot share")


def test_what_overlap_would_permit_is_said_where_only_in_place_is_on() -> None:
    assert "its output may trail its input with --overlap" in way(pointwise(3), "in-place").why


def test_who_lies_on_whom_is_named_with_the_distance() -> None:
    found = way(pointwise(1), "overlap", kernels="reference")
    assert "tensor 3 out0 lies on tensor 0 in0" in found.why
    assert "below it at least" in found.why


def test_where_nothing_may_share_that_is_the_reason() -> None:
    assert way(models.residual(), "none").why == "256 bytes read, 128 bytes written; nothing may share bytes"


def test_of_equally_tall_steps_the_one_is_named_in_which_no_more_can_be_shared() -> None:
    g = models.Graph()
    x = g.input("in", (1, 4, 4, 8), scale=0.1)
    a = g.tensor("a", (1, 4, 4, 8), scale=0.1)
    g.op("RELU", [x], [a])
    kernel = g.constant("kernel", models.weights(1, (8, 1, 1, 8)), scale=[0.1] * 8)
    bias = g.constant("bias", [0] * 8, "INT32", scale=[0.01] * 8)
    out = g.output("out", (1, 4, 4, 8), scale=0.1)
    g.op("CONV_2D", [a, kernel, bias], [out], padding=0, stride_w=1, stride_h=1)
    for sharing in ("in-place", "overlap"):
        assert way(models.build(g), sharing).decides == "op 1 CONV_2D 1x1"


def test_a_step_as_tall_that_overlap_does_not_help_is_named_beside_one_that_it_does() -> None:
    g = models.Graph()
    x, a = g.input("in", (1, 4, 4, 8), scale=0.1), g.tensor("a", (1, 4, 4, 8), scale=0.1)
    out = g.output("out", (1, 4, 4, 8), scale=0.1)
    bias = g.constant("bias", [0] * 8, "INT32", scale=[0.01] * 8)
    taps = g.constant("taps", models.weights(1, (1, 3, 3, 8)), scale=[0.1] * 8, axis=3)
    kernel = g.constant("kernel", models.weights(2, (8, 1, 1, 8)), scale=[0.1] * 8)
    g.op("DEPTHWISE_CONV_2D", [x, taps, bias], [a], padding=SAME, stride_w=1, stride_h=1, depth_multiplier=1)
    g.op("CONV_2D", [a, kernel, bias], [out], padding=SAME, stride_w=1, stride_h=1)
    model = parse_model(models.build(g), "m.tflite")
    reason = plan_layout(model, PlanOptions(kernels="cmsis-nn")).peak_reason
    assert reason.startswith("its output may trail its input with --overlap: ")
    assert "; not so in op 1 CONV_2D 1x1: CMSIS-NN reads all pixels for each output channel" in reason
    assert "not so in" not in plan_layout(model, PlanOptions(kernels="reference")).peak_reason


def test_an_input_that_is_needed_later_is_the_reason() -> None:
    g = models.Graph()
    x = g.input("in", (1, 64), scale=0.1)
    a, b = (g.tensor(name, (1, 64), scale=0.1) for name in "ab")
    g.op("RELU", [x], [a])
    g.op("RELU6", [a], [b])
    kernel, bias = g.constant("w", models.weights(1, (4, 64)), scale=0.1), g.constant("b", [0] * 4, "INT32", scale=0.01)
    small = [g.output(name, (1, 4), scale=0.1) for name in ("left", "right")]
    g.op("FULLY_CONNECTED", [b, kernel, bias], [small[0]])
    g.op("FULLY_CONNECTED", [a, kernel, bias], [small[1]])
    found = way(models.build(g), "in-place")
    assert (found.decides, found.peak) == ("op 2 FULLY_CONNECTED", 144)
    assert "64 bytes kept for later" in found.why


def test_bytes_that_lie_unused_at_the_peak_are_counted() -> None:
    found = compare(parse_model(models.chain(4), "m.tflite"), PlanOptions()).way("naive", "none")
    assert found.why.endswith(f"; {found.peak - 32} bytes unused there")
