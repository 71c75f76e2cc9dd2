"""TFLM's tail and the smallest arena that boots, in a layout."""

from __future__ import annotations

import pytest

from arena_codegen.emit.header import render_header
from arena_codegen.layout import Layout
from arena_codegen.layout.json import layout_data, layout_from_json, layout_to_json
from arena_codegen.model.offline_plan import NAME, offline_plan_bytes
from arena_codegen.model.reader import parse_model
from arena_codegen.options import PlanOptions
from arena_codegen.pipeline import plan_layout
from tests.support.model_builder import Graph, build
from tests.support.models import call_once_model, svdf_model
from tests.support.operator_models import operator_models


def _layout(data: bytes, **options: object) -> Layout:
    return plan_layout(parse_model(data, "one.tflite"), PlanOptions(**options))  # type: ignore[arg-type]


def test_items_add_up_to_the_tail() -> None:
    for data in (operator_models()["CONV_2D 3x3"], svdf_model(), call_once_model()):
        tail = _layout(data).tail
        assert tail is not None
        assert sum(item.bytes for item in tail.items) == tail.bytes


def test_the_arena_holds_what_tflm_needs_where_its_tail_is_known() -> None:
    layout = _layout(operator_models()["CONV_2D 3x3"])
    assert layout.tail is not None
    assert layout.arena_bytes == layout.tail.min_arena
    assert layout.tail.min_arena >= layout.peak + layout.tail.bytes


def test_planned_memory_saves_the_greedy_planner() -> None:
    tail = _layout(operator_models()["CONV_2D 3x3"]).tail
    assert tail is not None
    assert 32 <= tail.greedy.bytes - tail.bytes <= 48
    assert tail.min_arena < tail.greedy.min_arena


def test_wishes_of_the_user_do_not_change_tflm_as_shipped() -> None:
    data = operator_models()["CONV_2D 3x3"]
    plain, wished = _layout(data).tail, _layout(data, align=64, keep=("0",), segment="io").tail
    assert plain is not None
    assert wished is not None
    assert plain.greedy == wished.greedy


@pytest.mark.parametrize("kernels", ["none", "cmsis-nn-4.0"])
def test_kernels_that_tflm_of_today_has_not_have_no_tail(kernels: str) -> None:
    layout = _layout(operator_models()["CONV_2D 3x3"], kernels=kernels)
    assert layout.tail is None
    assert layout.arena_bytes == layout.peak


def test_resource_variables_are_counted_once_and_their_table_is_named() -> None:
    layout = _layout(call_once_model())
    assert layout.tail is not None
    items = {item.what: item for item in layout.tail.items}
    assert (items["resource variables"].count, items["resource variables"].bytes) == (1, 16)
    assert any("the table of 1 resource variables" in warning.what for warning in layout.warnings)


def test_variables_lie_in_the_tail() -> None:
    layout = _layout(svdf_model())
    assert layout.tail is not None
    assert {item.what: item.count for item in layout.tail.items}["variables"] == 1


def test_an_unknown_kernel_leaves_the_tail_out_and_says_how_to_measure_it() -> None:
    from tests.support.operator_models import one

    layout = _layout(one("MyOp", ["INT8 1,4"], ["INT8 1,4"], custom=b""))
    assert layout.tail is None
    note = next(warning for warning in layout.warnings if "tail is not known" in warning.what)
    assert "MyOp" in note.what
    assert "arena_used_bytes()" in note.hint


def _with_plan(*offsets: int) -> bytes:
    g = Graph()
    x = g.input("in", (1, 4), "FLOAT32")
    g.op("RELU", [x], [g.output("out", (1, 4), "FLOAT32")])
    return build(g, metadata=[(NAME, offline_plan_bytes(1, offsets))])


@pytest.mark.parametrize(
    ("offsets", "why"),
    [((0,), "is broken"), ((0, -2), "is broken"), ((0, 17), "FLOAT32 at 17"), ((0, 2**31 - 160), "needs 21474838")],
)
def test_an_arena_for_tflm_as_shipped_is_unknown_where_the_models_own_plan_is_useless(
    offsets: tuple[int, ...], why: str
) -> None:
    layout = _layout(_with_plan(*offsets))
    assert layout.tail is not None
    assert layout.tail.greedy is None
    (warning,) = [found for found in layout.warnings if "TFLM as shipped" in found.what]
    assert why in warning.what
    assert "GREEDY_ARENA_SIZE" not in render_header(layout, prefix="m")
    assert "greedy" not in layout_data(layout)["tail"]
    assert layout_from_json(layout_to_json(layout), "m.json").tail == layout.tail


def test_a_sound_plan_in_the_model_says_what_tflm_as_shipped_needs() -> None:
    tail = _layout(_with_plan(1024, 0)).tail
    assert tail is not None
    assert tail.greedy is not None
    assert tail.greedy.arena_used == tail.greedy.bytes + 1040


def test_an_arena_in_which_temporaries_are_overwritten_unnoticed_is_named() -> None:
    quiet, loud = _layout(operator_models()["CONV_2D 3x3"]), _layout(operator_models()["SOFTMAX int16"])
    assert [bool([w for w in one.warnings if "unnoticed" in w.what]) for one in (quiet, loud)] == [False, True]
