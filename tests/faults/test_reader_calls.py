"""Calls between subgraphs that cannot work."""

from __future__ import annotations

import pytest

from arena_codegen.errors import ModelError
from arena_codegen.model.reader import parse_model
from tests.support.models import Graph, build


def faults(*graphs: Graph) -> list[str]:
    """`what @ where` of everything that is wrong with this model; the file's name is left out."""
    with pytest.raises(ModelError) as caught:
        parse_model(build(*graphs), "m.tflite")
    return [f"{finding.what} @ {finding.where.removeprefix('m.tflite · ')}" for finding in caught.value.findings]


def caller(then: int, other: int, shape: tuple[int, ...] = (1, 4)) -> Graph:
    g = Graph("main")
    condition, x = g.input("condition", (1,), "BOOL"), g.input("x", shape)
    g.op("IF", [condition, x], [g.output("y", shape)], then_subgraph_index=then, else_subgraph_index=other)
    return g


def branch(shape: tuple[int, ...] = (1, 4), dtype: str = "INT8") -> Graph:
    g = Graph("branch")
    g.op("RELU", [g.input("a", shape, dtype)], [g.output("b", shape, dtype)])
    return g


def once(callee: int) -> Graph:
    g = Graph()
    g.op("CALL_ONCE", [], [], init_subgraph_index=callee)
    return g


def test_a_callee_must_exist() -> None:
    assert faults(caller(1, 9), branch()) == [
        "else_subgraph_index is 9, the file has 2 subgraph(s) @ subgraph 0 · op 0 IF"
    ]


def test_a_negative_callee_does_not_exist() -> None:
    assert faults(once(-1)) == ["init_subgraph_index is -1, the file has 1 subgraph(s) @ subgraph 0 · op 0 CALL_ONCE"]


def test_a_call_without_options_is_refused() -> None:
    g = Graph()
    g.op("IF", [g.input("condition", (1,), "BOOL")], [], options=None)
    assert faults(g) == ["IF has no options, so which subgraph it calls is not known @ subgraph 0 · op 0 IF"]


def test_a_subgraph_that_calls_itself_is_refused_once() -> None:
    assert faults(caller(0, 0)) == ["subgraph 0 calls itself: 0 → 0 @ subgraph 0 · op 0 IF"]


def test_a_subgraph_that_calls_itself_through_others_names_the_way() -> None:
    assert faults(once(1), once(2), once(1)) == ["subgraph 1 calls itself: 1 → 2 → 1 @ subgraph 2 · op 0 CALL_ONCE"]


def test_recursion_out_of_reach_of_the_main_graph_is_refused_too() -> None:
    assert faults(Graph(), once(2), once(1)) == ["subgraph 1 calls itself: 1 → 2 → 1 @ subgraph 2 · op 0 CALL_ONCE"]


def test_calls_that_nest_without_measure_are_refused() -> None:
    graphs = [once(index + 1) for index in range(70)]
    assert faults(*graphs, Graph()) == ["calls nest 71 subgraphs deep, at most 64 are supported @ m.tflite"]


def test_a_subgraph_that_is_called_from_many_places_is_no_recursion() -> None:
    graphs = [caller(1, 1), branch()]
    graphs[0].op("NEG", [1], [graphs[0].tensor("z", (1, 4))])
    assert parse_model(build(*graphs), "m.tflite").operators == 3


def test_a_caller_passes_as_many_tensors_as_the_callee_takes() -> None:
    other = branch()
    other.inputs.append(other.tensor("more", (1, 4)))
    assert faults(caller(1, 2), branch(), other) == [
        "inputs of the else subgraph: 2 expected, the operator has 1 @ subgraph 0 · op 0 IF"
    ]


def test_a_caller_passes_tensors_of_the_size_that_the_callee_takes() -> None:
    assert faults(caller(1, 2), branch(), branch((1, 5))) == [
        "inputs of the else subgraph: number 0 is INT8 of 5 bytes there, INT8 of 4 bytes here @ subgraph 0 · op 0 IF",
        "outputs of the else subgraph: number 0 is INT8 of 5 bytes there, INT8 of 4 bytes here @ subgraph 0 · op 0 IF",
    ]


def test_a_caller_passes_tensors_of_the_type_that_the_callee_takes() -> None:
    assert faults(caller(1, 2), branch(dtype="UINT8"), branch())[0] == (
        "inputs of the then subgraph: number 0 is UINT8 of 4 bytes there, INT8 of 4 bytes here @ subgraph 0 · op 0 IF"
    )


def test_a_condition_is_one_bool() -> None:
    g = caller(1, 1)
    g.tensors[0].shape = (2,)
    assert faults(g, branch()) == ["condition is no single BOOL but BOOL of 2 elements @ subgraph 0 · op 0 IF"]


def test_a_call_cannot_leave_an_input_out() -> None:
    g = caller(1, 1)
    g.ops[0].inputs = [0, -1]
    assert faults(g, branch()) == ["IF cannot leave an input out @ subgraph 0 · op 0 IF"]


def loop(condition: Graph, body: Graph, outputs: int = 1) -> Graph:
    g = Graph("main")
    x = g.input("x", (1, 4))
    found = [g.tensor("y", (1, 4)) for _ in range(outputs)]
    g.op("WHILE", [x], found, cond_subgraph_index=1, body_subgraph_index=2)
    return g


def test_the_condition_of_a_loop_returns_a_bool() -> None:
    assert faults(loop(branch(), branch()), branch(), branch()) == [
        "result of the condition is no single BOOL but INT8 of 4 elements @ subgraph 0 · op 0 WHILE"
    ]


def test_a_loop_returns_as_much_as_it_takes() -> None:
    condition = Graph()
    condition.input("x", (1, 4))
    condition.outputs = [condition.constant("go", [True], "BOOL")]
    assert faults(loop(condition, branch(), outputs=2), condition, branch()) == [
        "outputs of the body: 1 expected, the operator has 2 @ subgraph 0 · op 0 WHILE",
        "inputs of WHILE itself: 1 expected, the operator has 2 @ subgraph 0 · op 0 WHILE",
    ]


def test_call_once_takes_and_returns_nothing() -> None:
    g = Graph()
    g.op("CALL_ONCE", [g.input("x", (1,))], [], init_subgraph_index=1)
    assert faults(g, Graph()) == ["CALL_ONCE takes no inputs and has no outputs @ subgraph 0 · op 0 CALL_ONCE"]


def test_a_call_that_only_the_old_field_names_is_warned_of() -> None:
    main = Graph("main")
    condition, x = main.input("condition", (1,), "BOOL"), main.input("x", (1, 4))
    y = main.output("y", (1, 4))
    main.op("IF", [condition, x], [y], form="old", then_subgraph_index=1, else_subgraph_index=1)
    (warning,) = parse_model(build(main, branch()), "m.tflite").warnings
    assert warning.what == (
        "IF stands in the old field of its operator code alone: TFLM gives what it calls no lifetimes"
    )
    assert warning.where == "m.tflite · subgraph 0 · op 0 IF"
