"""Graphs that make no sense: every fault with its exact text and place."""

from __future__ import annotations

import pytest

from arena_codegen.errors import ModelError
from arena_codegen.model.reader import parse_model
from tests.support.models import Graph, build


def faults(*graphs: Graph, **rest: object) -> list[str]:
    """`what @ where` of everything that is wrong with this model; the file's name is left out."""
    with pytest.raises(ModelError) as caught:
        parse_model(build(*graphs, **rest), "m.tflite")
    return [f"{finding.what} @ {finding.where.removeprefix('m.tflite · ')}" for finding in caught.value.findings]


def pair(shape: tuple[int, ...] = (1, 4)) -> tuple[Graph, int, int]:
    g = Graph()
    return g, g.input("in", shape), g.output("out", shape)


def test_an_operator_that_reads_what_a_later_one_writes_names_both() -> None:
    g, x, y = pair()
    a = g.tensor("a", (1, 4))
    g.op("ADD", [x, a], [y])
    g.op("RELU", [x], [a])
    assert faults(g) == [
        "operator reads a tensor that a later one, op 1 RELU, writes @ subgraph 0 · op 0 ADD · tensor 2 'a'"
    ]


def test_an_operator_that_reads_its_own_output_is_refused() -> None:
    g, x, y = pair()
    g.op("ADD", [x, y], [y])
    assert faults(g) == ["operator reads its own output @ subgraph 0 · op 0 ADD · tensor 1 'out'"]


def test_a_tensor_that_nothing_writes_cannot_be_read() -> None:
    g, x, y = pair()
    g.op("ADD", [x, g.tensor("nobody", (1, 4))], [y])
    assert faults(g) == ["operator reads a tensor that nothing writes @ subgraph 0 · op 0 ADD · tensor 2 'nobody'"]


def test_a_tensor_with_two_producers_names_both() -> None:
    g, x, y = pair()
    g.op("RELU", [x], [y])
    g.op("RELU6", [x], [y])
    assert faults(g) == [
        "operator writes a tensor that op 0 RELU writes already @ subgraph 0 · op 1 RELU6 · tensor 1 'out'"
    ]


def test_an_operator_that_names_one_output_twice_is_refused() -> None:
    g, x, y = pair()
    g.op("SPLIT", [x], [y, y])
    assert faults(g) == [
        "operator writes a tensor that op 0 SPLIT writes already @ subgraph 0 · op 0 SPLIT · tensor 1 'out'"
    ]


def test_an_operator_cannot_write_a_constant() -> None:
    g, x, _ = pair()
    g.op("RELU", [x], [g.constant("w", [[1, 2]])])
    assert faults(g) == ["operator writes a constant @ subgraph 0 · op 0 RELU · tensor 2 'w'"]


def test_an_operator_cannot_write_a_graph_input() -> None:
    g, x, _ = pair()
    g.op("RELU", [x], [x])
    assert faults(g)[0] == "operator writes an input of its subgraph @ subgraph 0 · op 0 RELU · tensor 0 'in'"


@pytest.mark.parametrize(
    ("inputs", "outputs", "what"),
    [
        ([99], [1], "inputs[0] names tensor 99, the subgraph has 2 tensor(s)"),
        ([0, -2], [1], "inputs[1] names tensor -2, the subgraph has 2 tensor(s)"),
        ([0], [2], "outputs[0] names tensor 2, the subgraph has 2 tensor(s)"),
        ([0], [-1], "outputs[0] names tensor -1, the subgraph has 2 tensor(s)"),
    ],
)
def test_an_operator_names_tensors_that_exist(inputs: list[int], outputs: list[int], what: str) -> None:
    g, _, _ = pair()
    g.op("RELU", inputs, outputs)
    assert faults(g) == [f"{what} @ subgraph 0 · op 0 RELU"]


def test_intermediates_exist_too() -> None:
    g, x, y = pair()
    g.op("RELU", [x], [y], intermediates=[-1, 5])
    assert faults(g) == ["intermediates[1] names tensor 5, the subgraph has 2 tensor(s) @ subgraph 0 · op 0 RELU"]


@pytest.mark.parametrize("index", [-1, 2])
def test_a_subgraph_names_tensors_that_exist(index: int) -> None:
    g, _, _ = pair()
    g.inputs, g.outputs = [index], [0, index]
    assert faults(g) == [
        f"inputs[0] names tensor {index}, the subgraph has 2 tensor(s) @ subgraph 0",
        f"outputs[1] names tensor {index}, the subgraph has 2 tensor(s) @ subgraph 0",
    ]


def test_a_tensor_names_a_buffer_that_exists() -> None:
    g = Graph()
    g.tensor("w", (1,), buffer=77)
    assert faults(g) == ["tensor names buffer 77, the file has 1 buffer(s) @ subgraph 0 · tensor 0 'w'"]


def test_buffer_0_must_exist_too() -> None:
    g = Graph()
    g.tensor("x", (1,))
    assert faults(g, buffers=False) == ["tensor names buffer 0, the file has 0 buffer(s) @ subgraph 0 · tensor 0 'x'"]


def test_metadata_names_a_buffer_that_exists() -> None:
    assert faults(Graph(), metadata=[("note", 9)]) == [
        "metadata names buffer 9, the file has 1 buffer(s) @ metadata 0 'note'"
    ]


def test_an_operator_has_a_code_that_exists() -> None:
    g, x, y = pair()
    g.op("RELU", [x], [y], opcode_index=5)
    assert faults(g) == [
        "op cannot be read: field opcode_index is 5, the file has 0 operator codes @ subgraph 0 · op 0"
    ]


def test_a_negative_code_is_no_operator() -> None:
    g, x, y = pair()
    g.op("RELU", [x], [y], code=-3)
    assert faults(g) == [
        "operator code cannot be read: field builtin_code is -3 @ operator code 0",
        "op cannot be read: field opcode_index is 0, an operator code that cannot be read @ subgraph 0 · op 0",
    ]


def test_a_signature_names_a_subgraph_and_tensors_that_exist() -> None:
    g, _, _ = pair()
    signatures = [("serve", 3, {}, {}), ("go", 0, {"x": 0}, {"y": 2})]
    assert faults(g, signatures=signatures) == [
        "subgraph_index is 3, the file has 1 subgraph(s) @ signature 0 'serve'",
        "outputs 'y' names tensor 2, the subgraph has 2 tensor(s) @ signature 1 'go'",
    ]


@pytest.mark.parametrize("dtype", ["STRING", "VARIANT", 19, 21])
def test_a_tensor_without_a_fixed_size_cannot_lie_in_the_arena(dtype: str | int) -> None:
    g = Graph()
    g.tensor("unused", (1,), dtype)
    name = {19: "INT2", 21: "FLOAT8_E4M3FN"}.get(dtype, dtype) if isinstance(dtype, int) else dtype
    assert faults(g) == [
        f"{name} tensor has no fixed size, so it cannot lie in an arena @ subgraph 0 · tensor 0 'unused'"
    ]


def test_an_element_type_from_the_future_is_named_by_its_number() -> None:
    g = Graph()
    g.tensor("x", (1,), 42)
    assert faults(g) == ["element type 42 is not known @ subgraph 0 · tensor 0 'x'"]


def test_a_tensor_of_more_than_2_gib_is_refused() -> None:
    g = Graph()
    g.tensor("large", (65536, 65536), "FLOAT32")
    g.tensor("fits", (2**31 - 1,), "INT8")
    g.tensor("just not", (2**29,), "FLOAT32")
    assert faults(g) == [
        "tensor needs 17179869184 bytes, more than 2 GiB (at most 2147483647) @ subgraph 0 · tensor 0 'large'",
        "tensor needs 2147483648 bytes, more than 2 GiB (at most 2147483647) @ subgraph 0 · tensor 2 'just not'",
    ]


def test_a_variable_cannot_be_a_constant() -> None:
    g = Graph()
    g.constant("state", [1], variable=True)
    assert faults(g) == ["variable tensor also has a constant value, buffer 1 @ subgraph 0 · tensor 0 'state'"]


@pytest.mark.parametrize(
    ("shape", "signature", "what", "option"),
    [
        ((1, 1, 1, 3), (1, -1, -1, 3), "dimensions 1 and 2 are -1", "in=1,N,N,3 with numbers for N"),
        ((-1, 4), None, "dimension 0 is -1", "in=1,4"),
        ((2, 4), (-1, 4), "dimension 0 is -1", "in=1,4"),
        ((1, -1, 5), (-1, -1, 5), "dimension 1 is -1", "in=1,N,5 with numbers for N"),
        ((1, -1, -3), None, "dimension 1 is -1, dimension 2 is -3", "in=1,N,N with numbers for N"),
    ],
)
def test_an_open_dimension_is_named_with_what_would_fix_it(
    shape: tuple[int, ...], signature: tuple[int, ...] | None, what: str, option: str
) -> None:
    g = Graph()
    g.input("in", shape, signature=signature)
    with pytest.raises(ModelError) as caught:
        parse_model(build(g), "m.tflite")
    (finding,) = caught.value.findings
    assert finding.what == f"tensor has no fixed size: {what}"
    assert finding.where == "m.tflite · subgraph 0 · tensor 0 'in'"
    assert finding.hint.endswith(f"or pass --shape {option}")


def test_an_open_dimension_names_the_operator_that_makes_it_and_the_input_to_begin_with() -> None:
    g = Graph()
    x = g.input("my in", (1, 1), signature=(1, -1))
    g.op("RELU", [x], [g.output("out", (1, 1), signature=(1, -1))])
    with pytest.raises(ModelError) as caught:
        parse_model(build(g), "m.tflite")
    last = caught.value.findings[1]
    assert last.where == "m.tflite · subgraph 0 · op 0 RELU · tensor 1 'out'"
    assert last.hint == "fix the size when converting the model, or pass --shape 'my in=1,N' with numbers for N"


def test_a_signature_of_another_rank_is_no_size() -> None:
    g = Graph()
    g.input("in", (), signature=(-1, 4))
    assert faults(g) == [
        "tensor has no fixed size: shape_signature has 2 dimensions, shape has 0 @ subgraph 0 · tensor 0 'in'"
    ]


def test_a_reshape_that_does_not_work_out_stays_open() -> None:
    g = Graph()
    x = g.input("in", (1, 7))
    g.op("RESHAPE", [x], [g.output("out", (2, -1))], new_shape=[2, -1])
    assert faults(g) == ["tensor has no fixed size: dimension 1 is -1 @ subgraph 0 · op 0 RESHAPE · tensor 1 'out'"]


def test_a_very_long_name_is_shown_by_its_beginning() -> None:
    g = Graph()
    g.tensor("x" * 5000, (1,), "STRING")
    (fault,) = faults(g)
    assert len(fault) < 300
