"""Shapes after Prepare, and shapes that a user fixes."""

from __future__ import annotations

import numpy as np
import pytest

from arena_codegen.errors import ModelError, UsageError
from arena_codegen.model.reader import parse_model
from arena_codegen.model.shapes import with_shapes
from arena_codegen.model.types import Model
from tests.support import models
from tests.support.models import Graph, build
from tests.support.tools import need_package

Shape = tuple[int, ...]


def shapes(model: Model, subgraph: int = 0) -> dict[str, Shape]:
    return {tensor.name: tensor.shape for tensor in model.subgraphs[subgraph].tensors if not tensor.is_constant}


def open_cnn(signature: Shape = (1, -1, -1, 3), batch: int = 1) -> bytes:
    """conv → pool → mean → dense, with height and width left open by the converter, which then writes 1."""
    g = Graph()
    free = signature[0]
    x = g.input("in", (batch, 1, 1, 3), "FLOAT32", signature=signature)
    conv = g.tensor("conv", (batch, 1, 1, 4), "FLOAT32", signature=(free, -1, -1, 4))
    pool = g.tensor("pool", (batch, 1, 1, 4), "FLOAT32", signature=(free, -1, -1, 4))
    mean = g.tensor("mean", (batch, 4), "FLOAT32", signature=(free, 4))
    out = g.output("out", (batch, 2), "FLOAT32", signature=(free, 2))
    kernel = g.constant("kernel", models.weights(1, (4, 3, 3, 3)), "FLOAT32")
    dense = g.constant("dense", models.weights(2, (2, 4)), "FLOAT32")
    g.op("CONV_2D", [x, kernel, -1], [conv], padding=0, stride_w=2, stride_h=2)
    g.op("MAX_POOL_2D", [conv], [pool], padding=1, stride_w=2, stride_h=2, filter_width=2, filter_height=2)
    g.op("MEAN", [pool, g.constant("axes", [1, 2], "INT32")], [mean], keep_dims=False)
    g.op("FULLY_CONNECTED", [mean, dense, -1], [out])
    return build(g)


def test_a_fixed_batch_is_a_note_for_the_whole_file() -> None:
    g = Graph()
    x = g.input("in", (1, 4), signature=(-1, 4))
    g.op("RELU", [x], [g.output("out", (1, 4), signature=(-1, 4))])
    (warning,) = parse_model(build(g), "m.tflite").warnings
    assert (warning.what, warning.where) == (
        "2 tensors leave the batch open (-1 in shape_signature) and are planned for a batch of 1",
        "m.tflite",
    )


def test_a_batch_that_the_user_chose_needs_no_note_for_what_follows_from_it() -> None:
    g = Graph()
    x, other = g.input("in", (1, 4), signature=(-1, 4)), g.input("other", (1, 4), signature=(-1, 4))
    y = g.tensor("y", (1, 4), signature=(-1, 4))
    g.op("RELU", [x], [y])
    g.op("RELU", [y], [g.output("out", (1, 4), signature=(-1, 4))])
    g.op("RELU", [other], [g.output("too", (1, 4), signature=(-1, 4))])
    (warning,) = parse_model(build(g), "m.tflite", [("in", (1, 4))]).warnings
    assert warning.what.startswith("2 tensors leave the batch open")
    assert parse_model(build(g), "m.tflite", [("in", (1, 4)), ("other", (1, 4))]).warnings == ()


def test_a_chosen_batch_reaches_called_subgraphs() -> None:
    g, body = Graph("main"), Graph("body")
    x = g.input("in", (1, 4), signature=(-1, 4))
    inner = body.input("inner", (1, 4), signature=(-1, 4))
    body.op("RELU", [inner], [body.output("result", (1, 4), signature=(-1, 4))])
    cond = g.input("cond", (1,), "BOOL")
    g.op("IF", [cond, x], [g.output("out", (1, 4), signature=(-1, 4))], then_subgraph_index=1, else_subgraph_index=1)
    assert parse_model(build(g, body), "m.tflite", [("in", (1, 4))]).warnings == ()


def test_one_fixed_shape_spreads_through_the_graph() -> None:
    model = parse_model(open_cnn(), "m.tflite", [("in", (1, 32, 20, 3))])
    assert shapes(model) == {
        "in": (1, 32, 20, 3),
        "conv": (1, 16, 10, 4),
        "pool": (1, 8, 5, 4),
        "mean": (1, 4),
        "out": (1, 2),
    }


def test_a_batch_can_be_chosen_and_spreads_too() -> None:
    model = parse_model(open_cnn((-1, -1, -1, 3)), "m.tflite", [("in", (3, 8, 8, 3))])
    assert shapes(model)["out"] == (3, 2)
    assert model.warnings == ()


def test_a_tensor_can_be_named_by_its_index() -> None:
    assert shapes(parse_model(open_cnn(), "m.tflite", [("0:0", (1, 8, 8, 3))]))["pool"] == (1, 2, 2, 4)


def test_shapes_may_be_a_mapping() -> None:
    assert shapes(parse_model(open_cnn(), "m.tflite", {"in": (1, 8, 8, 3)}))["conv"] == (1, 4, 4, 4)


def test_a_fixed_shape_enters_called_subgraphs_and_comes_back() -> None:
    main, body = Graph("main"), Graph("body")
    condition = main.input("condition", (1,), "BOOL")
    x = main.input("x", (1, 1), "FLOAT32", signature=(1, -1))
    main.op(
        "IF",
        [condition, x],
        [main.output("y", (1, 1), "FLOAT32", signature=(1, -1))],
        then_subgraph_index=1,
        else_subgraph_index=1,
    )
    a = body.input("a", (1, 1), "FLOAT32", signature=(1, -1))
    body.op("NEG", [a], [body.output("b", (1, 1), "FLOAT32", signature=(1, -1))])
    model = parse_model(build(main, body), "m.tflite", [("x", (1, 9))])
    assert shapes(model, 0)["y"] == (1, 9)
    assert shapes(model, 1) == {"a": (1, 9), "b": (1, 9)}


def test_an_operator_without_a_rule_asks_for_its_own_shape() -> None:
    g = Graph()
    x = g.input("in", (1, 1), "FLOAT32", signature=(1, -1))
    a = g.tensor("a", (1, 1), "FLOAT32", signature=(1, -1))
    g.op("Mystery", [x], [a], custom=True)
    g.op("NEG", [a], [g.output("out", (1, 1), "FLOAT32", signature=(1, -1))])
    with pytest.raises(ModelError) as caught:
        parse_model(build(g), "m.tflite", [("in", (1, 4))])
    assert [finding.hint for finding in caught.value.findings] == [
        "fix the size when converting the model, or pass --shape a=1,N with numbers for N",
        "fix the size when converting the model, or pass --shape out=1,N with numbers for N",
    ]
    assert shapes(parse_model(build(g), "m.tflite", [("in", (1, 4)), ("a", (1, 6))]))["out"] == (1, 6)


def test_a_batch_behind_an_operator_without_a_rule_is_not_guessed() -> None:
    g = Graph()
    x = g.input("in", (1, 4), "FLOAT32", signature=(-1, 4))
    g.op("Mystery", [x], [g.output("out", (1, 4), "FLOAT32", signature=(-1, 4))], custom=True)
    with pytest.raises(ModelError, match="it follows from a given shape, in a way that only the device knows"):
        parse_model(build(g), "m.tflite", [("in", (2, 4))])


def test_a_shape_that_spreads_into_a_fixed_one_is_refused() -> None:
    g = Graph()
    x = g.input("in", (1, 1), "FLOAT32", signature=(1, -1))
    g.op("NEG", [x], [g.output("out", (1, 5), "FLOAT32")])
    with pytest.raises(ModelError) as caught:
        parse_model(build(g), "m.tflite", [("in", (1, 4))])
    (finding,) = caught.value.findings
    assert finding.what == "NEG makes it 1x4, the file says 1x5"
    assert finding.where == "m.tflite · subgraph 0 · op 0 NEG · tensor 1 'out'"


@pytest.mark.parametrize(
    ("wish", "what"),
    [
        (("in", (1, 8, 3)), "--shape gives 3 dimensions, the tensor has 4"),
        (("in", (1, 8, 8, 4)), "--shape makes dimension 3 4, the file fixes it as 3"),
        (("in", (2, 8, 8, 3)), "--shape makes dimension 0 2, the file fixes it as 1"),
        (("kernel", (5, 3, 3, 3)), "--shape makes dimension 0 5, the file fixes it as 4"),
        (("nowhere", (1,)), "no tensor is called 'nowhere'"),
    ],
)
def test_a_shape_that_does_not_fit_the_model_is_wrong_usage(wish: tuple[str, Shape], what: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_model(open_cnn(), "m.tflite", [wish])
    assert [finding.what for finding in caught.value.findings] == [what]


def test_two_shapes_for_one_tensor_are_wrong_usage() -> None:
    with pytest.raises(UsageError, match="--shape gives the tensor two shapes"):
        parse_model(open_cnn(), "m.tflite", [("in", (1, 8, 8, 3)), ("0", (1, 9, 9, 3))])


def stretched(*target: int) -> bytes:
    g = Graph()
    x = g.input("in", (1, 6, 4), "FLOAT32")
    y = g.tensor("flat", target, "FLOAT32")
    g.op("RESHAPE", [x, g.constant("shape", target, "INT32")], [y], new_shape=target)
    g.op("RESHAPE", [y, g.constant("back", [1, 6, 4], "INT32")], [g.output("out", (1, 6, 4), "FLOAT32")])
    return build(g)


def test_a_reshape_to_minus_one_is_solved_as_prepare_does() -> None:
    assert shapes(parse_model(stretched(2, -1), "m.tflite"))["flat"] == (2, 12)


def test_tflm_solves_a_reshape_to_minus_one_in_the_same_way() -> None:
    runtime = need_package("tflite_micro").runtime
    keep = runtime.InterpreterConfig.kPreserveAllTensors
    interpreter = runtime.Interpreter.from_bytes(stretched(2, -1), arena_size=10000, intrepreter_config=keep)
    interpreter.set_input(np.zeros((1, 6, 4), "f4"), 0)
    interpreter.invoke()
    assert tuple(interpreter.GetTensor(1, 0)["shape"]) == (2, 12)


def test_a_reshape_without_a_target_to_zero_is_a_scalar() -> None:
    g = Graph()
    x = g.input("in", (1,), "FLOAT32")
    g.op("RESHAPE", [x], [g.output("out", (0,), "FLOAT32")], new_shape=[0])
    assert shapes(parse_model(build(g), "m.tflite"))["out"] == ()


def test_other_shapes_can_be_tried_against_what_the_file_fixes() -> None:
    model = parse_model(models.residual(), "m.tflite")
    tried = with_shapes(model, {(0, 0): (1, 8, 8, 8)})
    assert set(shapes(tried).values()) == {(1, 8, 8, 8)}
    assert set(shapes(model).values()) == {(1, 4, 4, 8)}


def test_fewer_channels_can_be_tried_by_changing_the_weights() -> None:
    model = parse_model(models.depthwise_cnn(), "m.tflite")
    index = next(tensor.index for tensor in model.subgraphs[0].tensors if tensor.name == "dense/kernel")
    assert shapes(with_shapes(model, {(0, index): (2, 16)}))["probabilities"] == (1, 2)


def test_a_shape_that_cannot_be_derived_is_named_and_not_guessed() -> None:
    model = parse_model(models.depthwise_cnn(), "m.tflite")
    with pytest.raises(ModelError) as caught:
        with_shapes(model, {(0, 0): (1, 16, 16, 3)})
    assert caught.value.findings[0].where.endswith("op 4 RESHAPE · tensor 11 'flat'")
