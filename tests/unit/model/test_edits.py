"""Edits of a model, held against models that were built that way."""

from __future__ import annotations

import pytest

from arena_codegen.errors import ModelError
from arena_codegen.model import edits
from arena_codegen.model.channels import with_channels
from arena_codegen.model.find import find_tensor
from arena_codegen.model.reader import parse_model
from arena_codegen.model.types import Model
from tests.support import models
from tests.support.convnets import convnet


def read(data: bytes) -> Model:
    return parse_model(data, "m.tflite")


def shapes(model: Model) -> dict[str, tuple[int, ...]]:
    return {tensor.name: tensor.shape for tensor in model.subgraphs[0].tensors}


def operators(model: Model) -> list[tuple[str, list[str]]]:
    """Every operator with the names of what it reads and writes."""
    graph = model.subgraphs[0]
    return [(one.name, [graph.tensors[index].name for index in (*one.inputs, *one.outputs)]) for one in graph.operators]


def test_a_folded_pad_is_the_convolution_that_pads_itself() -> None:
    done = edits.fold_pads(read(convnet(padded=True)))
    assert done is not None
    assert operators(done.model) == operators(read(convnet()))
    assert [one.options.get("padding") for one in done.model.subgraphs[0].operators[:3]] == [0, 0, 0]
    assert (done.operators, done.is_exact) == (((0, 1),), True)


def padded(pads: list[int], stride: int = 1, height: int = 8, out: int = 8, readers: int = 1) -> bytes:
    """A PAD of (top, bottom, left, right) before VALID convolutions 3x3."""
    g = models.Graph()
    x = g.input("in", (1, height, height, 2), scale=0.1)
    table = g.constant("pads", [[0, 0], pads[:2], pads[2:], [0, 0]], "INT32")
    size = (1, height + pads[0] + pads[1], height + pads[2] + pads[3], 2)
    y = g.tensor("padded", size, scale=0.1)
    g.op("PAD", [x, table], [y])
    for index in range(readers):
        kernel = g.constant(f"kernel{index}", models.weights(1, (2, 3, 3, 2)), scale=[0.1] * 2)
        z = g.output(f"out{index}", (1, out, out, 2), scale=0.1)
        g.op("CONV_2D", [y, kernel], [z], padding=1, stride_w=stride, stride_h=stride, dilation_w_factor=1,
             dilation_h_factor=1, fused_activation_function=0)  # fmt: skip
    return models.build(g)


def test_a_pad_on_other_sides_than_same_pads_is_folded_but_not_exact() -> None:
    symmetric = edits.fold_pads(read(padded([1, 1, 1, 1], stride=2, out=4)))
    trailing = edits.fold_pads(read(padded([0, 1, 0, 1], stride=2, out=4)))
    assert symmetric is not None
    assert trailing is not None
    assert (symmetric.is_exact, trailing.is_exact) == (False, True)


def test_a_pad_that_makes_the_output_larger_than_same_does_is_not_folded() -> None:
    assert edits.fold_pads(read(padded([2, 2, 2, 2], out=10))) is None


def test_a_pad_that_two_operators_read_is_not_folded() -> None:
    assert edits.fold_pads(read(padded([1, 1, 1, 1], readers=2))) is None


def float_edges() -> bytes:
    g = models.Graph()
    x = g.input("float_in", (1, 64), "FLOAT32")
    a, b = (g.tensor(name, (1, 64), scale=0.1) for name in ("int_in", "int_out"))
    g.op("QUANTIZE", [x], [a])
    g.op("RELU", [a], [b])
    g.op("DEQUANTIZE", [b], [g.output("float_out", (1, 64), "FLOAT32")])
    return models.build(g)


def test_without_float_edges_the_integers_are_the_model_s_inputs_and_outputs() -> None:
    done = edits.drop_float_edges(read(float_edges()))
    assert done is not None
    graph = done.model.subgraphs[0]
    assert operators(done.model) == [("RELU", ["int_in", "int_out"])]
    assert [graph.tensors[index].name for index in (*graph.inputs, *graph.outputs)] == ["int_in", "int_out"]
    assert [tensor.bytes for tensor in graph.tensors if tensor.name.startswith("float")] == [0, 0]


def test_a_float_input_that_another_operator_reads_stays() -> None:
    g = models.Graph()
    x = g.input("in", (1, 4), "FLOAT32")
    g.op("QUANTIZE", [x], [g.output("int", (1, 4), scale=0.1)])
    g.op("NEG", [x], [g.output("float", (1, 4), "FLOAT32")])
    assert edits.drop_float_edges(read(models.build(g))) is None


def test_a_fused_activation_is_done_by_the_operator_before() -> None:
    done = edits.fuse_activations(read(convnet(relu=True)))
    assert done is not None
    wide = done.model.subgraphs[0].operators[1]
    assert wide.options["fused_activation_function"] == 1
    names = [name for name, _ in operators(done.model)]
    assert names == [name for name, _ in operators(read(convnet()))]
    assert shapes(done.model)["wide"] == (0,)


def test_an_activation_whose_input_others_read_is_not_fused() -> None:
    assert edits.fuse_activations(read(models.residual())) is None


def test_what_constants_alone_determine_becomes_a_constant() -> None:
    g = models.Graph()
    x = g.input("in", (1, 4), "FLOAT32")
    y = g.tensor("weights", (1, 4), "FLOAT32")
    g.op("DEQUANTIZE", [g.constant("packed", [[1, 2, 3, 4]], scale=0.1)], [y])
    g.op("ADD", [x, y], [g.output("out", (1, 4), "FLOAT32")])
    done = edits.store_constants(read(models.build(g)))
    assert done is not None
    assert [name for name, _ in operators(done.model)] == ["ADD"]
    assert done.model.subgraphs[0].tensors[y].is_constant


def test_a_model_without_anything_to_edit_gives_nothing() -> None:
    edit = (edits.fold_pads, edits.drop_float_edges, edits.fuse_activations, edits.store_constants)
    assert [one(read(convnet())) for one in edit] == [None] * 4


@pytest.mark.parametrize("options", [{}, {"padded": True}, {"relu": True}])
@pytest.mark.parametrize("channels", [3, 12, 31])
def test_other_channels_are_the_model_that_was_built_with_them(channels: int, options: dict[str, bool]) -> None:
    model = read(convnet(8, **options))
    changed = with_channels(model, *find_tensor(model, "wide"), channels)
    assert shapes(changed) == shapes(read(convnet(channels, **options)))


def test_channels_of_both_sides_of_a_sum_change_together() -> None:
    def built(channels: int) -> bytes:
        g = models.Graph()
        x = g.input("in", (1, 4, 4, 2), scale=0.1)
        sides = []
        for name in ("left", "right"):
            kernel = g.constant(f"{name}/kernel", models.weights(1, (channels, 1, 1, 2)), scale=[0.1] * channels)
            sides.append(g.tensor(name, (1, 4, 4, channels), scale=0.1))
            g.op("CONV_2D", [x, kernel], [sides[-1]], padding=0, stride_w=1, stride_h=1)
        total = g.tensor("sum", (1, 4, 4, channels), scale=0.1)
        g.op("ADD", sides, [total])
        flat = g.tensor("flat", (1, 16 * channels), scale=0.1)
        g.op("RESHAPE", [total, g.constant("target", [1, -1], "INT32")], [flat])
        kernel = g.constant("dense/kernel", models.weights(2, (5, 16 * channels)), scale=0.1)
        g.op("FULLY_CONNECTED", [flat, kernel], [g.output("out", (1, 5), scale=0.1)])
        return models.build(g)

    model = read(built(6))
    assert shapes(with_channels(model, *find_tensor(model, "left"), 4)) == shapes(read(built(4)))


def test_channels_that_are_joined_add_up() -> None:
    def built(channels: int) -> bytes:
        g = models.Graph()
        x = g.input("in", (1, 4, 4, 2), scale=0.1)
        kernel = g.constant("kernel", models.weights(1, (channels, 1, 1, 2)), scale=[0.1] * channels)
        y, joined = (
            g.tensor("conv", (1, 4, 4, channels), scale=0.1),
            g.tensor("joined", (1, 4, 4, channels + 2), scale=0.1),
        )
        g.op("CONV_2D", [x, kernel], [y], padding=0, stride_w=1, stride_h=1)
        g.op("CONCATENATION", [x, y], [joined], axis=3)
        after = g.constant("after/kernel", models.weights(2, (3, 1, 1, channels + 2)), scale=[0.1] * 3)
        g.op("CONV_2D", [joined, after], [g.output("out", (1, 4, 4, 3), scale=0.1)], padding=0, stride_w=1, stride_h=1)
        return models.build(g)

    model = read(built(6))
    assert shapes(with_channels(model, *find_tensor(model, "conv"), 4)) == shapes(read(built(4)))


@pytest.mark.parametrize(("tensor", "said"), [("image", "is an input of the model")])
def test_channels_that_others_decide_are_refused_with_the_place(tensor: str, said: str) -> None:
    model = read(convnet())
    with pytest.raises(ModelError) as caught:
        with_channels(model, *find_tensor(model, tensor), 3)
    assert said in str(caught.value)
    assert "tensor 0" in caught.value.findings[0].where
