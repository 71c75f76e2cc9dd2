"""What each operator makes of its inputs' shapes; the models of the test suite and of others' are the measure."""

from __future__ import annotations

from typing import Any

import pytest

from arena_codegen.model.reader import parse_model, read_model
from arena_codegen.model.shape_rules import Call, infer, solve
from arena_codegen.model.types import Model
from tests.support import models
from tests.support.models import Graph, build
from tests.support.real_models import real_models
from tests.support.tools import SHARED

Shape = tuple[int, ...]


def made(name: str, *inputs: Shape | list[int], outputs: int = 1, **options: Any) -> list[Shape] | None:
    """The rule's answer; a list is a constant INT32 input with these values."""
    g = Graph()
    shapes: list[Shape] = []
    for value in inputs:
        is_shape = isinstance(value, tuple)
        g.tensor("x", value, "FLOAT32") if is_shape else g.constant("c", value, "INT32")
        shapes.append(value if is_shape else (len(value),))
    found = [g.tensor("y", (), "FLOAT32") for _ in range(outputs)]
    g.op(name, range(len(inputs)), found, **options)
    g.inputs = [index for index, value in enumerate(inputs) if isinstance(value, tuple)]
    graph = parse_model(build(g), "m").subgraphs[0]
    tensors = graph.tensors
    return infer(Call(graph.operators[0], tuple(shapes), tensors[: len(inputs)], tensors[len(inputs) :]))


@pytest.mark.parametrize(
    ("name", "inputs", "options", "expected"),
    [
        ("RELU", [(2, 3)], {}, (2, 3)),
        ("ADD", [(1, 4, 4, 8), (8,)], {}, (1, 4, 4, 8)),
        ("ADD", [(1, 3, 1), (5, 1, 4)], {}, (5, 3, 4)),
        ("CONV_2D", [(1, 9, 8, 3), (6, 3, 3, 3)], {"padding": 0, "stride_h": 2, "stride_w": 2}, (1, 5, 4, 6)),
        ("CONV_2D", [(1, 9, 8, 3), (6, 3, 3, 3)], {"padding": 1, "stride_h": 2, "stride_w": 2}, (1, 4, 3, 6)),
        (
            "CONV_2D",
            [(1, 9, 9, 3), (6, 3, 3, 3)],
            {"padding": 1, "stride_h": 1, "stride_w": 1, "dilation_h_factor": 2, "dilation_w_factor": 3},
            (1, 5, 3, 6),
        ),
        ("DEPTHWISE_CONV_2D", [(2, 6, 6, 4), (1, 3, 3, 8)], {"padding": 0, "stride_h": 1, "stride_w": 3}, (2, 6, 2, 8)),
        (
            "MAX_POOL_2D",
            [(1, 7, 7, 3)],
            {"padding": 1, "stride_h": 2, "stride_w": 2, "filter_height": 2, "filter_width": 3},
            (1, 3, 3, 3),
        ),
        ("FULLY_CONNECTED", [(2, 3, 4), (5, 12)], {}, (2, 5)),
        ("FULLY_CONNECTED", [(2, 3, 4), (5, 4)], {"keep_num_dims": True}, (2, 3, 5)),
        ("RESHAPE", [(2, 6), [3, -1]], {}, (3, 4)),
        ("RESHAPE", [(2, 6)], {"new_shape": [4, 3]}, (4, 3)),
        ("SQUEEZE", [(1, 4, 1)], {}, (4,)),
        ("SQUEEZE", [(1, 4, 1)], {"squeeze_dims": [-1]}, (1, 4)),
        ("EXPAND_DIMS", [(3, 4), [-1]], {}, (3, 4, 1)),
        ("TRANSPOSE", [(2, 3, 4), [2, 0, 1]], {}, (4, 2, 3)),
        ("CONCATENATION", [(1, 2, 3), (1, 5, 3)], {"axis": -2}, (1, 7, 3)),
        ("PACK", [(2, 3), (2, 3)], {"values_count": 2, "axis": 1}, (2, 2, 3)),
        ("PAD", [(1, 4, 4, 2), [0, 0, 1, 2, 0, 1, 0, 0]], {}, (1, 7, 5, 2)),
        ("MEAN", [(1, 4, 4, 2), [1, 2]], {}, (1, 2)),
        ("MEAN", [(1, 4, 4, 2), [-1]], {"keep_dims": True}, (1, 4, 4, 1)),
        ("GATHER", [(5, 6, 7), (2, 3)], {"axis": 1}, (5, 2, 3, 7)),
        ("SLICE", [(4, 5), [1, 2], [2, -1]], {}, (2, 3)),
        ("STRIDED_SLICE", [(4, 10), [0, 8], [2, 0], [1, -3]], {"begin_mask": 1, "shrink_axis_mask": 0}, (2, 3)),
        ("STRIDED_SLICE", [(4, 10), [1, 2], [2, 8], [1, 1]], {"shrink_axis_mask": 1}, (6,)),
        ("RESIZE_BILINEAR", [(1, 4, 4, 3), [8, 9]], {}, (1, 8, 9, 3)),
        ("BATCH_MATMUL", [(2, 3, 4), (1, 5, 4)], {"adj_y": True}, (2, 3, 5)),
        ("SPACE_TO_DEPTH", [(1, 4, 6, 2)], {"block_size": 2}, (1, 2, 3, 8)),
        ("DEPTH_TO_SPACE", [(1, 2, 3, 8)], {"block_size": 2}, (1, 4, 6, 2)),
        ("SVDF", [(3, 8), (6, 8)], {"rank": 2}, (3, 3)),
        ("TILE", [(1, 3), [2, 4]], {}, (2, 12)),
        ("SHAPE", [(1, 2, 3)], {}, (3,)),
    ],
)
def test_an_output_follows_from_the_inputs(name: str, inputs: list[Any], options: Any, expected: Shape) -> None:
    assert made(name, *inputs, **options) == [expected]


def test_parts_of_a_split_are_equal() -> None:
    assert made("SPLIT", [1], (1, 6), outputs=3, num_splits=3) == [(1, 2)] * 3


def test_parts_of_a_split_have_the_sizes_asked_for() -> None:
    assert made("SPLIT_V", (1, 7), [2, -1, 1], [1], outputs=3, num_splits=3) == [(1, 2), (1, 4), (1, 1)]


def test_unpacked_tensors_lose_the_axis() -> None:
    assert made("UNPACK", (2, 3, 4), outputs=2, num=2, axis=0) == [(3, 4)] * 2


@pytest.mark.parametrize(
    ("name", "inputs", "options"),
    [
        ("WHERE", [(2, 3)], {}),
        ("ADD", [(2, 3), (4,)], {}),
        ("SPLIT", [[1], (1, 7)], {"outputs": 2}),
        ("TRANSPOSE", [(2, 3), (2,)], {}),
        ("CONV_2D", [(1, 9, 9, 3), (6, 3, 3, 3)], {"stride_h": 0, "stride_w": 1}),
        ("CONV_2D", [(9, 3), (6, 3, 3, 3)], {"stride_h": 1, "stride_w": 1}),
        ("RESHAPE", [(2, 5), [3, -1]], {}),
        ("UNPACK", [(500_000_000, 1)], {"num": 1}),
        ("TRANSPOSE", [(2, 3), [0, 5]], {}),
        ("MEAN", [(), [0]], {}),
    ],
)
def test_what_cannot_be_known_is_not_guessed(name: str, inputs: list[Any], options: Any) -> None:
    assert made(name, *inputs, **options) is None


def test_the_one_open_dimension_takes_what_is_left() -> None:
    assert solve((2, -1, 3), 12) == (2, 2, 3)
    assert solve((-1, -1), 12) is None
    assert solve((5, -1), 12) is None
    assert solve((0, -1), 0) is None


def disagreements(model: Model) -> list[str]:
    """Every operator whose rule says something else than the file."""
    found = []
    for graph in model.subgraphs:
        for operator in graph.operators:
            inputs = [graph.tensors[index] if index >= 0 else None for index in operator.inputs]
            outputs = tuple(graph.tensors[index] for index in operator.outputs)
            shapes = infer(Call(operator, tuple(one.shape if one else None for one in inputs), tuple(inputs), outputs))
            if shapes is not None and shapes != [one.shape for one in outputs]:
                found.append(f"{model.where(graph.index, operator.index)}: {shapes}")
    return found


@pytest.mark.parametrize("name", models.ALL)
def test_rules_agree_with_the_models_of_the_tests(name: str) -> None:
    assert disagreements(parse_model(models.ALL[name](), name)) == []


REAL = [*real_models(), *sorted((SHARED / "models").glob("t[fi]*.tflite")), *sorted(SHARED.glob("models/m*.tflite"))]

if REAL:  # downloaded by `make tools`, or beside the checkout

    @pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
    def test_rules_agree_with_real_models(path: Any) -> None:
        assert disagreements(read_model(path)) == []
