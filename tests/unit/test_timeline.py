"""Lifetimes are counted exactly as TFLM's allocator counts them."""

from __future__ import annotations

import pytest

from arena_codegen.errors import ModelError
from arena_codegen.model.reader import parse_model
from arena_codegen.timeline import Timeline, lay_timeline
from tests.support import models
from tests.support.models import Graph, build


def lives(data: bytes) -> tuple[Timeline, dict[str, tuple[int, int]]]:
    """The timeline, and (first, last) by `subgraph:name`."""
    model = parse_model(data, "m.tflite")
    timeline = lay_timeline(model)
    return timeline, {
        f"{graph.index}:{tensor.name}": (life.first, life.last)
        for graph in model.subgraphs
        for tensor, life in zip(graph.tensors, timeline.lives[graph.index], strict=True)
    }


def roles(data: bytes) -> dict[str, str]:
    model = parse_model(data, "m.tflite")
    timeline = lay_timeline(model)
    return {
        f"{graph.index}:{tensor.name}": life.role
        for graph in model.subgraphs
        for tensor, life in zip(graph.tensors, timeline.lives[graph.index], strict=True)
    }


def test_a_tensor_lives_from_its_producer_to_its_last_reader() -> None:
    _, life = lives(models.residual())
    assert life == {"0:in": (0, 1), "0:a": (1, 3), "0:b": (2, 3), "0:out": (3, 3)}


def test_an_output_that_is_read_again_lives_to_the_end() -> None:
    g = Graph()
    x = g.input("in", (1, 4), "FLOAT32")
    early = g.output("early", (1, 4), "FLOAT32")
    middle, late = g.tensor("middle", (1, 4), "FLOAT32"), g.output("late", (1, 4), "FLOAT32")
    g.op("NEG", [x], [early])
    g.op("NEG", [early], [middle])
    g.op("NEG", [middle], [late])
    timeline, life = lives(build(g))
    assert life["0:early"] == (1, 3)
    assert timeline.end == 3


def test_an_input_that_nobody_reads_lives_at_scope_0() -> None:
    g = Graph()
    g.input("unread", (1, 4), "FLOAT32")
    x = g.input("in", (1, 4), "FLOAT32")
    g.op("NEG", [x], [g.output("out", (1, 4), "FLOAT32")])
    assert lives(build(g))[1]["0:unread"] == (0, 0)


def test_an_output_that_nobody_reads_lives_while_its_operator_runs() -> None:
    _, life = lives(models.dead_outputs())
    assert life["0:part0"] == life["0:part2"] == (1, 1)
    assert life["0:part1"] == (1, 2)


def test_a_tensor_that_no_operator_uses_has_scope_minus_1() -> None:
    _, life = lives(models.orphans())
    assert life["0:orphan/a"] == life["0:orphan/b"] == (-1, -1)


def test_the_branches_of_an_if_follow_each_other_inside_its_span() -> None:
    timeline, life = lives(models.if_model())
    # scope 1 is the IF, 2 opens then (ops in 3 and 4), 5 opens else (op in 6)
    assert timeline.steps == (None, (0, 0), (0, 0), (1, 0), (1, 1), (0, 0), (2, 0))
    assert (timeline.spans[0][0].first, timeline.spans[0][0].last) == (1, 6)
    assert life["0:a"] == (0, 6)
    assert life["0:out"] == (1, 6)
    assert life["1:a"] == (2, 3)
    assert life["1:sum"] == (3, 4)
    assert life["1:negative"] == (4, 4)
    assert life["2:product"] == (6, 6)


def test_a_while_runs_its_condition_then_its_body() -> None:
    timeline, life = lives(models.while_model())
    assert timeline.steps == (None, (0, 0), (0, 0), (1, 0), (0, 0), (2, 0))
    assert life["0:x"] == (0, 5)
    assert life["1:x"] == (2, 3)
    assert life["2:next"] == (5, 5)


def test_call_once_opens_a_scope_for_its_subgraph() -> None:
    timeline, _ = lives(models.call_once_model())
    assert timeline.steps[:3] == (None, (0, 0), (0, 0))
    assert (1, 0) in timeline.steps


def test_a_subgraph_that_is_called_twice_gets_one_merged_lifetime() -> None:
    _, life = lives(models.shared_callee())
    # first call: IF 1, then 2 (NEG 3), else 4 (ABS 5); second call: IF 6, then 7 (NEG 8), else 9 (ABS 10)
    assert life["1:x"] == (2, 8)
    assert life["1:y"] == (3, 8)
    assert life["2:y"] == (5, 10)


def test_roles_name_inputs_outputs_state_and_constants() -> None:
    role = roles(models.svdf_model()) | roles(models.call_once_model())
    assert "variable" in role.values()
    assert role["0:x"] == "input"
    assert role["0:handle"] == "variable"
    assert role["0:before"] == "intermediate"
    assert role["0:after"] == "output"
    assert role["1:three"] == "constant"


def test_references_count_the_reads_still_to_come() -> None:
    model = parse_model(models.residual(), "m.tflite")
    timeline = lay_timeline(model)
    a = next(tensor.index for tensor in model.subgraphs[0].tensors if tensor.name == "a")
    out = model.subgraphs[0].outputs[0]
    assert [timeline.references(0, a, scope) for scope in range(5)] == [2, 2, 2, 1, 0]
    assert timeline.references(0, out, 4) == 1


def test_calls_that_unfold_without_end_are_refused() -> None:
    graphs = [Graph(f"g{level}") for level in range(40)]
    for level, g in enumerate(graphs):
        condition = g.input("condition", (1,), "BOOL")
        out = g.output("out", (1,), "BOOL")
        if level + 1 < len(graphs):
            g.op("IF", [condition, condition], [out], then_subgraph_index=level + 1, else_subgraph_index=level + 1)
        else:
            g.op("LOGICAL_NOT", [condition], [out])
    model = parse_model(build(*graphs), "m.tflite")
    with pytest.raises(ModelError, match="unfold to more than 1000000 steps"):
        lay_timeline(model)
