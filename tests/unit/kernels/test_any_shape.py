"""Kernels meet whatever a file says: a formula answers, or nobody knows; it never fails."""

from __future__ import annotations

import random

import pytest

from arena_codegen.kernels import library
from arena_codegen.kernels.call import Unknown
from arena_codegen.kernels.reference import PREPARE
from arena_codegen.kernels.steps import MAX_BYTES, Step
from tests.support.calls import TYPES, Spec, call

NAMES = ("cmsis-nn", "cmsis-nn-4.0", "reference")
OPTIONS = (
    *("padding", "stride_w", "stride_h", "dilation_w_factor", "dilation_h_factor", "rank", "adj_x", "adj_y"),
    *("time_major", "depth_multiplier"),
)


def _spec(rng: random.Random) -> Spec:
    if rng.random() < 0.1:
        return None
    shape = [rng.choice((0, 1, 2, 3, 4, 7, 2**16, 2**31 - 1)) for _ in range(rng.choice((0, 1, 2, 3, 4, 4, 4, 5)))]
    return (shape, rng.choice(sorted(TYPES)), rng.choice((0, 1, 3)))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("target", ["m0", "m4", "m55"])
def test_any_tensors_and_options_give_sizes_or_nothing(name: str, target: str) -> None:
    rng = random.Random(7)
    kernels = library(name, target)
    for operator in sorted(PREPARE) * 12:
        options = {option: rng.choice((-1, 0, 1, 2, 3, 2**31)) for option in OPTIONS if rng.random() < 0.9}
        inputs = [_spec(rng) for _ in range(rng.choice((0, 1, 2, 3, 4, 20)))]
        outputs = [_spec(rng) or ((1,), "INT8") for _ in range(rng.choice((0, 1, 2)))]
        custom = bytes(rng.choice(range(256)) for _ in range(rng.choice((0, 3, 40)))) if operator[0] == "S" else None
        graph, one = call(operator, inputs, outputs, custom_options=custom, **options)
        sizes = kernels.scratch(graph, one)
        assert sizes is None or all(0 <= size <= MAX_BYTES for size in sizes)
        if kernels.prepare is not None and kernels.init is not None:
            assert _steps_or_unknown(kernels, graph, one)


def _steps_or_unknown(kernels: object, graph: object, operator: object) -> bool:
    try:
        steps = (*kernels.init(graph, operator), *kernels.prepare(graph, operator))  # type: ignore[attr-defined]
    except Unknown:
        return True
    return all(isinstance(step, Step) and step.bytes >= 0 for step in steps)


@pytest.mark.parametrize("name", NAMES)
def test_an_operator_that_tflm_does_not_have_is_not_known(name: str) -> None:
    graph, operator = call("LSTM", [((1, 4), "INT8")], [((1, 4), "INT8")])
    assert library(name, "m4").scratch(graph, operator) is None


def test_a_custom_operator_is_not_known() -> None:
    graph, operator = call("MyOp", [((1, 4), "INT8")], [((1, 4), "INT8")], custom_options=b"")
    assert library("cmsis-nn", "m4").scratch(graph, operator) is None


def test_no_kernels_ask_for_nothing() -> None:
    graph, operator = call("CONV_2D", [((1, 4, 4, 4), "INT8"), ((8, 3, 3, 4), "INT8")], [((1, 4, 4, 8), "INT8")])
    assert library("none", "m4").scratch(graph, operator) == ()
