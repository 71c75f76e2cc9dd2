"""What kernel libraries permit: the cases that differ between operators, libraries and cores."""

from __future__ import annotations

from typing import Any

import pytest

from arena_codegen.kernels import library
from arena_codegen.kernels.base import ShareRule
from arena_codegen.kernels.reference_shares import RULES
from arena_codegen.options import KERNELS, TARGETS
from tests.support.calls import call

SAME, VALID = 0, 1
IMAGE = (1, 9, 8, 4)
ONES = {"stride_h": 1, "stride_w": 1, "dilation_h_factor": 1, "dilation_w_factor": 1, "padding": SAME}
LIBRARIES = ("reference", "cmsis-nn", "cmsis-nn-4.0")


def conv(filters: tuple[int, ...] = (4, 3, 3, 4), dtype: str = "INT8", weights: str = "INT8", **options: Any) -> Any:
    """CONV_2D of 9x8x4 with as many channels as filters."""
    stride = options.get("stride_h", 1)
    after = (1, -(-9 // stride), -(-8 // options.get("stride_w", 1)), filters[0])
    return call("CONV_2D", [(IMAGE, dtype), (filters, weights, 4)], [(after, dtype)], (1,), **{**ONES, **options})


def rules(kernels: str, made: Any, target: str = "m4") -> list[tuple[int, str, int]]:
    return [(rule.input, rule.kind, rule.distance) for rule in library(kernels, target).shares(*made)]


def why(kernels: str, made: Any, target: str = "m4") -> str:
    return library(kernels, target).why_apart(*made)


def test_distances_are_those_that_a_device_measured() -> None:
    # One row and one pixel of 4 channels: 36 was right and 32 wrong with CMSIS-NN; 40 right and 36 wrong with the
    # reference kernel, which reads a pixel's window for each channel but writes its last one when no more is read.
    assert rules("cmsis-nn", conv()) == [(0, "overlap", 36)]
    assert rules("reference", conv()) == [(0, "overlap", 39)]
    depthwise = call(
        *("DEPTHWISE_CONV_2D", [((1, 9, 8, 8), "INT8"), ((1, 5, 5, 8), "INT8", 8)], [((1, 9, 8, 8), "INT8")], (1,)),
        **{**ONES, "depth_multiplier": 1},
    )
    assert rules("cmsis-nn", depthwise) == [(0, "overlap", 144)]


def test_a_pointwise_convolution_of_cmsis_nn_is_disjoint() -> None:
    made = conv((4, 1, 1, 4))
    for kernels in ("cmsis-nn", "cmsis-nn-4.0"):
        for target in ("m0", "m4", "m55"):
            assert rules(kernels, made, target) == []
    assert "CMSIS-NN reads all pixels for each output channel" in why("cmsis-nn", made)
    assert "arm_nn_mat_mult_nt_t_s8" in why("cmsis-nn", made)
    assert rules("reference", made) == [(0, "overlap", 3)]


def test_a_pointwise_convolution_with_a_stride_trails_by_a_row() -> None:
    made = conv((4, 1, 1, 4), stride_h=2, stride_w=2)
    assert rules("cmsis-nn", made) == [(0, "overlap", 14)]
    assert rules("cmsis-nn", made, "m55") == []


def test_floats_run_the_reference_kernels_in_cmsis_nn_too() -> None:
    made = conv(dtype="FLOAT32", weights="FLOAT32")
    assert rules("cmsis-nn", made) == rules("reference", made) == [(0, "overlap", 4 * 39)]
    assert rules("cmsis-nn-4.0", made) == []


@pytest.mark.parametrize(
    "made",
    [
        conv((4, 3, 3, 2)),
        conv(weights="INT4"),
        call("FULLY_CONNECTED", [((1, 8), "INT8"), ((4, 8), "INT8", 1), None], [((1, 4), "INT8")], (1,)),
        call("MEAN", [(IMAGE, "INT8"), ((2,), "INT32")], [((1, 4), "INT8")], (1,)),
        call("TRANSPOSE", [((2, 3), "INT8"), ((2,), "INT32")], [((3, 2), "INT8")], (1,)),
        call("CONCATENATION", [((1, 4), "INT8"), ((1, 4), "INT8")], [((1, 8), "INT8")]),
        call("BATCH_MATMUL", [((1, 4, 4), "INT8"), ((1, 4, 4), "INT8")], [((1, 4, 4), "INT8")]),
        call("SomethingOfOurs", [((1, 4), "INT8")], [((1, 4), "INT8")], custom_options=b""),
        call("BUILTIN_999", [((1, 4), "INT8")], [((1, 4), "INT8")]),
        call("RELU", [((1, 4), "INT4")], [((1, 4), "INT4")]),
        call("RELU", [((1, 4), "INT8")], [((1, 5), "INT8")]),
        call("RESHAPE", [((1, 4), "INT8")], [((1, 5), "INT8")]),
        call("RELU", [((1, -1), "INT8")], [((1, -1), "INT8")]),
        conv(padding=7),
        conv(dilation_h_factor=0),
    ],
)
def test_what_was_not_derived_or_makes_no_sense_is_disjoint_and_says_why(made: Any) -> None:
    for kernels in ("cmsis-nn", "cmsis-nn-4.0"):
        assert rules(kernels, made) == []
        assert why(kernels, made)


def test_a_custom_operator_with_a_builtin_name_is_not_that_operator() -> None:
    made = call("RELU", [((1, 4), "INT8")], [((1, 4), "INT8")], custom_options=b"")
    assert rules("reference", made) == []


@pytest.mark.parametrize("kernels", LIBRARIES)
def test_views_permit_the_same_start_only(kernels: str) -> None:
    made = call("RESHAPE", [((1, 2, 3), "FLOAT32"), ((2,), "INT32")], [((1, 6), "FLOAT32")], (1,))
    assert rules(kernels, made) == [(0, "in-place", 0)]


@pytest.mark.parametrize("kernels", LIBRARIES)
@pytest.mark.parametrize("name", ["ADD", "SUB", "MUL"])
def test_either_input_of_two_may_be_taken_over(kernels: str, name: str) -> None:
    made = call(name, [((2, 3), "INT8"), ((1, 2, 3), "INT8")], [((2, 3), "INT8")])
    assert rules(kernels, made) == [(0, "in-place", 0), (0, "overlap", 0), (1, "in-place", 0), (1, "overlap", 0)]


@pytest.mark.parametrize("kernels", LIBRARIES)
def test_an_input_that_is_broadcast_is_disjoint(kernels: str) -> None:
    made = call("ADD", [((1, 3), "INT8"), ((2, 3), "INT8")], [((2, 3), "INT8")])
    assert rules(kernels, made) == [(1, "in-place", 0), (1, "overlap", 0)]
    both = call("ADD", [((1, 3), "INT8"), ((2, 1), "INT8")], [((2, 3), "INT8")])
    assert rules(kernels, both) == []
    assert "broadcast" in why(kernels, both)
    assert rules(kernels, call("MAXIMUM", [((1, 3), "INT8"), ((2, 3), "INT8")], [((2, 3), "INT8")])) == []


@pytest.mark.parametrize("kernels", LIBRARIES)
def test_elements_that_grow_have_their_input_at_the_end_of_the_output(kernels: str) -> None:
    made = call("DEQUANTIZE", [((1, 10), "INT8")], [((1, 10), "FLOAT32")])
    assert rules(kernels, made) == [(0, "overlap", 27)]


def test_elements_that_shrink_may_have_the_same_start() -> None:
    made = call("QUANTIZE", [((1, 10), "FLOAT32")], [((1, 10), "INT8")])
    assert rules("cmsis-nn", made) == [(0, "in-place", 0), (0, "overlap", 0)]


def test_a_transposed_convolution_of_floats_clears_its_output_first() -> None:
    shapes = [((4,), "INT32"), ((2, 2, 2, 3), "FLOAT32"), ((1, 3, 3, 3), "FLOAT32")]
    made = call("TRANSPOSE_CONV", shapes, [((1, 6, 6, 2), "FLOAT32")], (0, 1))
    assert rules("reference", made) == []
    assert "clears the output first" in why("reference", made)


def test_pools_of_4_0_0_know_one_batch() -> None:
    sizes = {"filter_height": 2, "filter_width": 2, "stride_h": 2, "stride_w": 2, "padding": VALID}
    one = call("AVERAGE_POOL_2D", [((1, 4, 4, 2), "INT8")], [((1, 2, 2, 2), "INT8")], **sizes)
    two = call("AVERAGE_POOL_2D", [((2, 4, 4, 2), "INT8")], [((2, 2, 2, 2), "INT8")], **sizes)
    assert rules("cmsis-nn-4.0", one) == [(0, "overlap", 0)]
    assert rules("cmsis-nn-4.0", two) == []
    assert rules("cmsis-nn", two) == [(0, "overlap", 0)]


def samples() -> dict[str, Any]:
    """One call of each element-wise operator and view."""
    same = {name: call(name, [((2, 4), "INT8")], [((2, 4), "INT8")]) for name in RULES}
    both = {name: call(name, [((2, 4), "INT8")] * 2, [((2, 4), "INT8")]) for name in RULES}
    return {**{f"{name} 1": made for name, made in same.items()}, **{f"{name} 2": made for name, made in both.items()}}


def test_what_one_library_permits_in_place_no_other_contradicts() -> None:
    # A plan with nothing but in-place pairs boots with any kernels that ask for the same requests.
    for name, made in samples().items():
        inside = {
            (kernels, target): {
                rule.input for rule in library(kernels, target).shares(*made) if rule.kind == "in-place"
            }
            for kernels in LIBRARIES
            for target in TARGETS
        }
        known = {key: found for key, found in inside.items() if found or key[0] != "cmsis-nn-4.0"}
        assert len({frozenset(found) for found in known.values()}) <= 1, name


def test_a_rule_says_why_in_one_line_and_names_its_source() -> None:
    found: list[ShareRule] = []
    for made in [conv(), conv((4, 1, 1, 4), stride_h=2), *samples().values()]:
        for kernels in LIBRARIES:
            found += library(kernels, "m4").shares(*made)
    assert len(found) > 50
    for rule in found:
        assert "\n" not in rule.why
        assert any(ending in rule.why for ending in (".h", ".c", ".cc")), rule.why


@pytest.mark.parametrize("kernels", ["none", "reference"])
def test_unknown_kernels_permit_nothing(kernels: str) -> None:
    made = call("RELU", [((1, 4), "INT8")], [((1, 4), "INT8")])
    recorded = library(kernels, "m4", recorded=True)
    assert recorded.shares(*made) == ()
    assert recorded.why_apart(*made) == "its kernel is not known"
    assert library("none", "m4").shares(*made) == ()


def test_no_shape_makes_a_rule_fail() -> None:
    shapes: list[tuple[int, ...]] = [(), (0,), (1,), (-1, 4), (2, 0, 3), (1, 2, 3, 4), (1, 1, 1, 1, 1, 1)]
    for name in RULES:
        for shape in shapes:
            for dtype in ("INT8", "FLOAT32", "STRING", "INT4"):
                for inputs in range(4):
                    made = call(name, [(shape, dtype)] * inputs, [(shape, dtype)])
                    for kernels in KERNELS:
                        library(kernels, "m4").shares(*made)
                        library(kernels, "m4").why_apart(*made)
