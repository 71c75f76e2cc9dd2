"""Scratch of CMSIS-NN on other cores and in the other version: values of its own size functions, compiled by GCC."""

from __future__ import annotations

import pytest

from arena_codegen.kernels import library
from tests.support.calls import Spec, call


def _scratch(kernels: str, target: str, name: str, inputs: list[Spec], output: Spec, **options: int) -> object:
    window = {"padding": 0, "stride_w": 1, "stride_h": 1, "dilation_w_factor": 1, "dilation_h_factor": 1}
    return library(kernels, target).scratch(*call(name, inputs, [output], constants=(1, 2), **(window | options)))


X, Y = ((1, 9, 8, 3), "INT8"), ((1, 9, 8, 8), "INT8")


@pytest.mark.parametrize(
    ("kernels", "target", "size"),
    [
        ("cmsis-nn", "m0", 112),
        ("cmsis-nn", "m3", 112),
        ("cmsis-nn", "m7", 112),
        ("cmsis-nn", "m55", 128),
        ("cmsis-nn-4.0", "m4", 108),
        ("cmsis-nn-4.0", "m0", 108),
        ("cmsis-nn-4.0", "m55", 128),
    ],
)
def test_a_patch_is_rounded_up_as_the_core_and_the_version_have_it(kernels: str, target: str, size: int) -> None:
    assert _scratch(kernels, target, "CONV_2D", [X, ((8, 3, 3, 3), "INT8")], Y) == (size,)


def test_a_row_needs_less_with_mve() -> None:
    row = [((1, 1, 16, 4), "INT8"), ((8, 1, 3, 4), "INT8")]
    assert _scratch("cmsis-nn", "m55", "CONV_2D", row, ((1, 1, 16, 8), "INT8")) == (16,)
    assert _scratch("cmsis-nn", "m4", "CONV_2D", row, ((1, 1, 16, 8), "INT8")) == (48,)
    assert _scratch("cmsis-nn-4.0", "m55", "CONV_2D", row, ((1, 1, 16, 8), "INT8")) == ()


@pytest.mark.parametrize(
    ("kernels", "target", "sizes"),
    [
        ("cmsis-nn", "m0", ()),
        ("cmsis-nn", "m4", ()),
        ("cmsis-nn", "m55", (4464,)),
        ("cmsis-nn-4.0", "m0", ()),
        ("cmsis-nn-4.0", "m4", (72,)),
        ("cmsis-nn-4.0", "m55", (4464,)),
    ],
)
def test_a_3x3_depthwise_is_special_in_the_pinned_version_only(
    kernels: str, target: str, sizes: tuple[int, ...]
) -> None:
    tensors: list[Spec] = [((1, 9, 8, 4), "INT8"), ((1, 3, 3, 4), "INT8")]
    assert _scratch(kernels, target, "DEPTHWISE_CONV_2D", tensors, ((1, 9, 8, 4), "INT8")) == sizes


def test_an_int4_depthwise_needs_its_patch_without_dsp_too() -> None:
    tensors: list[Spec] = [((1, 9, 8, 4), "INT8"), ((1, 3, 3, 4), "INT4")]
    assert _scratch("cmsis-nn", "m0", "DEPTHWISE_CONV_2D", tensors, ((1, 9, 8, 4), "INT8")) == (72,)


def test_one_input_channel_becomes_a_convolution_with_mve() -> None:
    tensors: list[Spec] = [((1, 9, 8, 1), "INT8"), ((1, 3, 3, 8), "INT8")]
    assert _scratch("cmsis-nn", "m55", "DEPTHWISE_CONV_2D", tensors, Y) == (64 + 72,)


def test_a_size_that_hangs_on_an_unset_stride_is_not_known() -> None:
    tensors: list[Spec] = [((1, 1, 8, 1), "INT8"), ((1, 1, 3, 8), "INT8")]
    assert _scratch("cmsis-nn", "m55", "DEPTHWISE_CONV_2D", tensors, ((1, 1, 8, 8), "INT8")) is None
    assert _scratch("cmsis-nn", "m4", "DEPTHWISE_CONV_2D", tensors, ((1, 1, 8, 8), "INT8")) == ()


@pytest.mark.parametrize(("target", "sizes"), [("m3", ()), ("m33", (12,)), ("m55", ())])
def test_only_dsp_cores_average_in_scratch(target: str, sizes: tuple[int, ...]) -> None:
    assert _scratch("cmsis-nn", target, "AVERAGE_POOL_2D", [X], ((1, 4, 4, 3), "INT8")) == sizes


def test_a_pointwise_group_is_no_pointwise_convolution_in_the_pinned_version() -> None:
    grouped: list[Spec] = [((1, 9, 8, 4), "INT8"), ((8, 1, 1, 2), "INT8")]
    assert _scratch("cmsis-nn", "m4", "CONV_2D", grouped, Y) == (16,)
    assert _scratch("cmsis-nn-4.0", "m4", "CONV_2D", grouped, Y) == ()


@pytest.mark.parametrize(("kernel", "sizes"), [(3, (108,)), (15, ())])
def test_4_0_has_a_fast_int16_convolution_for_small_patches(kernel: int, sizes: tuple[int, ...]) -> None:
    tensors: list[Spec] = [((1, 20, 20, 3), "INT16"), ((8, kernel, kernel, 3), "INT8")]
    assert _scratch("cmsis-nn-4.0", "m4", "CONV_2D", tensors, ((1, 20, 20, 8), "INT16")) == sizes


def test_4_0_knows_no_int4_filters() -> None:
    assert _scratch("cmsis-nn-4.0", "m4", "CONV_2D", [X, ((8, 3, 3, 3), "INT4")], Y) is None


def test_the_firmware_s_own_lstm_needs_no_scratch() -> None:
    graph, operator = call("UNIDIRECTIONAL_SEQUENCE_LSTM", [((1, 2, 3), "INT8")], [((1, 2, 4), "INT8")])
    assert library("cmsis-nn-4.0", "m4").scratch(graph, operator) == ()


def test_sums_of_constant_filters_are_kept_with_mve_and_others_are_scratch() -> None:
    tensors: list[Spec] = [((1, 12), "INT8"), ((5, 12), "INT8"), ((5,), "INT32")]
    assert _scratch("cmsis-nn", "m55", "FULLY_CONNECTED", tensors, ((1, 5), "INT8")) == ()
    graph, operator = call("FULLY_CONNECTED", tensors, [((1, 5), "INT8")])
    assert library("cmsis-nn", "m55").scratch(graph, operator) == (20,)
    assert library("cmsis-nn", "m4").scratch(graph, operator) == ()
