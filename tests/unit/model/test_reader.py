"""What a good file becomes."""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path

import pytest

from arena_codegen.model.reader import parse_model, read_model
from arena_codegen.model.types import Model, Quantization
from tests.support import models
from tests.support.models import Graph, build


def parse(*graphs: Graph, **rest: object) -> Model:
    return parse_model(build(*graphs, **rest), "m.tflite")


@pytest.mark.parametrize("name", models.ALL)
def test_every_model_of_the_tests_reads(name: str) -> None:
    model = parse_model(models.ALL[name](), f"{name}.tflite")
    assert model.operators == sum(len(graph.operators) for graph in model.subgraphs) > 0


def test_a_file_is_known_by_its_base_name_and_fingerprint(tmp_path: Path) -> None:
    data = models.chain()
    (tmp_path / "kws.tflite").write_bytes(data)
    model = read_model(tmp_path / "kws.tflite")
    assert (model.file, model.data) == ("kws.tflite", data)
    assert (model.sha256, model.crc32) == (hashlib.sha256(data).hexdigest(), zlib.crc32(data))
    assert model.description == "built for a test"


def test_tensors_keep_what_the_file_says_of_them() -> None:
    g = Graph()
    g.input("in", (1, 2, 3), "INT16", scale=[0.5, 0.25, 2.0], zero_point=[1, 2, 3], axis=2, signature=(1, 2, 3))
    (tensor,) = parse(g).subgraphs[0].tensors
    assert (tensor.name, tensor.dtype.name, tensor.shape, tensor.signature) == ("in", "INT16", (1, 2, 3), (1, 2, 3))
    assert tensor.quantization == Quantization((0.5, 0.25, 2.0), (1, 2, 3), 2)
    assert (tensor.bytes, tensor.is_constant, tensor.label) == (12, False, "tensor 0 'in'")


def test_one_zero_point_stands_for_all_scales_as_in_tflm() -> None:
    g = Graph()
    g.input("in", (1, 3), scale=[0.5, 0.25, 2.0], zero_point=[7], axis=1)
    assert parse(g).subgraphs[0].tensors[0].quantization == Quantization((0.5, 0.25, 2.0), (7, 7, 7), 1)


def test_scales_without_zero_points_are_no_quantisation_as_in_tflm() -> None:
    g = Graph()
    g.input("in", (1, 3), scale=[0.5], zero_point=[])
    assert parse(g).subgraphs[0].tensors[0].quantization is None


def test_constants_are_views_of_the_file() -> None:
    data = models.depthwise_cnn()
    constants = [tensor for tensor in parse_model(data, "m").subgraphs[0].tensors if tensor.is_constant]
    assert len(constants) == 9
    assert all(tensor.data.obj is data and tensor.data.readonly for tensor in constants if tensor.data is not None)


def test_a_scalar_has_one_element_whether_its_shape_is_empty_or_absent() -> None:
    model = parse_model(models.scalars(), "m.tflite")
    assert [(tensor.shape, tensor.bytes) for tensor in model.subgraphs[0].tensors] == [((), 4)] * 3


def test_a_tensor_of_no_bytes_is_normal() -> None:
    tensors = parse_model(models.zero_dimension(), "m.tflite").subgraphs[0].tensors
    assert [tensor.bytes for tensor in tensors] == [16, 0, 16]


def test_an_int4_element_takes_a_byte_in_the_arena() -> None:
    g = Graph()
    g.input("in", (1, 7), "INT4")
    assert parse(g).subgraphs[0].tensors[0].bytes == 7


def test_a_packed_int4_constant_is_long_enough() -> None:
    g = Graph()
    g.tensor("w", (1, 7), "INT4", data=b"\0" * 4)
    assert parse(g).warnings == ()


def test_a_constant_behind_the_flatbuffer_is_a_constant() -> None:
    model = parse_model(models.external_constant(), "m.tflite")
    constant = model.subgraphs[0].tensors[1]
    assert constant.data is not None
    assert constant.data.tobytes() == b"\0\0\x80\x3f" * 4
    assert model.external
    assert [warning.what for warning in model.warnings] == [
        "constant lies behind the flatbuffer; TFLM does not look for it there"
    ]


def test_a_file_without_operators_reads() -> None:
    g = Graph()
    g.outputs = [g.input("through", (1, 4))]
    graph = parse(g).subgraphs[0]
    assert (graph.operators, graph.inputs, graph.outputs) == ((), (0,), (0,))


def test_a_subgraph_without_any_vector_reads() -> None:
    assert parse(Graph(None)).subgraphs[0].tensors == ()


def test_names_may_be_absent_or_no_utf8() -> None:
    g = Graph(None)
    g.tensor(None, (1,))
    g.tensor(b"caf\xe9\xff", (1,))
    graph = parse(g).subgraphs[0]
    assert [tensor.name for tensor in graph.tensors] == ["", "caf\\xe9\\xff"]
    assert graph.tensors[0].label == "tensor 0"


def test_metadata_keeps_exact_names_and_bytes() -> None:
    model = parse(Graph(), metadata=[("OfflineMemoryAllocation", b"\1\2"), ("", b"x"), (None, b""), ("Offline", 0)])
    assert [(entry.name, entry.data) for entry in model.metadata] == [
        ("OfflineMemoryAllocation", b"\1\2"),
        ("", b"x"),
        ("", b""),
        ("Offline", b""),
    ]


def test_signatures_name_inputs_and_outputs() -> None:
    g = Graph()
    x = g.input("in", (1,))
    (signature,) = parse(g, signatures=[("serving_default", 0, {"x": x}, {})]).signatures
    assert (signature.key, signature.subgraph, signature.inputs) == ("serving_default", 0, (("x", x),))


def test_a_variable_and_an_absent_input_are_normal() -> None:
    g = Graph()
    state = g.tensor("state", (1, 4), variable=True)
    g.op("CUSTOM_LSTM", [state, -1], [g.output("out", (1, 4))], custom=True)
    graph = parse(g).subgraphs[0]
    assert graph.tensors[0].is_variable
    assert graph.operators[0].inputs == (0, -1)


def test_a_constant_string_may_stay_in_flash() -> None:
    g = Graph()
    g.tensor("label", (1,), "STRING", data=b"\1\0\0\0")
    assert parse(g).subgraphs[0].tensors[0].dtype.bytes is None


def test_a_graph_output_that_nobody_writes_is_worth_a_warning() -> None:
    g = Graph()
    g.output("out", (1, 4))
    (warning,) = parse(g).warnings
    assert (warning.what, warning.where) == (
        "graph output is written by no operator",
        "m.tflite · subgraph 0 · tensor 0 'out'",
    )


def test_a_constant_that_is_too_short_is_worth_a_warning() -> None:
    g = Graph()
    g.tensor("w", (1, 4), "INT32", data=b"\0" * 15)
    (warning,) = parse(g).warnings
    assert warning.what == "constant has 15 bytes, its shape needs 16"


@pytest.mark.parametrize(("shape", "count"), [((1, 0), 1), ((0, 4), 1), ((0,), 0), ((), 0), ((1, 4), 0)])
def test_an_output_that_tflm_takes_for_a_dynamic_tensor_is_a_warning(shape: tuple[int, ...], count: int) -> None:
    g = Graph()
    x = g.input("in", shape, "FLOAT32")
    g.op("RELU", [x], [g.output("out", shape, "FLOAT32")])
    warnings = [found.what for found in parse_model(build(g), "m.tflite").warnings]
    assert len([what for what in warnings if "AllocateTensors() refuses" in what]) == count


def test_a_model_without_tensors_is_a_warning() -> None:
    (warning,) = parse_model(build(Graph()), "m.tflite").warnings
    assert "no tensor" in warning.what
