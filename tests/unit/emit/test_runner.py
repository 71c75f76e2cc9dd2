"""The second generated file says what the model does, from the model and from nothing else."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from arena_codegen.emit.runner import c_string, render_runner
from arena_codegen.layout.types import Layout, ShareRow
from arena_codegen.model.offline_plan import ONLINE
from arena_codegen.model.reader import parse_model
from arena_codegen.model.types import Model
from arena_codegen.model.writer import with_offline_plan
from arena_codegen.options import plan_options
from arena_codegen.pipeline import plan_layout
from tests.support import models
from tests.support.models import Graph, build


def rendered(data: bytes, **wishes: object) -> tuple[str, Model, Layout]:
    model = parse_model(data, "m.tflite")
    layout = plan_layout(model, plan_options(**{"kernels": "none", **wishes}))
    return render_runner(model, (layout,), header="plan.h", prefix="kws"), model, layout


def rows(text: str, array: str) -> list[str]:
    """The rows of an array of the file."""
    body = re.search(rf"\b{array}\[\] = {{\n(.*?)\n}};", text, re.DOTALL)
    assert body is not None, array
    return [line.strip().rstrip(",") for line in body[1].splitlines()]


def spans(text: str, row: str) -> list[list[int]]:
    """The lists that a row's spans name."""
    values = [int(value) for line in rows(text, "lists") for value in line.split(",")]
    return [values[int(at) : int(at) + int(count)] for at, count in re.findall(r"\{(\d+), (\d+)\}", row)]


def test_each_buffer_has_its_name_bytes_size_and_alignment() -> None:
    text, _, _ = rendered(models.scalars(), align=16)
    assert rows(text, "buffers") == [
        '{"a", 4U, 16U, 16U, 0U}',
        '{"b", 4U, 16U, 16U, 0U}',
        '{"out", 4U, 16U, 16U, RUN_TO_END}',
    ]


def test_an_element_is_aligned_whatever_the_option_says() -> None:
    text, _, _ = rendered(models.scalars(), align=1)
    assert rows(text, "buffers")[0] == '{"a", 4U, 4U, 4U, 0U}'


def test_operators_name_what_they_read_and_write() -> None:
    text, _, _ = rendered(models.residual())
    add = rows(text, "operators")[2]
    assert add.startswith('{"op 2 ADD", RUN_PLAIN, ')
    assert spans(text, add) == [[1, 2], [3], [], []]


def test_what_is_not_in_the_arena_is_minus_one() -> None:
    text, _, _ = rendered(models.external_constant())
    assert spans(text, rows(text, "operators")[0])[0] == [0, -1]


def test_control_flow_names_its_kind_and_its_callees() -> None:
    for data, kind, callees in (
        (models.if_model(), "RUN_IF", [1, 2]),
        (models.while_model(), "RUN_WHILE", [1, 2]),
        (models.call_once_model(), "RUN_CALL_ONCE", [1]),
    ):
        text, _, _ = rendered(data)
        row = rows(text, "operators")[0]
        assert f", {kind}, " in row
        assert spans(text, row)[3] == callees


def test_a_custom_operator_that_is_called_like_control_flow_is_plain() -> None:
    g = Graph()
    x = g.input("x", (1, 4))
    g.op("WHILE", [x], [g.output("y", (1, 4))], custom=True)
    text, _, _ = rendered(build(g))
    assert "RUN_PLAIN" in rows(text, "operators")[0]


def test_subgraphs_name_their_operators_inputs_and_outputs() -> None:
    text, model, layout = rendered(models.if_model())
    place = {(row.subgraph, row.tensor): row.index for row in layout.buffers}
    assert [row[:7] for row in rows(text, "graphs")] == ["{{0, 1}", "{{1, 2}", "{{3, 1}"]
    for graph, row in zip(model.subgraphs, rows(text, "graphs"), strict=True):
        ports = [[place[graph.index, tensor] for tensor in tensors] for tensors in (graph.inputs, graph.outputs)]
        assert spans(text, row)[1:] == ports


def test_each_scope_names_its_operator() -> None:
    text, _, _ = rendered(models.if_model())
    assert rows(text, "steps") == ["-1, 0, 0, 1, 2, 0, 3"]


def test_nobody_but_the_model_says_how_long_a_tensor_lives() -> None:
    model = parse_model(models.residual(), "m.tflite")
    layout = plan_layout(model, plan_options(kernels="none"))
    lies = tuple(replace(row, first=0, last=0, size=1, bytes=1) for row in layout.buffers)
    told = [render_runner(model, (of,), header="p.h", prefix="kws") for of in (layout, replace(layout, buffers=lies))]
    texts = [re.sub(r"order_0\[\] = {[^}]*}", "", text) for text in told]
    assert texts[0] == texts[1]


def test_kept_segmented_and_orphaned_tensors_are_flagged() -> None:
    text, _, _ = rendered(models.residual(), keep=["a"])
    assert [row.rpartition(", ")[2] for row in rows(text, "buffers")] == ["0U}", "RUN_TO_END}", "0U}", "RUN_TO_END}"]
    text, _, _ = rendered(models.orphans(), segment="io")
    flags = {row.split(",")[0].strip('{"'): row.rpartition(", ")[2] for row in rows(text, "buffers")}
    assert flags["in"] == flags["out"] == "RUN_FROM_START | RUN_TO_END}"
    assert flags["orphan/a"] == flags["orphan/b"] == "RUN_FROM_START}"


def test_state_that_an_offline_plan_puts_into_the_arena_is_there_before_and_after() -> None:
    model = parse_model(models.svdf_model(), "m.tflite")
    fixed = [64 if tensor.is_variable else ONLINE for tensor in model.subgraphs[0].tensors]
    text, _, layout = rendered(with_offline_plan(model, fixed))
    state = next(row.index for row in layout.buffers if row.role == "variable")
    flags = [row.rpartition(", ")[2] for row in rows(text, "buffers")]
    assert flags == ["RUN_FROM_START | RUN_TO_END}" if at == state else flag for at, flag in enumerate(flags)]
    assert flags.count("RUN_FROM_START | RUN_TO_END}") == 1


def test_shares_stand_by_their_input() -> None:
    model = parse_model(models.residual(), "m.tflite")
    layout = plan_layout(model, plan_options(kernels="none"))
    buffers = list(layout.buffers)
    buffers[3] = replace(buffers[3], shares=(ShareRow(2, "in-place", 0, ""), ShareRow(1, "overlap", 32, "")))
    text = render_runner(model, (replace(layout, buffers=tuple(buffers)),), header="p.h", prefix="kws")
    assert rows(text, "shares_0") == ["{1U, 3U, 0U, 32}", "{2U, 3U, 1U, 0}"]


def test_further_plans_bring_tables_of_their_own() -> None:
    model = parse_model(models.chain(1), "m.tflite")
    layout = plan_layout(model, plan_options(kernels="none"))
    other = replace(layout, buffers=tuple(replace(row, offset=row.offset + 64) for row in layout.buffers), peak=128)
    text = render_runner(model, (layout, other), header="p.h", prefix="kws")
    assert "table_0" not in text
    assert rows(text, "table_1") == [
        f"{{{row.offset}U, {row.bytes}U, {row.first}, {row.last}}}" for row in other.buffers
    ]
    assert rows(text, "plans") == ["{&kws_plan, order_0, NULL, 0U}", "{&plan_1, order_1, NULL, 0U}"]


@pytest.mark.parametrize("name", ['"', "\\", "\n", "\0", "*/", "??/", "é", "# TODO", "a" * 5000])
def test_names_are_harmless_string_literals(name: str) -> None:
    text = c_string(name)
    assert text.isascii()
    assert text.isprintable()
    assert len(text) < 200
    assert re.fullmatch(r'"(?:[^"\\#?*]|\\\\|\\")*"', text)


def test_the_text_is_the_same_each_time() -> None:
    assert rendered(models.shared_callee())[0] == rendered(models.shared_callee())[0]
