"""Quantised multipliers and ranges, against numbers that were worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from arena_codegen.inference.call import Unsupported
from arena_codegen.inference.fixed_point import (
    NONE,
    RELU,
    RELU6,
    RELU_N1_TO_1,
    activation_range,
    float32,
    quantize_multiplier,
    round_away,
    scale,
)
from arena_codegen.model.types import Quantization
from tests.support.calls import call


@pytest.mark.parametrize(
    ("real", "pair"),
    [
        (0.0, (0, 0)),
        (0.5, (1 << 30, 0)),
        (1.0, (1 << 30, 1)),
        (0.75, (3 << 29, 0)),
        (6.0, (3 << 29, 3)),
        (2.0**-31, (1 << 30, -30)),
        (2.0**-32, (1 << 30, -31)),
        (2.0**-33, (0, 0)),
        (1.0 - 2.0**-33, (1 << 30, 1)),
    ],
)
def test_a_multiplier_is_31_bits_and_a_shift(real: float, pair: tuple[int, int]) -> None:
    assert quantize_multiplier(real) == pair


@pytest.mark.parametrize(("real", "whole"), [(0.5, 1), (-0.5, -1), (1.5, 2), (2.4999, 2), (-2.5, -3), (0.0, 0)])
def test_halves_go_away_from_zero(real: float, whole: int) -> None:
    assert round_away(real) == whole


def test_a_float_has_24_bits() -> None:
    assert float32(0.1) == 0.100000001490116119384765625


@pytest.mark.parametrize(
    ("activation", "expected"), [(NONE, (-128, 127)), (RELU, (-10, 127)), (RELU6, (-10, 50)), (RELU_N1_TO_1, (-20, 0))]
)
def test_an_activation_is_a_range_of_quantised_values(activation: int, expected: tuple[int, int]) -> None:
    graph, _ = call("RELU", [((1,), "INT8", 1)], [((1,), "INT8", 1)])
    output = replace(graph.tensors[1], quantization=Quantization((0.1,), (-10,)))
    assert activation_range(activation, output) == expected


def test_an_activation_that_nobody_knows_is_refused() -> None:
    graph, _ = call("RELU", [((1,), "INT8", 1)], [((1,), "INT8", 1)])
    with pytest.raises(Unsupported, match="fused activation 9"):
        activation_range(9, graph.tensors[1])


@pytest.mark.parametrize("number", [0.0, -0.5, 1e-45, math.inf, math.nan])
def test_a_scale_that_says_nothing_is_refused(number: float) -> None:
    graph, _ = call("RELU", [((1,), "INT8", 1)], [((1,), "INT8", 1)])
    tensor = replace(graph.tensors[1], quantization=Quantization((0.1, number), (0, 0)))
    with pytest.raises(Unsupported, match="has the scale"):
        scale(tensor)
