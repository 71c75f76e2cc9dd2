"""Shapes that contradict each other or the options, and tensors without elements."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from arena_codegen.inference import Network, describe
from arena_codegen.model.reader import parse_model
from tests.support.model_builder import Graph, build


def network_of(graph: Graph) -> Network:
    return describe(parse_model(build(graph), "m.tflite"))


def reasons(graph: Graph) -> list[str]:
    return [one.why for one in network_of(graph).missing]


def pool(operator: str, shape: Sequence[int]) -> Graph:
    g = Graph()
    x, y = g.input("x", (1, 8, 8, 4), scale=0.1), g.output("y", shape, scale=0.1)
    g.op(operator, [x], [y], padding=1, stride_h=2, stride_w=2, filter_height=2, filter_width=2)
    return g


def conv(
    shape: Sequence[int], operator: str = "CONV_2D", filters: Sequence[int] = (4, 3, 3, 3), biases: int = 4
) -> Graph:
    g = Graph()
    x = g.input("x", (1, 8, 8, 3), scale=0.1)
    f = g.constant("f", np.ones(filters), scale=0.1, zero_point=0)
    b = g.constant("b", np.ones(biases), "INT32", scale=0.01, zero_point=0)
    ones = {"stride_h": 1, "stride_w": 1, "dilation_h_factor": 1, "dilation_w_factor": 1}
    g.op(operator, [x, f, b], [g.output("y", shape, scale=0.1)], padding=0, **ones)
    return g


def dense(shape: Sequence[int], inputs: int = 8, biases: int = 4) -> Graph:
    g = Graph()
    x = g.input("x", (2, inputs), scale=0.1)
    f = g.constant("f", np.ones((4, 8)), scale=0.1, zero_point=0)
    b = g.constant("b", np.ones(biases), "INT32", scale=0.01, zero_point=0)
    g.op("FULLY_CONNECTED", [x, f, b], [g.output("y", shape, scale=0.1)])
    return g


def test_shapes_that_fit_are_nothing_to_speak_of() -> None:
    for graph in (pool("MAX_POOL_2D", (1, 4, 4, 4)), conv((1, 8, 8, 4)), dense((2, 4)), dense((1, 2, 4))):
        assert reasons(graph) == []


@pytest.mark.parametrize("operator", ["MAX_POOL_2D", "AVERAGE_POOL_2D"])
@pytest.mark.parametrize("shape", [(1, 7, 8, 4), (1, 4, 4, 5), (2, 4, 4, 4), (1, 4, 5, 4)])
def test_a_pool_whose_output_contradicts_its_options_is_named(operator: str, shape: tuple[int, ...]) -> None:
    said = f"tensor 1 'y' has shape {list(shape)}, its inputs and options make [1, 4, 4, 4]"
    assert reasons(pool(operator, shape)) == [said]


@pytest.mark.parametrize(
    ("graph", "made"),
    [
        (conv((1, 8, 9, 4)), [1, 8, 8, 4]),
        (conv((1, 8, 8, 5)), [1, 8, 8, 4]),
        (conv((1, 8, 7, 3), "DEPTHWISE_CONV_2D", (1, 3, 3, 3), 3), [1, 8, 8, 3]),
        (dense((2, 5)), [2, 4]),
        (dense((3, 4)), [2, 4]),
    ],
)
def test_a_layer_whose_output_contradicts_its_weights_is_named(graph: Graph, made: list[int]) -> None:
    (why,) = reasons(graph)
    assert why.startswith("tensor 3 'y' has shape ")
    assert why.endswith(f" make {made}")


def test_weights_of_another_depth_are_named() -> None:
    assert reasons(conv((1, 8, 8, 4), filters=(4, 3, 3, 2))) == [
        "tensor 1 'f' has shape [4, 3, 3, 2], tensor 0 'x' has [1, 8, 8, 3]"
    ]
    assert reasons(dense((2, 4), inputs=9)) == ["tensor 1 'f' has shape [4, 8], tensor 0 'x' has [2, 9]"]


@pytest.mark.parametrize("graph", [conv((1, 8, 8, 4), biases=3), dense((2, 4), biases=3)])
def test_a_bias_that_is_too_short_is_named(graph: Graph) -> None:
    assert reasons(graph) == ["tensor 2 'b' has 3 elements for 4 channels"]


@pytest.mark.parametrize("operator", ["ADD", "MUL", "MAXIMUM"])
def test_inputs_that_cannot_be_repeated_are_named(operator: str) -> None:
    g = Graph()
    x, z = g.input("x", (1, 3), scale=0.1), g.input("z", (1, 2), scale=0.1)
    g.op(operator, [x, z], [g.output("y", (1, 3), scale=0.1)])
    assert reasons(g) == ["tensor 1 'z' has shape [1, 2], tensor 2 'y' [1, 3]"]


@pytest.mark.parametrize("operator", ["RELU", "QUANTIZE", "LOGISTIC"])
def test_an_operator_without_elements_to_compute_runs_no_kernel(operator: str) -> None:
    g = Graph()
    x = g.input("x", (1, 0), scale=0.1)
    g.op(operator, [x], [g.output("y", (1, 0), scale=0.1)])
    network = network_of(g)
    assert network.missing == ()
    assert network.calls[0][0].kernel == ""


def test_a_split_of_nothing_is_no_division_by_nothing() -> None:
    g = Graph()
    axis, x = g.constant("axis", [1], "INT32"), g.input("x", (0, 2), scale=0.1)
    g.op("SPLIT", [axis, x], [g.output("a", (0, 1), scale=0.1), g.output("b", (0, 1), scale=0.1)], num_splits=2)
    assert network_of(g).calls[0][0].kernel == ""


def test_a_mean_of_nothing_is_named() -> None:
    g = Graph()
    x, axis = g.input("x", (2, 0), scale=0.1), g.constant("axis", [1], "INT32")
    g.op("MEAN", [x, axis], [g.output("y", (2,), scale=0.1)], keep_dims=False)
    assert reasons(g) == ["tensor 0 'x' has no elements"]


def test_padding_around_nothing_copies_no_bytes() -> None:
    g = Graph()
    x, pads = g.input("x", (0, 4), scale=0.1), g.constant("pads", [[1, 1], [0, 0]], "INT32")
    g.op("PAD", [x, pads], [g.output("y", (2, 4), scale=0.1)])
    block = network_of(g).calls[0][0].params["block"]
    assert (block["run"], set(block["sizes"])) == (0, {1})
