"""The layout: what it says of a plan, and that its JSON gives it back."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from arena_codegen.errors import FitError, ModelError, UsageError
from arena_codegen.layout import Layout, layout_from_json, layout_to_json
from arena_codegen.layout.types import Amount
from arena_codegen.model.reader import parse_model
from arena_codegen.options import PlanOptions
from arena_codegen.pipeline import plan_layout
from tests.support import models
from tests.support.model_builder import Graph, build
from tests.support.operator_models import one

CONTRACT_KEYS = """schema tool model options strategy optimal alignment warnings peak lower_bound naive linear greedy
fragmentation peak_scope peak_operator arena_bytes constants variables unknown_scratch
tensors buffers operators""".split()


def planned(data: bytes, **options: Any) -> Layout:
    return plan_layout(parse_model(data, "m.tflite"), PlanOptions(**({"kernels": "none"} | options)))


def test_the_json_has_the_keys_of_the_contract_in_its_order() -> None:
    data = json.loads(layout_to_json(planned(models.residual())))
    assert [key for key in data if key in CONTRACT_KEYS] == CONTRACT_KEYS
    assert set(data["model"]) >= {"file", "sha256", "bytes", "subgraphs", "operators"}
    assert set(data["tensors"][0]) == set("subgraph tensor name dtype shape role bytes producer readers buffer".split())
    assert set(data["operators"][0]) == set("index subgraph name scope inputs outputs live".split())
    assert set(data["buffers"][0]) >= set(
        "index kind subgraph tensor operator name role dtype shape bytes size first last offset shares".split()
    )


@pytest.mark.parametrize("name", ["residual", "if_model", "svdf_model", "orphans", "zero_dimension", "depthwise_cnn"])
def test_the_json_gives_the_layout_back(name: str) -> None:
    layout = planned(getattr(models, name)(), keep=(), align=32)
    again = layout_from_json(layout_to_json(layout), "m.json")
    assert layout_to_json(again) == layout_to_json(layout)
    assert again == replace(layout, options=again.options)


def test_the_json_has_one_row_of_a_table_a_line() -> None:
    text = layout_to_json(planned(models.residual()))
    assert sum('"kind": "tensor"' in line for line in text.splitlines()) == 4
    assert all(line.count('"kind"') <= 1 for line in text.splitlines())
    assert text.isascii()
    assert text.endswith("}\n")


def test_the_peak_step_is_the_first_of_the_tallest() -> None:
    layout = planned(models.residual())
    assert (layout.peak, layout.lower_bound, layout.optimal) == (384, 384, True)
    assert (layout.peak_scope, layout.peak_operator) == (3, 2)
    by_offset = sorted(layout.buffers[1:], key=lambda row: row.offset)
    assert [row.name for row in layout.alive(3)] == [row.name for row in by_offset]
    assert layout.fragmentation == 0


def test_of_equal_steps_one_with_an_operator_is_the_peak() -> None:
    layout = planned(models.chain(3), kernels="reference")
    assert (layout.peak, layout.peak_scope, layout.peak_operator) == (16, 1, 0)


def test_live_bytes_cover_scope_minus_1_where_orphans_live() -> None:
    layout = planned(models.orphans())
    assert layout.live_bytes() == {-1: 656, 0: 16, 1: 32}
    assert (layout.peak, layout.peak_scope, layout.peak_operator) == (656, -1, None)


def test_the_peak_operator_of_a_called_subgraph_counts_on_after_the_main_one() -> None:
    layout = planned(models.if_model())
    assert layout.peak_operator is not None
    row = layout.operators[layout.peak_operator]
    assert (row.subgraph, row.index, row.name) == (1, 0, "ADD")


def test_constants_of_one_buffer_count_once() -> None:
    g = models.Graph()
    x = g.input("x", (1, 4), "FLOAT32")
    one = g.constant("one", [[1, 2, 3, 4]], "FLOAT32")
    middle = g.tensor("middle", (1, 4), "FLOAT32")
    g.op("ADD", [x, one], [middle])
    g.op("MUL", [middle, one], [g.output("y", (1, 4), "FLOAT32")])
    layout = planned(models.build(g))
    assert (layout.constants.bytes, layout.constants.count) == (16, 1)


def test_filters_and_biases_are_weights_and_shapes_are_not() -> None:
    g = models.Graph()
    x = g.input("x", (1, 8), scale=0.1)
    shape, middle = g.constant("shape", [1, 8], "INT32"), g.tensor("middle", (1, 8), scale=0.1)
    g.op("RESHAPE", [x, shape], [middle], new_shape=[1, 8])
    kernel, bias = g.constant("w", models.weights(1, (4, 8)), scale=0.1), g.constant("b", [0] * 4, "INT32", scale=0.01)
    g.op("FULLY_CONNECTED", [middle, kernel, bias], [g.output("y", (1, 4), scale=0.1)])
    layout = planned(models.build(g))
    assert layout.weights == Amount(32 + 16, 2)
    assert layout.constants == Amount(32 + 16 + 8, 3)


def test_the_shape_of_a_transposed_convolution_is_no_weight() -> None:
    data = one(
        "TRANSPOSE_CONV", ["=INT32 4:1,4,4,2", "=INT8 2,2,2,3@0.1,0", "INT8 1,2,2,3"], ["INT8 1,4,4,2"],
        padding=0, stride_w=2, stride_h=2,
    )  # fmt: skip
    layout = planned(data)
    assert (layout.weights, layout.constants) == (Amount(24, 1), Amount(40, 2))


def test_metadata_is_counted_by_what_its_entries_hold() -> None:
    entries = [("min_runtime_version", b"1.5.0" + bytes(11)), ("notes", b"hello")]
    g = models.Graph()
    x = g.input("x", (1, 4), scale=0.1)
    g.op("RELU", [x], [g.output("y", (1, 4), scale=0.1)])
    assert planned(build(g, metadata=entries)).metadata == Amount(21, 2)


def test_a_layout_from_before_weights_metadata_and_reasons_is_read() -> None:
    new = planned(models.depthwise_cnn())
    data = json.loads(layout_to_json(new))
    for key in ("weights", "metadata", "peak_reason"):
        del data[key]
    old = layout_from_json(json.dumps(data), "old.json")
    assert (old.weights, old.metadata, old.peak_reason) == (None, None, "")
    assert json.loads(layout_to_json(old)) == data | {"peak_reason": ""}


def test_the_reason_at_the_peak_is_that_of_the_kernel() -> None:
    taps = "=INT8 8,1,1,4@0.1,0*8/0"
    data = one(
        "CONV_2D", ["INT8 1,9,8,4", taps, "=INT32 8"], ["INT8 1,9,8,8"],
        padding=0, stride_w=1, stride_h=1, dilation_w_factor=1, dilation_h_factor=1,
    )  # fmt: skip
    reason = planned(data, kernels="cmsis-nn", overlap=True).peak_reason
    assert "CMSIS-NN reads all pixels for each output channel" in reason
    assert planned(data, kernels="cmsis-nn", strategy="naive").peak_reason == "nothing may share bytes"
    assert planned(models.orphans()).peak_reason == ""


def test_a_variable_counts_as_state_and_has_no_buffer() -> None:
    layout = planned(models.svdf_model())
    states = [row for row in layout.tensors if row.role == "variable"]
    assert (layout.variables.bytes, layout.variables.count) == (sum(row.bytes for row in states), len(states))
    assert all(row.buffer is None for row in states)


def test_an_arena_of_a_size_of_its_own_must_hold_the_plan() -> None:
    assert planned(models.residual(), arena=1000).arena_bytes == 1000
    with pytest.raises(FitError, match="--arena 383: the plan alone needs 384 bytes"):
        planned(models.residual(), arena=383)


@pytest.mark.parametrize("arena", [0, "plan"])
def test_an_arena_has_a_byte_at_least_since_c_has_no_empty_array(arena: int | str) -> None:
    assert planned(build(Graph()), arena=arena).arena_bytes == 1


def test_an_arena_with_the_tail_of_tflm_needs_a_known_tail() -> None:
    with pytest.raises(UsageError, match="--arena tflm: TFLM's tail is not known with --kernels none"):
        planned(models.residual(), arena="tflm")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "not a layout: "),
        ("[]", "not a layout of schema 1"),
        ('{"schema": 2}', "not a layout of schema 1: its schema is 2"),
        ('{"schema": 1}', "not a whole layout: KeyError('model')"),
    ],
)
def test_what_is_no_layout_is_refused_with_its_place(text: str, what: str) -> None:
    with pytest.raises(ModelError) as caught:
        layout_from_json(text, "old.json")
    assert caught.value.findings[0].what.startswith(what)
    assert caught.value.findings[0].where == "old.json"


def test_a_layout_with_a_number_that_is_none_is_refused() -> None:
    text = layout_to_json(planned(models.residual())).replace('"offset": 0', '"offset": "0"', 1)
    with pytest.raises(ModelError, match=r"buffers\[\d\].offset is '0', not an integer"):
        layout_from_json(text, "old.json")
