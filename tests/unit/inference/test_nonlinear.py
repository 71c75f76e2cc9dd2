"""exp, logistic and tanh in fixed point: close to the real curves, and exact where they must be."""

from __future__ import annotations

import math

import pytest

from arena_codegen.inference import nonlinear
from arena_codegen.inference.activations import logistic_table
from arena_codegen.inference.softmax import exponentials

FOUR = 2.0**27
"""One, with four integer bits."""


@pytest.mark.parametrize("real", [-0.001, -0.125, -0.25, -1.0, -3.7, -8.0, -15.9])
def test_exp_is_close(real: float) -> None:
    assert nonlinear.exp(int(real * FOUR), 4) / 2**31 == pytest.approx(math.exp(real), abs=1e-6)


@pytest.mark.parametrize("real", [-15.0, -4.0, -0.5, 0.25, 1.0, 7.5, 15.0])
def test_curves_are_close(real: float) -> None:
    assert nonlinear.logistic(int(real * FOUR), 4) / 2**31 == pytest.approx(1 / (1 + math.exp(-real)), abs=1e-6)
    assert nonlinear.tanh(int(real * FOUR), 4) / 2**31 == pytest.approx(math.tanh(real), abs=1e-6)


def test_curves_are_symmetric() -> None:
    for value in range(1, 2**31, 2**27 + 12345):
        assert nonlinear.tanh(-value, 4) == -nonlinear.tanh(value, 4)
        assert nonlinear.logistic(-value, 4) == nonlinear.ONE - nonlinear.logistic(value, 4)


def test_the_middle_is_exact() -> None:
    assert (nonlinear.exp(0, 5), nonlinear.logistic(0, 4), nonlinear.tanh(0, 4)) == (2**31 - 1, 1 << 30, 0)


def test_products_round_to_nearest_and_saturate_in_one_place() -> None:
    assert nonlinear.high_mul(nonlinear.LOWEST, nonlinear.LOWEST) == nonlinear.ONE
    assert nonlinear.high_mul(1 << 30, 3) == 2
    assert nonlinear.high_mul(-(1 << 30), 3) == -1
    assert nonlinear.shift_right(-6, 2) == -2
    assert nonlinear.shift_right(6, 2) == 2


def test_the_logistic_table_rises_and_ends_below_one() -> None:
    table = logistic_table()
    assert (table[0], table[1], table[255]) == (32768, 33451, 65535)
    assert table == sorted(table)


def test_exponentials_fall_and_end_where_the_kernel_takes_them_for_nothing() -> None:
    table = exponentials(1.0, 0.5)
    assert table[0] == 2**31 - 1
    assert table == sorted(table, reverse=True)
    assert table[32] == 0
    assert table[31] > 0
