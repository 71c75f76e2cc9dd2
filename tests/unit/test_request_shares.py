"""Who may take over whose bytes: lifetimes, wishes, and what the planner and the layout make of it."""

from __future__ import annotations

from typing import Any

import pytest

from arena_codegen.errors import UsageError
from arena_codegen.kernels import library
from arena_codegen.kernels.base import KernelLibrary, ShareRule, no_scratch
from arena_codegen.layout import layout_from_json, layout_to_json
from arena_codegen.layout.types import Layout
from arena_codegen.model.reader import parse_model
from arena_codegen.options import PlanOptions, plan_options
from arena_codegen.pipeline import plan_layout
from arena_codegen.requests import Requests, collect, to_problem
from arena_codegen.timeline import lay_timeline
from tests.support import models
from tests.support.model_builder import Graph, build, weights


def requests(data: bytes, kernels: KernelLibrary | None = None, **wishes: Any) -> Requests:
    model = parse_model(data, "m.tflite")
    options = plan_options(**{"kernels": "reference", **wishes})
    return collect(model, lay_timeline(model), kernels or library(options.kernels, options.target), options)


def pairs(data: bytes, **wishes: Any) -> list[tuple[str, str, str]]:
    """(input, output, rule) by the tensors' names."""
    made = requests(data, **wishes)
    return [(made.rows[share.input].name, made.rows[share.output].name, share.rule) for share in made.shares]


def layout(data: bytes, **wishes: Any) -> Layout:
    return plan_layout(
        parse_model(data, "m.tflite"), plan_options(**{"kernels": "reference", "arena": "plan", **wishes})
    )


def test_every_link_of_a_chain_may_be_taken_over_the_graphs_input_too() -> None:
    data = models.chain(3)
    assert pairs(data) == [("in", "t0", "in-place"), ("t0", "t1", "in-place"), ("t1", "out", "in-place")]
    assert layout(data).peak == 16


def test_a_chain_through_views_stays_in_its_place() -> None:
    g = Graph()
    x = g.input("x", (1, 4, 8), scale=0.1)
    a, b = g.tensor("a", (32,), scale=0.1), g.tensor("b", (32,), scale=0.1)
    shape, back = g.constant("shape", [32], "INT32"), g.constant("back", [1, 4, 8], "INT32")
    g.op("RESHAPE", [x, shape], [a], new_shape=[32])
    g.op("RELU", [a], [b])
    g.op("RESHAPE", [b, back], [g.output("y", (1, 4, 8), scale=0.1)], new_shape=[1, 4, 8])
    found = layout(build(g))
    assert (found.peak, found.optimal) == (32, True)
    assert {row.offset for row in found.buffers} == {0}
    assert (found.naive, found.greedy) == (128, 64)


def test_without_in_place_and_overlap_nothing_is_shared() -> None:
    data = models.chain(3)
    assert pairs(data, in_place=False) == []
    assert to_problem(requests(data, in_place=False)).shares == {}
    assert layout(data, in_place=False).peak == 32


@pytest.mark.parametrize("strategy", ["greedy", "linear", "naive"])
def test_simple_strategies_never_share(strategy: str) -> None:
    assert pairs(models.chain(3), strategy=strategy, overlap=True) == []
    assert layout(models.chain(3), strategy=strategy).peak > 16


def test_with_overlap_an_element_wise_output_may_lie_below_its_input_too() -> None:
    assert {rule for _, _, rule in pairs(models.chain(2), overlap=True)} == {"overlap"}


def test_no_in_place_keeps_element_wise_operators_apart_with_overlap_too() -> None:
    found = pairs(models.depthwise_cnn(), overlap=True, in_place=False)
    assert ("image", "conv", "overlap") in found
    assert not {source for source, _, _ in found} & {"pool", "dense"}


def test_a_tensor_that_is_read_again_later_is_not_taken_over() -> None:
    assert pairs(models.residual()) == [("in", "a", "in-place"), ("a", "out", "in-place"), ("b", "out", "in-place")]


def test_either_input_of_an_operator_may_be_taken_over_but_not_both_at_once() -> None:
    found = layout(models.residual())
    a, b, out = (next(row for row in found.buffers if row.name == name) for name in ("a", "b", "out"))
    assert found.peak == 256
    assert a.offset != b.offset
    assert out.offset in (a.offset, b.offset)
    assert [share.index for share in out.shares] == [a.index, b.index]


def test_a_tensor_that_the_caller_reads_is_not_taken_over() -> None:
    g = Graph()
    x, a = g.input("x", (1, 16), scale=0.1), g.output("a", (1, 16), scale=0.1)
    g.op("RELU", [x], [a])
    g.op("RELU6", [a], [g.output("b", (1, 16), scale=0.1)])
    assert pairs(build(g)) == [("x", "a", "in-place")]


def test_an_input_that_is_an_output_too_is_not_taken_over() -> None:
    g = Graph()
    x = g.input("x", (1, 16), scale=0.1)
    g.op("RELU", [x], [g.output("y", (1, 16), scale=0.1)])
    g.outputs.append(x)
    assert pairs(build(g)) == []


def test_one_tensor_as_both_inputs_may_be_taken_over_where_both_permit_it() -> None:
    g = Graph()
    x = g.input("x", (1, 16), scale=0.1)
    g.op("ADD", [x, x], [g.output("y", (1, 16), scale=0.1)])
    assert pairs(build(g)) == [("x", "y", "in-place")]


def test_a_tensor_that_is_read_in_a_place_without_permission_is_not_taken_over() -> None:
    def only_first(subgraph: Any, operator: Any) -> tuple[ShareRule, ...]:
        return (ShareRule(0, 0, "in-place", 0, "the first input alone"),)

    kernels = KernelLibrary("none", "made up", "ARENA_KERNELS_NONE", no_scratch, only_first)
    g = Graph()
    x = g.input("x", (1, 16), scale=0.1)
    g.op("ADD", [x, x], [g.output("y", (1, 16), scale=0.1)])
    assert requests(build(g), kernels).shares == ()
    assert len(requests(models.residual(), kernels).shares) == 2


@pytest.mark.parametrize("tensor", ["t1", "2"])
def test_a_kept_tensor_is_not_taken_over_not_even_by_the_last_operator(tensor: str) -> None:
    assert pairs(models.chain(3), keep=tensor) == [("in", "t0", "in-place"), ("t0", "t1", "in-place")]


def test_a_kept_tensor_may_take_over_bytes_itself() -> None:
    assert pairs(models.chain(2), keep="t0") == [("in", "t0", "in-place")]


def test_inputs_and_outputs_of_a_segment_share_with_nobody() -> None:
    assert pairs(models.chain(3), segment="io") == [("t0", "t1", "in-place")]
    assert pairs(models.chain(1), segment="io") == []


def test_a_pinned_tensor_may_take_over_and_be_taken_over() -> None:
    found = layout(models.chain(3), pins={"t0": 0})
    assert {row.offset for row in found.buffers} == {0}
    assert found.peak == 16


def test_two_pins_may_share_where_their_operator_permits_it() -> None:
    assert layout(models.chain(1), pins={"in": 32, "out": 32}).peak == 48
    with pytest.raises(UsageError, match="alive together"):
        layout(models.chain(1), pins={"in": 32, "out": 32}, in_place=False)
    with pytest.raises(UsageError, match="alive together"):
        layout(models.residual(), pins={"a": 32, "b": 32})


def test_state_shares_with_nobody() -> None:
    assert [pair for pair in pairs(models.svdf_model(), overlap=True) if "state" in pair] == []
    assert pairs(models.call_once_model()) == [("x", "after", "in-place"), ("before", "after", "in-place")]


def test_operators_that_call_others_share_nothing_their_callees_do() -> None:
    made = requests(models.if_model())
    assert made.shares
    assert {made.rows[share.output].subgraph for share in made.shares} == {1, 2}


def test_a_subgraph_that_is_called_twice_shares_nothing() -> None:
    made = requests(models.shared_callee())
    assert made.shares == ()


def test_a_subgraph_that_nobody_calls_shares_nothing() -> None:
    lonely = Graph("lonely")
    lonely.op("NEG", [lonely.input("x", (1, 8), "FLOAT32")], [lonely.output("y", (1, 8), "FLOAT32")])
    main = Graph("main")
    main.op("NEG", [main.input("a", (1, 8), "FLOAT32")], [main.output("b", (1, 8), "FLOAT32")])
    assert pairs(build(main, lonely)) == [("a", "b", "in-place")]


def test_empty_tensors_share_nothing() -> None:
    g = Graph()
    g.op("RELU", [g.input("x", (0, 4), scale=0.1)], [g.output("y", (0, 4), scale=0.1)])
    assert pairs(build(g)) == []


@pytest.mark.parametrize(("kernels", "recorded"), [("none", None), ("cmsis-nn", "log")])
def test_unknown_kernels_share_nothing(kernels: str, recorded: str | None) -> None:
    log = "".join(f'arena-codegen-request {{"i":{i},"size":16,"first":{i},"last":{min(i + 1, 3)}}}\n' for i in range(4))
    model = parse_model(models.chain(3), "m.tflite")
    options = PlanOptions(kernels=kernels, requests=log if recorded else None)
    kernel_library = library(kernels, "m4", recorded=recorded is not None)
    assert collect(model, lay_timeline(model), kernel_library, options).shares == ()


def grown(elements: int, **wishes: Any) -> Requests:
    """DEQUANTIZE: the input lies 3 · (elements − 1) bytes above the output."""
    g = Graph()
    x = g.input("x", (1, elements), scale=0.1)
    g.op("DEQUANTIZE", [x], [g.output("y", (1, elements), "FLOAT32")])
    return requests(build(g), overlap=True, **wishes)


@pytest.mark.parametrize(("align", "rounded"), [(1, 57), (4, 60), (16, 64), (64, 64)])
def test_a_distance_is_rounded_up_to_what_offsets_can_be(align: int, rounded: int) -> None:
    made = grown(20, align=align)
    assert [(share.rule, share.distance) for share in made.shares] == [("overlap", 57)]
    (spans,) = to_problem(made).shares.values()
    assert spans == ((-rounded, made.rows[0].size),)


def test_an_output_that_must_lie_a_whole_size_below_is_disjoint() -> None:
    assert grown(1).shares[0].distance == 0
    assert len(grown(2, align=16).shares) == 1
    point = Graph()
    x, y = point.input("x", (1, 4), scale=0.1), point.output("y", (1, 4, 4, 1), scale=0.1)
    pads = point.constant("pads", [[0, 0], [3, 0]], "INT32")
    padded = point.tensor("padded", (1, 7), scale=0.1)
    point.op("PAD", [x, pads], [padded])
    point.op("RELU", [padded], [y])
    made = requests(build(point), overlap=True)
    assert [share.distance for share in made.shares if made.rows[share.output].name == "padded"] == [3]


def test_pairs_stand_in_the_order_of_the_planner() -> None:
    g = Graph()
    y, x = g.output("y", (1, 20), "FLOAT32"), g.input("x", (1, 20), scale=0.1)  # the output has the lower index
    g.op("DEQUANTIZE", [x], [y])
    made = requests(build(g), overlap=True, align=1)
    assert [row.name for row in made.rows] == ["y", "x"]
    assert dict(to_problem(made).shares) == {(0, 1): ((-20, 57),)}


def test_an_input_that_may_lie_anywhere_leaves_no_interval() -> None:
    g = Graph()
    feature = g.constant("feature", weights(1, (4, 40)), scale=0.01)
    time = g.constant("time", weights(2, (4, 3)), "INT16", scale=0.01)
    bias = g.constant("bias", weights(3, (4,)), "INT32", scale=0.0002)
    state = g.tensor("state", (1, 12), "INT16", scale=0.02, variable=True)
    x, y = g.input("x", (1, 40), scale=0.1), g.output("y", (1, 4), scale=0.001)
    g.op("SVDF", [x, feature, time, bias, state], [y], rank=1)
    made = requests(build(g), overlap=True)
    assert [(share.rule, share.distance) for share in made.shares] == [("overlap", -40)]
    assert list(to_problem(made).shares.values()) == [()]
    assert layout(build(g), overlap=True).peak == layout(build(g)).peak - 16


def test_the_layout_lists_permissions_on_the_outputs_row() -> None:
    found = layout(models.chain(2))
    source, middle, end = found.buffers
    assert source.shares == ()
    assert [(share.index, share.rule, share.distance) for share in middle.shares] == [(0, "in-place", 0)]
    assert [share.index for share in end.shares] == [1]
    assert "ReluQuantized" in end.shares[0].why
    assert layout_from_json(layout_to_json(found), "m.json") == found


def test_bytes_that_several_buffers_hold_count_once_at_the_peak() -> None:
    found = layout(models.depthwise_cnn(), overlap=True)
    assert found.peak < max(found.live_bytes().values())
    assert 0 <= found.fragmentation < 0.2
    assert found.peak_operator is not None
