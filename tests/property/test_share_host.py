"""Shares on real TFLM with reference kernels: plans with overlaps leave every output as it was, a byte less does not.

The plan goes into the model as offline metadata, whose offsets TFLM takes as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from arena_codegen.errors import ModelError
from arena_codegen.kernels import library
from arena_codegen.kernels.base import ShareRule
from arena_codegen.layout.types import Layout
from arena_codegen.model.reader import parse_model
from arena_codegen.model.types import Model
from arena_codegen.model.writer import with_offline_plan
from arena_codegen.options import PlanOptions
from arena_codegen.pipeline import plan_layout
from tests.support import models as small
from tests.support.model_builder import Graph, build, weights
from tests.support.oracle import outputs
from tests.support.real_models import real_models
from tests.support.tools import SHARED, need_package

SAME, VALID = 0, 1
ONLINE = -1
SLOW = 2_000_000
"""Larger models are left to the benchmarks."""


def overlapped(model: Model) -> Layout:
    return plan_layout(model, PlanOptions(kernels="reference", overlap=True, arena="plan"))


def planned(model: Model, layout: Layout) -> bytes:
    """The model with the plan's offsets; TFLM places the scratch buffers by itself."""
    places = {(row.subgraph, row.tensor): row.offset for row in layout.buffers if row.tensor is not None}
    return with_offline_plan(
        model,
        [places.get((graph.index, tensor.index), ONLINE) for graph in model.subgraphs for tensor in graph.tensors],
    )


def in_use(layout: Layout) -> int:
    """Pairs of buffers that have bytes in common."""
    return sum(
        layout.buffers[share.index].offset < row.end and row.offset < layout.buffers[share.index].end
        for row in layout.buffers
        for share in row.shares
    )


def all_models() -> dict[str, bytes]:
    files = [*real_models(), *sorted((SHARED / "models").glob("*.tflite"))]
    found = {file.stem: file.read_bytes() for file in files if file.stat().st_size < SLOW}
    return {**found, **{f"built {name}": make() for name, make in small.ALL.items()}}


def test_outputs_of_every_model_that_tflm_runs_are_the_same_with_overlaps(tmp_path: Path) -> None:
    need_package("tflite_micro")
    before, after, shared = {}, {}, 0
    for name, data in all_models().items():
        try:
            model = parse_model(data, f"{name}.tflite")
            layout = overlapped(model)
            after[name] = planned(model, layout)
        except ModelError:  # some files are bad on purpose
            continue
        before[name] = data
        shared += bool(in_use(layout))
    expected = outputs(before, tmp_path)
    runs = {name: data for name, data in after.items() if name in expected}
    assert len(runs) > 8
    assert shared > 5
    found = outputs(runs, tmp_path)
    assert [name for name in runs if found.get(name) != expected[name]] == []


@dataclass(frozen=True)
class Case:
    """A model of one operator, whose input 0 or `input` may be taken over; one step of the distance in bytes."""

    make: Callable[[Graph], None]
    step: int = 1
    input: int = 0


def conv(kernel: tuple[int, int], stride: int, padding: int, dilation: int = 1, dtype: str = "INT8") -> Callable:
    def make(g: Graph) -> None:
        (rows, columns), size, channels, filters = kernel, 9, 3, 5
        reach = ((rows - 1) * dilation + 1, (columns - 1) * dilation + 1)
        out = [-(-size // stride) if padding == SAME else (size - part) // stride + 1 for part in reach]
        _convolve(
            g, "CONV_2D", (1, size, size, channels), (1, *out, filters), (filters, rows, columns, channels), dtype
        )(stride_h=stride, stride_w=stride, padding=padding, dilation_h_factor=dilation, dilation_w_factor=dilation)

    return make


def depthwise(multiplier: int, stride: int, dtype: str = "INT8") -> Callable:
    def make(g: Graph) -> None:
        size, channels = 7, 4
        out, filters = -(-size // stride), channels * multiplier
        shapes = ((2, size, size, channels), (2, out, out, filters), (1, 3, 3, filters))
        _convolve(g, "DEPTHWISE_CONV_2D", *shapes, dtype)(
            stride_h=stride, stride_w=stride, padding=SAME, depth_multiplier=multiplier
        )

    return make


def _convolve(
    g: Graph, name: str, before: tuple[int, ...], after: tuple[int, ...], shape: tuple[int, ...], dtype: str
) -> Callable[..., int]:
    axis = 3 if name.startswith("DEPTH") else 0
    filters = shape[axis]
    quantized = {} if dtype == "FLOAT32" else {"scale": 0.5, "zero_point": 0}
    x, y = g.input("x", before, dtype, **quantized), g.output("y", after, dtype, **quantized)
    scales = {} if dtype == "FLOAT32" else {"scale": [0.004] * filters, "axis": axis}
    kernel = g.constant("kernel", weights(3, shape), "FLOAT32" if dtype == "FLOAT32" else "INT8", **scales)
    bias_type = {"INT8": "INT32", "INT16": "INT64", "FLOAT32": "FLOAT32"}[dtype]
    bias_scales = {} if dtype == "FLOAT32" else {"scale": [0.002] * filters}
    bias = g.constant("bias", weights(5, (filters,)), bias_type, **bias_scales)
    return lambda **options: g.op(name, [x, kernel, bias], [y], **options)


def pool(name: str, kernel: int, stride: int, dtype: str = "INT8") -> Callable:
    def make(g: Graph) -> None:
        out, quantized = -(-8 // stride), {} if dtype == "FLOAT32" else {"scale": 0.5, "zero_point": 0}
        x = g.input("x", (1, 8, 8, 3), dtype, **quantized)
        y = g.output("y", (1, out, out, 3), dtype, **quantized)
        sizes = {"filter_height": kernel, "filter_width": kernel, "stride_h": stride, "stride_w": stride}
        g.op(name, [x], [y], padding=SAME, **sizes)

    return make


def unary(name: str, before: str = "INT8", after: str = "INT8", **options: Any) -> Callable:
    """`scale` and `zero_point` are the output's, where the kernel insists on them."""
    target = {key: options.pop(key) for key in ("scale", "zero_point") if key in options}

    def make(g: Graph) -> None:
        x = g.input("x", (3, 7), before, **_scale(before, 2**-5))
        y = g.output("y", (3, 7), after, **(target or _scale(after, 0.03)))
        g.op(name, [x], [y], **options)

    return make


def binary(name: str, other: tuple[int, ...] = (2, 5), dtype: str = "INT8", swapped: bool = False) -> Callable:
    def make(g: Graph) -> None:
        a, b = g.input("a", (2, 5), dtype, **_scale(dtype, 0.05)), g.input("b", other, dtype, **_scale(dtype, 0.04))
        y = g.output("y", (2, 5), dtype, **_scale(dtype, 0.1))
        g.op(name, [b, a] if swapped else [a, b], [y])

    return make


def _scale(dtype: str, scale: float) -> dict[str, float]:
    return {} if dtype in ("FLOAT32", "BOOL", "INT32") else {"scale": scale, "zero_point": 0}


def padded(g: Graph) -> None:
    x = g.input("x", (1, 4, 5, 2), scale=0.5, zero_point=3)
    pads = g.constant("pads", [[0, 0], [1, 2], [2, 0], [0, 1]], "INT32")
    g.op("PAD", [x, pads], [g.output("y", (1, 7, 7, 3), scale=0.5, zero_point=3)])


def sliced(g: Graph) -> None:
    x = g.input("x", (4, 5, 3), scale=0.5)
    begin, size = g.constant("begin", [1, 1, 0], "INT32"), g.constant("size", [2, 3, 3], "INT32")
    g.op("SLICE", [x, begin, size], [g.output("y", (2, 3, 3), scale=0.5)])


SHARES = {"scale": 1 / 256, "zero_point": -128}
"""From 0 to 1."""

CASES = {
    "CONV_2D 3x3": Case(conv((3, 3), 1, SAME)),
    "CONV_2D 1x1": Case(conv((1, 1), 1, VALID)),
    "CONV_2D 5x2, stride 2": Case(conv((5, 2), 2, SAME)),
    "CONV_2D valid": Case(conv((3, 3), 1, VALID)),
    "CONV_2D dilated": Case(conv((3, 3), 1, SAME, dilation=2)),
    "CONV_2D int16": Case(conv((3, 3), 1, SAME, dtype="INT16"), step=2),
    "CONV_2D float": Case(conv((3, 3), 1, SAME, dtype="FLOAT32"), step=4),
    "DEPTHWISE_CONV_2D": Case(depthwise(1, 1)),
    "DEPTHWISE_CONV_2D, stride 2": Case(depthwise(1, 2)),
    "DEPTHWISE_CONV_2D, two for one": Case(depthwise(2, 1)),
    "DEPTHWISE_CONV_2D float": Case(depthwise(1, 1, "FLOAT32"), step=4),
    "AVERAGE_POOL_2D": Case(pool("AVERAGE_POOL_2D", 3, 1)),
    "AVERAGE_POOL_2D float": Case(pool("AVERAGE_POOL_2D", 3, 1, "FLOAT32"), step=4),
    "MAX_POOL_2D": Case(pool("MAX_POOL_2D", 3, 2)),
    "MAX_POOL_2D 2x2": Case(pool("MAX_POOL_2D", 2, 2)),
    "RELU": Case(unary("RELU")),
    "LOGISTIC": Case(unary("LOGISTIC", **SHARES)),
    "TANH int16": Case(unary("TANH", "INT16", "INT16", scale=2**-15, zero_point=0), step=2),
    "HARD_SWISH": Case(unary("HARD_SWISH")),
    "LEAKY_RELU float": Case(unary("LEAKY_RELU", "FLOAT32", "FLOAT32", alpha=0.25), step=4),
    "ABS float": Case(unary("ABS", "FLOAT32", "FLOAT32"), step=4),
    "QUANTIZE float": Case(unary("QUANTIZE", "FLOAT32"), step=7),  # into the byte of the next element that shows
    "QUANTIZE int16": Case(unary("QUANTIZE", "INT16"), step=2),
    "QUANTIZE int8": Case(unary("QUANTIZE")),
    "QUANTIZE int8 to int32": Case(unary("QUANTIZE", "INT8", "INT32", scale=0.01, zero_point=0)),
    "DEQUANTIZE": Case(unary("DEQUANTIZE", "INT8", "FLOAT32")),
    "CAST": Case(unary("CAST", "INT8", "INT32")),
    "SOFTMAX": Case(unary("SOFTMAX", beta=1.0, **SHARES)),
    "SOFTMAX to int16": Case(unary("SOFTMAX", "INT8", "INT16", beta=1.0, scale=2**-16, zero_point=-32768)),
    "SOFTMAX float": Case(unary("SOFTMAX", "FLOAT32", "FLOAT32", beta=1.0), step=4),
    "LOG_SOFTMAX float": Case(unary("LOG_SOFTMAX", "FLOAT32", "FLOAT32"), step=4),
    "L2_NORMALIZATION float": Case(unary("L2_NORMALIZATION", "FLOAT32", "FLOAT32"), step=4),
    "ADD first": Case(binary("ADD")),
    "ADD second": Case(binary("ADD"), input=1),
    "ADD to a row": Case(binary("ADD", (1, 5), swapped=True), input=1),
    "SUB": Case(binary("SUB"), input=1),
    "MUL float": Case(binary("MUL", dtype="FLOAT32"), step=4),
    "MAXIMUM": Case(binary("MAXIMUM")),
    "SQUARED_DIFFERENCE float": Case(binary("SQUARED_DIFFERENCE", dtype="FLOAT32"), step=4),
    "PAD": Case(padded),
    "SLICE": Case(sliced),
}


def made(case: Case) -> tuple[Model, ShareRule]:
    """The model, and the overlap that it permits."""
    g = Graph()
    case.make(g)
    data = build(g)
    model = parse_model(data, "case.tflite")
    graph = model.subgraphs[0]
    rules = library("reference", "m4").shares(graph, graph.operators[0])
    (rule,) = (rule for rule in rules if rule.kind == "overlap" and rule.input == case.input)
    return model, rule


def apart(model: Model, rule: ShareRule, distance: int) -> bytes:
    """The model with input and output of its operator so far apart, and everything else elsewhere."""
    graph = model.subgraphs[0]
    operator = graph.operators[0]
    source, target = operator.inputs[rule.input], operator.outputs[rule.output]
    lowest = 64 + 16 * max(0, -(-(64 - distance) // 16) if distance < 0 else 0)
    offsets = [4096 + 1024 * index for index in range(len(graph.tensors))]
    offsets[target], offsets[source] = lowest, lowest + distance
    return with_offline_plan(model, offsets)


def test_a_distance_is_right_and_a_step_less_is_wrong(tmp_path: Path) -> None:
    need_package("tflite_micro")
    plain, right, wrong = {}, {}, {}
    for name, case in CASES.items():
        model, rule = made(case)
        plain[name] = model.data
        right.update({(name, more): apart(model, rule, rule.distance + more * case.step) for more in range(4)})
        wrong[name] = apart(model, rule, rule.distance - case.step)
    expected = outputs(plain, tmp_path)
    assert sorted(expected) == sorted(CASES)
    kept = outputs({f"{name} {more}": data for (name, more), data in right.items()}, tmp_path)
    assert [key for key in right if kept.get(f"{key[0]} {key[1]}") != expected[key[0]]] == []
    lost = outputs(wrong, tmp_path)
    assert [name for name in wrong if lost.get(name) == expected[name]] == []


@pytest.mark.parametrize("name", ["RESHAPE", "SQUEEZE", "EXPAND_DIMS"])
def test_a_view_may_stand_where_its_input_stands(name: str, tmp_path: Path) -> None:
    need_package("tflite_micro")
    g = Graph()
    x, y = g.input("x", (1, 6, 4), scale=0.5), g.output("y", {"EXPAND_DIMS": (1, 1, 6, 4)}.get(name, (6, 4)), scale=0.5)
    second = {"RESHAPE": ("shape", [6, 4]), "EXPAND_DIMS": ("axis", [0])}.get(name)
    options = {"RESHAPE": {"new_shape": [6, 4]}, "SQUEEZE": {"squeeze_dims": [0]}}.get(name, {})
    g.op(name, [x, *([g.constant(second[0], second[1], "INT32")] if second else [])], [y], **options)
    model = parse_model(build(g), "view.tflite")
    offsets = [ONLINE] * len(model.subgraphs[0].tensors)
    offsets[x] = offsets[y] = 16
    found = outputs({"plain": model.data, "same start": with_offline_plan(model, offsets)}, tmp_path)
    assert found["plain"] == found["same start"]
    (rule,) = library("reference", "m4").shares(model.subgraphs[0], model.subgraphs[0].operators[0])
    assert (rule.kind, rule.distance) == ("in-place", 0)


def test_an_operator_that_must_be_disjoint_goes_wrong_at_the_same_start(tmp_path: Path) -> None:
    need_package("tflite_micro")
    g = Graph()
    x, y = g.input("x", (1, 6), scale=0.5), g.output("y", (1, 4), scale=0.5)
    kernel = g.constant("kernel", weights(9, (4, 6)), scale=0.01, zero_point=0)
    g.op("FULLY_CONNECTED", [x, kernel, -1], [y])
    model = parse_model(build(g), "dense.tflite")
    offsets = [ONLINE] * len(model.subgraphs[0].tensors)
    offsets[x] = offsets[y] = 16
    found = outputs({"plain": model.data, "same start": with_offline_plan(model, offsets)}, tmp_path)
    assert found["plain"] != found["same start"]
    assert not library("reference", "m4").shares(model.subgraphs[0], model.subgraphs[0].operators[0])


def dense_state(g: Graph) -> tuple[int, int]:
    """SVDF, whose state is a variable."""
    feature, time = (
        g.constant("feature", weights(1, (4, 8)), scale=0.01),
        g.constant("time", weights(2, (4, 3)), "INT16", scale=0.01),
    )
    bias = g.constant("bias", weights(3, (4,)), "INT32", scale=0.0002)
    state = g.tensor("state", (1, 12), "INT16", scale=0.02, variable=True)
    x, y = g.input("x", (1, 8), scale=0.1), g.output("y", (1, 4), scale=0.001)
    g.op("SVDF", [x, feature, time, bias, state], [y], rank=1)
    return x, y


def upwards(g: Graph) -> tuple[int, int]:
    """TRANSPOSE_CONV of int8, which sums up in a scratch buffer."""
    shape = g.constant("shape", [1, 6, 6, 2], "INT32")
    kernel = g.constant("kernel", weights(4, (2, 2, 2, 3)), scale=[0.004, 0.003], zero_point=[0, 0])
    x, y = g.input("x", (1, 3, 3, 3), scale=0.5, zero_point=0), g.output("y", (1, 6, 6, 2), scale=0.5, zero_point=0)
    g.op("TRANSPOSE_CONV", [shape, kernel, x], [y], padding=SAME, stride_h=2, stride_w=2)
    return x, y


@pytest.mark.parametrize("make", [dense_state, upwards])
def test_an_input_that_is_read_to_its_end_first_may_lie_anywhere(
    make: Callable[[Graph], tuple[int, int]], tmp_path: Path
) -> None:
    need_package("tflite_micro")
    g = Graph()
    x, y = make(g)
    model = parse_model(build(g), "anywhere.tflite")
    graph = model.subgraphs[0]
    (rule,) = library("reference", "m4").shares(graph, graph.operators[0])
    plans = {"plain": model.data}
    for distance in range(1 - graph.tensors[x].bytes, graph.tensors[y].bytes):
        assert distance >= rule.distance
        offsets = [ONLINE] * len(graph.tensors)
        offsets[y], offsets[x] = 128, 128 + distance
        plans[str(distance)] = with_offline_plan(model, offsets)
    found = outputs(plans, tmp_path)
    assert [name for name in plans if found.get(name) != found["plain"]] == []
