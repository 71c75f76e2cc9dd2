"""Distances of shares against kernels that write down what they read and write, on random shapes.

A distance is right where no input at least as far above the output loses a byte, and tight where one byte less does.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from arena_codegen.kernels import library
from arena_codegen.kernels.base import ShareRule
from tests.support import kernel_traces as traces
from tests.support.calls import call
from tests.support.kernel_traces import Event, Windows, clobbers

SAME, VALID = 0, 1
SEEDS = range(25)
BYTES = {"INT8": 1, "INT16": 2, "FLOAT32": 4}


class Draw:
    """Random whole numbers that are the same on every machine."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def __call__(self, low: int, high: int) -> int:
        return low + int(self._random() * (high - low + 1))

    def one_of(self, *choices: Any) -> Any:
        return choices[self(0, len(choices) - 1)]


def window(draw: Draw, dtype: str = "INT8", **fixed: Any) -> tuple[Windows, dict[str, int]]:
    """A random window and the options that make it."""
    padding = draw.one_of(SAME, VALID)
    axes = []
    for axis in "hw":
        kernel = fixed.get(f"kernel_{axis}", draw(1, 4))
        dilation = fixed.get("dilation", draw.one_of(1, 1, 2))
        stride = fixed.get("stride", draw(1, 3))
        reach = (kernel - 1) * dilation + 1
        size = draw(reach if padding == VALID else 1, reach + 5)
        out = -(-size // stride) if padding == SAME else (size - reach) // stride + 1
        axes.append((size, out, kernel, stride, dilation, max((out - 1) * stride + reach - size, 0) // 2))
    in_ch = fixed.get("in_ch", draw(1, 6))
    out_ch = in_ch * fixed["multiplier"] if "multiplier" in fixed else fixed.get("out_ch", draw(1, 6))
    batch = fixed.get("batch", draw.one_of(1, 1, 2))
    rows, columns = axes
    w = Windows(
        *(batch, rows[0], columns[0], in_ch, rows[1], columns[1], out_ch, rows[2], columns[2], rows[3], columns[3]),
        *(rows[4], columns[4], rows[5], columns[5], BYTES[dtype]),
    )
    return w, {"padding": padding, "stride_h": rows[3], "stride_w": columns[3]}


def rule(kernels: str, target: str, graph_and_operator: Any) -> ShareRule | None:
    """The overlap that the library permits on input 0."""
    rules = library(kernels, target).shares(*graph_and_operator)
    found = [rule for rule in rules if rule.input == 0 and rule.kind == "overlap"]
    return found[0] if found else None


def convolution(w: Windows, options: dict[str, int], dtype: str, name: str = "CONV_2D", groups: int = 1) -> Any:
    filters = (w.out_ch, w.kernel_h, w.kernel_w, w.in_ch // groups)
    if name == "DEPTHWISE_CONV_2D":
        filters = (1, w.kernel_h, w.kernel_w, w.out_ch)
        options = {**options, "depth_multiplier": w.out_ch // w.in_ch}
    dilations = {"dilation_h_factor": w.dilation_h, "dilation_w_factor": w.dilation_w}
    before, after = (w.batch, w.in_h, w.in_w, w.in_ch), (w.batch, w.out_h, w.out_w, w.out_ch)
    weights = "FLOAT32" if dtype == "FLOAT32" else "INT8"
    return call(
        name, [(before, dtype), (filters, weights, w.out_ch)], [(after, dtype)], constants=(1,), **options, **dilations
    )


def pooling(w: Windows, options: dict[str, int], dtype: str, name: str) -> Any:
    before, after = (w.batch, w.in_h, w.in_w, w.in_ch), (w.batch, w.out_h, w.out_w, w.out_ch)
    return call(name, [(before, dtype)], [(after, dtype)], **options, filter_height=w.kernel_h, filter_width=w.kernel_w)


def check(found: ShareRule | None, events: Iterable[Event], size: int = 1, floor: int | None = None) -> None:
    """The rule is there, no place further up is wrong, and one element less is.

    `floor`: a distance that is never undercut, whether one could or not: no output begins above what is read first.
    """
    happened = list(events)
    if all(kind == "write" for kind, *_ in happened):  # nothing but padding: too odd to be permitted
        assert found is None
        return
    assert found is not None
    assert found.distance % size == 0
    for more in range(0, 24 * size, size):
        assert not clobbers(happened, found.distance + more), more
    assert found.distance == floor or clobbers(happened, found.distance - size)


CONVOLUTIONS: dict[str, tuple[str, str, str, Callable[[Windows], Iterable[Event]]]] = {
    "reference int8": ("reference", "m4", "INT8", traces.conv_reference),
    "reference int16": ("reference", "m4", "INT16", traces.conv_reference),
    "reference float": ("reference", "m4", "FLOAT32", traces.conv_reference),
    "CMSIS-NN float": ("cmsis-nn", "m4", "FLOAT32", traces.conv_reference),
    "CMSIS-NN int8": ("cmsis-nn", "m4", "INT8", lambda w: traces.conv_unfolded(w, 2)),
    "CMSIS-NN int8 without DSP": ("cmsis-nn", "m0", "INT8", lambda w: traces.conv_unfolded(w, 2)),
    "CMSIS-NN int16": ("cmsis-nn", "m4", "INT16", lambda w: traces.conv_unfolded(w, 2)),
    "CMSIS-NN int8 with MVE": ("cmsis-nn", "m55", "INT8", lambda w: traces.conv_unfolded(w, 4)),
    "CMSIS-NN 4.0.0 int8": ("cmsis-nn-4.0", "m4", "INT8", lambda w: traces.conv_unfolded(w, 2)),
}


@pytest.mark.parametrize("kind", CONVOLUTIONS)
def test_a_convolution_trails_as_far_as_its_loops_say(kind: str) -> None:
    kernels, target, dtype, trace = CONVOLUTIONS[kind]
    for seed in SEEDS:
        draw = Draw(seed)
        w, options = window(draw, dtype, kernel_h=draw(2, 4))
        check(rule(kernels, target, convolution(w, options, dtype)), trace(w), w.size, floor=0)


def test_a_grouped_convolution_of_the_reference_kernels_reads_one_group_after_the_other() -> None:
    for seed in SEEDS:
        draw = Draw(seed)
        groups = draw(1, 3)
        w, options = window(draw, in_ch=groups * draw(1, 3), out_ch=groups * draw(1, 3))
        found = rule("reference", "m4", convolution(w, options, "INT8", groups=groups))
        check(found, traces.conv_reference(w, groups), floor=0)


@pytest.mark.parametrize("kernels", ["cmsis-nn", "cmsis-nn-4.0"])
def test_a_pointwise_convolution_with_a_stride_goes_row_by_row(kernels: str) -> None:
    for seed in SEEDS:
        draw = Draw(seed)
        w, options = window(draw, kernel_h=1, kernel_w=1, dilation=1, stride=draw(2, 3), out_ch=draw(1, 5))
        check(rule(kernels, "m4", convolution(w, options, "INT8")), traces.conv_by_rows(w), floor=0)


DEPTHWISE: dict[str, tuple[str, str, str, Callable[[Windows], Iterable[Event]], dict[str, Any]]] = {
    "reference": ("reference", "m4", "INT8", traces.depthwise_reference, {"multiplier": 3}),
    "reference float": ("reference", "m4", "FLOAT32", traces.depthwise_reference, {"multiplier": 2}),
    "CMSIS-NN 3x3": (
        *("cmsis-nn", "m4", "INT8", traces.depthwise_3x3),
        {"kernel_h": 3, "kernel_w": 3, "dilation": 1, "batch": 1},
    ),
    "CMSIS-NN 5x2": (
        *("cmsis-nn", "m4", "INT8", traces.depthwise_opt),
        {"kernel_h": 5, "kernel_w": 2, "dilation": 1, "batch": 1},
    ),
    "CMSIS-NN four for one": (
        *("cmsis-nn", "m4", "INT8", traces.depthwise_mult_4),
        {"dilation": 1, "batch": 1, "multiplier": 4},
    ),
    "CMSIS-NN three for one": ("cmsis-nn", "m4", "INT8", traces.depthwise_reference, {"multiplier": 3}),
    "CMSIS-NN dilated": ("cmsis-nn", "m4", "INT8", traces.depthwise_reference, {"dilation": 2}),
    "CMSIS-NN int16": ("cmsis-nn", "m4", "INT16", traces.depthwise_reference, {"multiplier": 2}),
    "CMSIS-NN 4.0.0 3x3": (
        *("cmsis-nn-4.0", "m4", "INT8", traces.depthwise_3x3),
        {"kernel_h": 3, "kernel_w": 3, "dilation": 1, "batch": 1},
    ),
}


@pytest.mark.parametrize("kind", DEPTHWISE)
def test_a_depthwise_convolution_trails_as_far_as_its_loops_say(kind: str) -> None:
    kernels, target, dtype, trace, fixed = DEPTHWISE[kind]
    for seed in SEEDS:
        w, options = window(Draw(seed), dtype, **{"multiplier": 1, **fixed})
        check(rule(kernels, target, convolution(w, options, dtype, "DEPTHWISE_CONV_2D")), trace(w), w.size, floor=0)


POOLS: dict[str, tuple[str, str, str, str, Callable[[Windows], Iterable[Event]]]] = {
    "reference average": ("reference", "m4", "INT8", "AVERAGE_POOL_2D", traces.depthwise_reference),
    "reference maximum": ("reference", "m4", "INT16", "MAX_POOL_2D", traces.depthwise_reference),
    "reference L2": ("reference", "m4", "FLOAT32", "L2_POOL_2D", traces.depthwise_reference),
    "CMSIS-NN average": ("cmsis-nn", "m4", "INT8", "AVERAGE_POOL_2D", traces.depthwise_opt),
    "CMSIS-NN average without DSP": ("cmsis-nn", "m3", "INT16", "AVERAGE_POOL_2D", traces.depthwise_reference),
    "CMSIS-NN maximum": ("cmsis-nn", "m4", "INT8", "MAX_POOL_2D", traces.max_pool),
    "CMSIS-NN maximum int16": ("cmsis-nn", "m55", "INT16", "MAX_POOL_2D", traces.max_pool),
}


@pytest.mark.parametrize("kind", POOLS)
def test_a_pool_trails_as_far_as_its_loops_say(kind: str) -> None:
    kernels, target, dtype, name, trace = POOLS[kind]
    for seed in SEEDS:
        w, options = window(Draw(seed), dtype, dilation=1, multiplier=1)
        check(rule(kernels, target, pooling(w, options, dtype, name)), trace(w), w.size, floor=0)


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [("QUANTIZE", "FLOAT32", "INT8"), ("QUANTIZE", "INT8", "INT32"), ("DEQUANTIZE", "INT8", "FLOAT32"),
     ("RELU", "INT16", "INT16"), ("CAST", "INT16", "FLOAT32"), ("LESS", "INT32", "BOOL"), ("ADD", "INT8", "INT8")],
)  # fmt: skip
@pytest.mark.parametrize("kernels", ["reference", "cmsis-nn"])
def test_element_wise_operators_trail_as_far_as_their_elements_grow(
    name: str, before: str, after: str, kernels: str
) -> None:
    sizes = {"INT8": 1, "BOOL": 1, "INT16": 2, "INT32": 4, "FLOAT32": 4}
    for count in (1, 2, 5, 16):
        inputs = [((1, count), before)] * (2 if name in ("ADD", "LESS") else 1)
        found = rule(kernels, "m4", call(name, inputs, [((1, count), after)]))
        happened = list(traces.elements(count, sizes[before], sizes[after]))
        assert found is not None
        assert not any(clobbers(happened, found.distance + more) for more in range(40))
        assert found.distance == 0 or clobbers(happened, found.distance - 1)
        assert not count - 1 or sizes[after] < sizes[before] or clobbers(happened, found.distance - 1)


def test_reading_four_elements_before_they_are_written_loses_nothing_at_the_same_start() -> None:
    for count in range(1, 20):
        happened = list(traces.elements(count, 1, 1, at_once=4))
        assert not any(clobbers(happened, more) for more in range(30))
        assert clobbers(happened, -1) or count <= 4


@pytest.mark.parametrize("after", ["INT8", "INT16"])
@pytest.mark.parametrize("kernels", ["reference", "cmsis-nn", "cmsis-nn-4.0"])
def test_softmax_reads_its_row_before_it_writes_there(kernels: str, after: str) -> None:
    for rows, width in ((1, 2), (3, 4), (2, 7)):
        found = rule(kernels, "m4", call("SOFTMAX", [((rows, width), "INT8")], [((rows, width), after)]))
        check(found, traces.softmax(rows, width, 1, BYTES[after]))


@pytest.mark.parametrize("kernels", ["reference", "cmsis-nn"])
def test_an_svdf_may_lie_anywhere_on_its_input(kernels: str) -> None:
    shapes = [((1, 9), "INT8"), ((8, 9), "INT8"), ((8, 3), "INT16"), ((4,), "INT32"), ((1, 24), "INT16")]
    found = rule(kernels, "m4", call("SVDF", shapes, [((1, 4), "INT8")], rank=2))
    assert found is not None
    assert found.distance == -9
    happened = list(traces.svdf(9, 8, 4))
    assert not any(clobbers(happened, distance) for distance in range(-12, 12))


def numbered(graph_and_operator: Any, values: dict[int, list[int]]) -> Any:
    """The same operator with these numbers in its constant inputs."""
    graph, operator = graph_and_operator
    tensors = list(graph.tensors)
    for position, numbers in values.items():
        data = b"".join(number.to_bytes(4, "little", signed=True) for number in numbers)
        index = operator.inputs[position]
        tensors[index] = replace(tensors[index], data=memoryview(data))
    return replace(graph, tensors=tuple(tensors)), operator


def pads(draw: Draw, rank: int) -> tuple[list[int], list[int], list[int]]:
    return [draw(0, 2) for _ in range(rank)], [draw(1, 4) for _ in range(rank)], [draw(0, 2) for _ in range(rank)]


def pad_call(before: list[int], shape: list[int], after: list[int], dtype: str) -> Any:
    whole = [left + size + right for left, size, right in zip(before, shape, after, strict=True)]
    graph = call("PAD", [(shape, dtype), ((len(shape), 2), "INT32")], [(whole, dtype)], constants=(1,))
    return numbered(graph, {1: [number for pair in zip(before, after, strict=True) for number in pair]})


@pytest.mark.parametrize("dtype", ["INT8", "FLOAT32"])
def test_padding_has_its_input_at_the_end(dtype: str) -> None:
    for seed in SEEDS:
        draw = Draw(seed)
        before, shape, after = pads(draw, draw(1, 4))
        trace = traces.padded(before, shape, after, BYTES[dtype])
        check(rule("reference", "m4", pad_call(before, shape, after, dtype)), trace, BYTES[dtype])


def test_padding_of_cmsis_nn_leaves_a_run_between_what_it_copies() -> None:
    for seed in SEEDS:
        draw = Draw(seed)
        before, shape, after = pads(draw, draw(2, 4))
        found = rule("cmsis-nn", "m4", pad_call(before, shape, after, "INT8"))
        check(found, traces.padded_by_rows(before, shape, after))


@pytest.mark.parametrize("kernels", ["reference", "cmsis-nn"])
def test_a_slice_never_reads_below_its_first_element(kernels: str) -> None:
    for seed in SEEDS:
        draw = Draw(seed)
        shape = [draw(1, 5) for _ in range(draw(1, 4))]
        begins = [draw(0, size - 1) for size in shape]
        sizes = [draw(1, size - begin) for size, begin in zip(shape, begins, strict=True)]
        rank = len(shape)
        made = call(
            "SLICE", [(shape, "INT16"), ((rank,), "INT32"), ((rank,), "INT32")], [(sizes, "INT16")], constants=(1, 2)
        )
        ranges = [range(begin, begin + size) for begin, size in zip(begins, sizes, strict=True)]
        found = rule(kernels, "m4", numbered(made, {1: begins, 2: sizes}))
        first = traces.offset(begins, shape) * 2
        check(found, traces.sliced(shape, ranges, 2, runs=False), 2, floor=-first)


def test_a_strided_slice_copies_runs_of_its_last_axis_or_elements() -> None:
    for seed in SEEDS:
        draw = Draw(seed)
        rank = draw(1, 4)
        shape = [draw(1, 5) for _ in range(rank)]
        begins = [draw(0, size - 1) for size in shape]
        strides = [draw.one_of(1, 1, 2) for _ in range(rank)]
        ends = [draw(begin + 1, size) for size, begin in zip(shape, begins, strict=True)]
        ranges = [range(*numbers) for numbers in zip(begins, ends, strides, strict=True)]
        signed = [begin - size if draw(0, 1) else begin for begin, size in zip(begins, shape, strict=True)]
        inputs = [(shape, "INT8"), *[((rank,), "INT32")] * 3]
        masks = dict.fromkeys(("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0)
        made = call(
            "STRIDED_SLICE", inputs, [([len(r) for r in ranges], "INT8")], constants=(1, 2, 3), offset=False, **masks
        )
        found = rule("reference", "m4", numbered(made, {1: signed, 2: ends, 3: strides}))
        first = traces.offset(begins, shape)
        check(found, traces.sliced(shape, ranges, 1, runs=strides[-1] == 1), floor=-first)
