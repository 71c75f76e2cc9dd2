"""More operators of random shapes and parameters: blocks that move, means, activations, products, states, floating
point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.firmware.kernel_cases import (
    NONE,
    RELU,
    RELU6,
    SAME,
    SHAPES,
    VALID,
    Case,
    Draw,
    bias_tensor,
    filter_tensor,
    output_size,
    pair,
    per_channel,
    q,
    spread,
    unary,
    window_shape,
)
from tests.support.model_builder import Graph, weights

Q: dict[str, Any] = {"scale": 0.05, "zero_point": 3}
"""One scale and zero point for what goes in and out of operators that only move."""


def quantised(dtype: str) -> dict[str, Any]:
    return {} if dtype in ("FLOAT32", "INT32") else {"scale": 0.05, "zero_point": 3 if dtype == "INT8" else 0}


def moved(
    operator: str,
    shape: Sequence[int],
    out: Sequence[int],
    *constants: Sequence[int] | int,
    dtype: str = "INT8",
    **options: Any,
) -> Case:
    """An operator of one input and constants that say where things go."""

    def add(g: Graph, draw: Draw, name: str) -> None:
        x = g.input(f"{name}/in", shape, dtype, **quantised(dtype))
        fixed = [g.constant(f"{name}/{at}", np.asarray(values), "INT32") for at, values in enumerate(constants)]
        g.op(operator, [x, *fixed], [g.output(f"{name}/out", out, dtype, **quantised(dtype))], **options)

    return Case(f"{operator.lower()} {dtype.lower()} {tuple(shape)}", add)


def sliced(shape: Sequence[int], begin: Sequence[int], end: Sequence[int], stride: Sequence[int], **masks: int) -> Case:
    """STRIDED_SLICE, its output as numpy has it."""
    picks: list[Any] = []
    for axis in range(len(shape)):
        if masks.get("shrink_axis_mask", 0) >> axis & 1:
            picks.append(begin[axis])
            continue
        low = None if masks.get("begin_mask", 0) >> axis & 1 else begin[axis]
        high = None if masks.get("end_mask", 0) >> axis & 1 else end[axis]
        picks.append(slice(low, high, stride[axis]))
    out = np.zeros(shape, np.int8)[tuple(picks)].shape
    return moved("STRIDED_SLICE", shape, out, begin, end, stride, **masks)


def padded_with(value: int) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        x = g.input(f"{name}/in", (1, 3, 2), **Q)
        pads = g.constant(f"{name}/pads", [[0, 0], [1, 2], [0, 3]], "INT32")
        fill = g.constant(f"{name}/value", [value], "INT8", **Q)
        g.op("PADV2", [x, pads, fill], [g.output(f"{name}/out", (1, 6, 5), **Q)])

    return Case("padv2", add)


def joined(axis: int, *shapes: Sequence[int], operator: str = "CONCATENATION", dtype: str = "INT8") -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        parts = [g.input(f"{name}/in{at}", shape, dtype, **quantised(dtype)) for at, shape in enumerate(shapes)]
        values = [np.zeros(shape, np.int8) for shape in shapes]
        out = (np.concatenate if operator == "CONCATENATION" else np.stack)(values, axis).shape
        options = {
            "axis": axis,
            **({"values_count": len(shapes)} if operator == "PACK" else {"fused_activation_function": 0}),
        }
        g.op(operator, parts, [g.output(f"{name}/out", out, dtype, **quantised(dtype))], **options)

    return Case(f"{operator.lower()} {dtype.lower()}", add)


def parted(operator: str, axis: int, shape: Sequence[int], *outs: Sequence[int]) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        x = g.input(f"{name}/in", shape, **Q)
        parts = [g.output(f"{name}/out{at}", out, **Q) for at, out in enumerate(outs)]
        where = g.constant(f"{name}/axis", axis, "INT32", shape=())
        if operator == "SPLIT":
            g.op("SPLIT", [where, x], parts, num_splits=len(outs))
        elif operator == "UNPACK":
            g.op("UNPACK", [x], parts, num=len(outs), axis=axis)
        else:
            sizes = g.constant(f"{name}/sizes", [out[axis] for out in outs], "INT32")
            g.op("SPLIT_V", [x, sizes, where], parts, num_splits=len(outs))

    return Case(operator.lower(), add)


def averaged(shape: Sequence[int], axes: Sequence[int], keep: bool, dtype: str = "INT8") -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        real = dtype != "FLOAT32"
        x = g.input(
            f"{name}/in",
            shape,
            dtype,
            **(q(draw.real(0.01, 0.1), draw.zero_point() if dtype == "INT8" else 0) if real else {}),
        )
        where = g.constant(f"{name}/axes", list(axes), "INT32")
        out = np.zeros(shape).mean(tuple(axes), keepdims=keep).shape
        scales = q(draw.real(0.01, 0.1), draw.zero_point() if dtype == "INT8" else 0) if real else {}
        g.op("MEAN", [x, where], [g.output(f"{name}/out", out, dtype, **scales)], keep_dims=keep)

    return Case(f"mean {dtype.lower()} {tuple(shape)} {tuple(axes)}", add)


def memory(units: int, rank: int, steps: int, width: int, batch: int = 1, dtype: str = "INT16") -> Case:
    """SVDF: its state goes from one invocation to the next."""

    def add(g: Graph, draw: Draw, name: str) -> None:
        filters, out = units * rank, draw.real(0.02, 0.1)
        x = g.input(f"{name}/in", (batch, width), scale=0.05, zero_point=draw.zero_point())
        feature = g.constant(
            f"{name}/feature", weights(draw.whole(0, 9999), (filters, width)), scale=0.01, zero_point=0
        )
        low, high = (-127, 127) if dtype == "INT8" else (-2000, 2000)
        time = g.constant(
            f"{name}/time", weights(draw.whole(0, 9999), (filters, steps), low, high), dtype, scale=0.001, zero_point=0
        )
        bias = g.constant(
            f"{name}/bias",
            weights(draw.whole(0, 9999), (units,), -9000, 9000),
            "INT32",
            scale=0.001 * 0.002,
            zero_point=0,
        )
        state = g.tensor(f"{name}/state", (batch, filters * steps), dtype, scale=0.002, zero_point=0, variable=True)
        y = g.output(f"{name}/out", (batch, units), scale=out, zero_point=draw.zero_point())
        g.op("SVDF", [x, feature, time, bias, state], [y], rank=rank)

    return Case(f"svdf {dtype.lower()}", add)


def widened(in_c: int, out_c: int, dtype: str = "INT8", bias: bool = True, **fixed: int) -> Case:
    """TRANSPOSE_CONV."""

    def add(g: Graph, draw: Draw, name: str) -> None:
        w = {**window_shape(draw), **fixed}
        h, width = output_size(w)  # what a convolution would make of the output
        scale = draw.real(0.01, 0.1) if dtype == "INT8" else 0.001
        scales = per_channel(draw, out_c, True)
        zero = draw.zero_point() if dtype == "INT8" else 0
        shape = g.constant(f"{name}/shape", [1, w["in_h"], w["in_w"], out_c], "INT32")
        kernel = filter_tensor(g, draw, name, (out_c, w["window_h"], w["window_w"], in_c), 0, scales)
        x = g.input(f"{name}/in", (1, h, width, in_c), dtype, scale=scale, zero_point=zero)
        inputs = [shape, kernel, x]
        if bias and dtype == "INT8":
            inputs.append(bias_tensor(g, draw, name, out_c, scale, scales))
        elif bias:
            values = weights(draw.whole(0, 9999), (out_c,), -20000, 20000)
            inputs.append(
                g.constant(
                    f"{name}/bias", values, "INT64", scale=[scale * one for one in scales], zero_point=[0] * out_c
                )
            )
        out = spread(in_c * w["window_h"], scale, max(scales), draw) * (1 if dtype == "INT8" else 0.02)
        out_zero = draw.zero_point() if dtype == "INT8" else 0
        y = g.output(f"{name}/out", (1, w["in_h"], w["in_w"], out_c), dtype, scale=out, zero_point=out_zero)
        options = {"padding": w["padding"], "stride_h": w["stride_h"], "stride_w": w["stride_w"]}
        g.op("TRANSPOSE_CONV", inputs, [y], fused_activation_function=0, **options)

    return Case(f"transpose_conv {dtype.lower()}", add)


def measured(shape: Sequence[int]) -> Case:
    """SHAPE, which knows its input's dimensions and reads none of its elements."""

    def add(g: Graph, draw: Draw, name: str) -> None:
        x = g.input(f"{name}/in", shape, **quantised("INT8"))
        g.op("SHAPE", [x], [g.output(f"{name}/out", (len(shape),), "INT32")], out_type=2)

    return Case(f"shape of {tuple(shape)}", add)


def floating(operator: str, in_c: int, out_c: int, batch: int = 1) -> Case:
    """Convolutions and dense layers of floats."""

    def add(g: Graph, draw: Draw, name: str) -> None:
        w = window_shape(draw, dilated=operator != "FULLY_CONNECTED")

        def real(shape: Sequence[int], part: str) -> int:
            return g.constant(f"{name}/{part}", weights(draw.whole(0, 9999), shape) / 128, "FLOAT32")

        activation = {"fused_activation_function": draw.one_of((NONE, RELU, RELU6))}
        if operator == "FULLY_CONNECTED":
            x = g.input(f"{name}/in", (batch, in_c), "FLOAT32")
            parts = [x, real((out_c, in_c), "filter"), real((out_c,), "bias")]
            g.op(operator, parts, [g.output(f"{name}/out", (batch, out_c), "FLOAT32")], **activation)
            return
        window = (w["window_h"], w["window_w"])
        shape = (out_c, *window, in_c) if operator == "CONV_2D" else (1, *window, out_c)
        x = g.input(f"{name}/in", (batch, w["in_h"], w["in_w"], in_c), "FLOAT32")
        y = g.output(f"{name}/out", (batch, *output_size(w), out_c), "FLOAT32")
        options = {"padding": w["padding"], "stride_h": w["stride_h"], "stride_w": w["stride_w"], **activation}
        options |= {"dilation_h_factor": w["dilation_h"], "dilation_w_factor": w["dilation_w"]}
        options |= {} if operator == "CONV_2D" else {"depth_multiplier": out_c // in_c}
        g.op(operator, [x, real(shape, "filter"), real((out_c,), "bias")], [y], **options)

    return Case(f"{operator.lower()} float {in_c} to {out_c}", add)


def floating_pool(operator: str, channels: int) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        w = window_shape(draw)
        x = g.input(f"{name}/in", (1, w["in_h"], w["in_w"], channels), "FLOAT32")
        y = g.output(f"{name}/out", (1, *output_size(w), channels), "FLOAT32")
        options = {"padding": w["padding"], "stride_h": w["stride_h"], "stride_w": w["stride_w"]}
        options |= {"filter_height": w["window_h"], "filter_width": w["window_w"]}
        g.op(operator, [x], [y], fused_activation_function=draw.one_of((NONE, RELU, RELU6)), **options)

    return Case(f"{operator.lower()} float {channels}", add)


def same_scale(operator: str, left: Sequence[int], right: Sequence[int], dtype: str, out: str | None = None) -> Case:
    """An operator of two inputs that have one scale; `out` is the output's type where it is another."""

    def add(g: Graph, draw: Draw, name: str) -> None:
        a, b = (
            g.input(f"{name}/{side}", shape, dtype, **quantised(dtype))
            for side, shape in (("left", left), ("right", right))
        )
        shape = np.broadcast_shapes(tuple(left), tuple(right))
        g.op(operator, [a, b], [g.output(f"{name}/out", shape, out or dtype, **({} if out else quantised(dtype)))])

    return Case(f"{operator.lower()} {dtype.lower()} {tuple(left)} {tuple(right)}", add)


PRODUCTS = (
    *(pair("MUL", *shapes, dtype) for shapes in SHAPES for dtype in ("INT8", "INT16")),
    *(pair(operator, *SHAPES[0], "INT32") for operator in ("MUL", "ADD", "SUB")),
    *(pair(operator, *SHAPES[2], "FLOAT32") for operator in ("MUL", "ADD", "SUB")),
    *(same_scale(operator, *shapes, dtype) for operator in ("MINIMUM", "MAXIMUM") for shapes in SHAPES[:3]
      for dtype in ("INT8", "INT32", "FLOAT32")),
    *(same_scale(operator, *SHAPES[2], dtype, "BOOL") for dtype in ("INT8", "FLOAT32", "INT32")
      for operator in ("LESS", "LESS_EQUAL", "EQUAL", "NOT_EQUAL", "GREATER", "GREATER_EQUAL")),
)  # fmt: skip

ACTIVATIONS = (
    *(unary(operator, (256,), q(a, za), q(b, zb)) for operator in ("RELU", "HARD_SWISH")
      for a, za, b, zb in ((0.05, 0, 0.03, -128), (0.1, -20, 0.1, 5), (0.01, 127, 0.008, -1))),
    *(unary("LEAKY_RELU", (256,), q(0.05, 4), q(0.04, -9), alpha=alpha) for alpha in (0.1, 0.5, -0.3, 1.5)),
    *(unary("RELU6", (256,), q(scale, zero), q(scale, zero)) for scale, zero in ((0.05, -128), (0.1, 0))),
    *(unary(operator, (3, 100), q(0.0005), q(0.0004), ("INT16", "INT16"), **options)
      for operator, options in (("RELU", {}), ("LEAKY_RELU", {"alpha": 0.2}))),
    unary("RELU6", (300,), q(0.0005), q(0.0005), ("INT16", "INT16")),
    *(unary("LOGISTIC", (400,), q(scale), q(1 / 32768), ("INT16", "INT16")) for scale in (1 / 4096, 0.0003, 0.001)),
    *(unary("TANH", (400,), q(scale), q(1 / 32768), ("INT16", "INT16")) for scale in (1 / 4096, 1 / 2048, 0.0003)),
    *(unary(operator, (4, 33), {}, {}, ("FLOAT32", "FLOAT32"), **options)
      for operator, options in (("RELU", {}), ("RELU6", {}), ("LEAKY_RELU", {"alpha": 0.3}), ("HARD_SWISH", {}),
                                ("LOGISTIC", {}), ("TANH", {}), ("NEG", {}), ("ABS", {}), ("SOFTMAX", {"beta": 1.5}))),
)  # fmt: skip

BLOCKS = (
    moved("RESHAPE", (2, 3, 4), (4, 6), [4, 6], new_shape=[4, 6]),
    moved("SQUEEZE", (1, 5, 1, 3), (5, 3), squeeze_dims=[0, 2]),
    moved("EXPAND_DIMS", (5, 3), (5, 1, 3), 1),
    *(measured(shape) for shape in ((7,), (2, 3, 4, 5))),
    *(moved("PAD", (2, 3, 4), (2 + a, 3 + b + 2, 4 + b), [[0, a], [b, 2], [b, 0]], dtype=dtype)
      for a, b in ((0, 1), (2, 0)) for dtype in ("INT8", "FLOAT32")),
    moved("PAD", (1, 4, 5, 3), (1, 7, 6, 3), [[0, 0], [2, 1], [0, 1], [0, 0]]),
    padded_with(-77),
    *(joined(axis, (2, 3, 4), (2, 3, 4), (2, 3, 4)) for axis in (0, 1, 2, -1)),
    joined(1, (2, 1, 3), (2, 4, 3), dtype="INT16"),
    joined(2, (1, 2, 3), (1, 2, 5), dtype="FLOAT32"),
    *(joined(axis, (2, 3), (2, 3), operator="PACK") for axis in (0, 1, 2)),
    parted("SPLIT", 1, (2, 6, 3), *[(2, 2, 3)] * 3),
    parted("SPLIT", -1, (4, 6), *[(4, 3)] * 2),
    parted("SPLIT_V", 1, (2, 6, 3), (2, 1, 3), (2, 3, 3), (2, 2, 3)),
    *(parted("UNPACK", axis, (2, 3, 4), *[out] * count)
      for axis, out, count in ((0, (3, 4), 2), (1, (2, 4), 3), (2, (2, 3), 4))),
    *(moved("SLICE", (3, 5, 4), (2, 3, 2), [1, 0, 2], [2, 3, 2], dtype=dtype)
      for dtype in ("INT8", "INT16", "FLOAT32")),
    moved("SLICE", (3, 5, 4), (2, 5, 4), [1, 0, 0], [-1, -1, -1]),
    sliced((4, 6, 5), (1, 0, 2), (3, 6, 5), (1, 2, 1)),
    sliced((4, 6, 5), (0, -1, 0), (4, 0, 5), (2, -2, 1), begin_mask=1, end_mask=4),
    sliced((4, 6, 5), (2, 1, 0), (3, 5, 5), (1, 1, 3), shrink_axis_mask=1),
    *(moved("TRANSPOSE", (2, 3, 4, 5), tuple((2, 3, 4, 5)[axis] for axis in axes), axes)
      for axes in ((0, 2, 1, 3), (3, 1, 2, 0), (0, 3, 1, 2), (0, 1, 2, 3))),
    moved("TRANSPOSE", (7, 3), (3, 7), (1, 0), dtype="FLOAT32"),
    *(moved("RESIZE_NEAREST_NEIGHBOR", (1, 4, 3, 5),
      (1, *size, 5), size, align_corners=corners, half_pixel_centers=centres)
      for size in ((8, 6), (7, 2), (3, 5)) for corners, centres in ((False, False), (True, False), (False, True))),
)  # fmt: skip

MEANS = (
    *(averaged(shape, axes, keep, dtype) for dtype in ("INT8", "INT16", "FLOAT32")
      for shape, axes, keep in (((1, 7, 5, 6), (1, 2), True), ((2, 3, 4), (1,), False), ((2, 3, 4), (0, 2), True),
      ((257,), (0,), False))),
)  # fmt: skip

STATES = (
    *(memory(units, rank, steps, width) for units, rank, steps, width in ((4, 1, 3, 8), (3, 2, 5, 7), (8, 1, 1, 4))),
    memory(4, 2, 4, 6, batch=2),
    memory(3, 1, 4, 5, dtype="INT8"),
)

TRANSPOSED = (
    *(widened(in_c, out_c) for in_c, out_c in ((1, 1), (3, 4), (4, 3), (17, 5), (32, 2))),
    widened(4, 6, bias=False, padding=SAME, stride_h=2, stride_w=2),
    widened(3, 5, "INT16", padding=VALID, stride_h=2, stride_w=1),
    widened(4, 2, "INT16", bias=False),
)

FLOATS = (
    *(floating("CONV_2D", in_c, out_c) for in_c, out_c in ((1, 4), (3, 5), (4, 257), (5, 1), (64, 3), (257, 2))),
    floating("CONV_2D", 3, 4, batch=2),
    *(floating("DEPTHWISE_CONV_2D", in_c, out_c) for in_c, out_c in ((1, 4), (5, 5), (3, 6), (4, 4), (64, 64))),
    *(floating("FULLY_CONNECTED", in_c, out_c, batch) for in_c, out_c, batch in ((33, 7, 2), (1, 3, 1), (257, 64, 1))),
    *(floating_pool(operator, channels) for operator in ("AVERAGE_POOL_2D", "MAX_POOL_2D")
      for channels in (1, 3, 4, 5, 64, 257)),
    *(unary("SOFTMAX", shape, {}, {}, ("FLOAT32", "FLOAT32"), beta=beta)
      for shape, beta in (((1, 10), 1.0), ((3, 257), 1.0), ((2, 1), 0.5))),
    *(moved("RESHAPE", (2, 3, 4), (4, 6), [4, 6], dtype=dtype, new_shape=[4, 6]) for dtype in ("INT16", "FLOAT32")),
)  # fmt: skip

GROUPS: dict[str, tuple[Case, ...]] = {
    "products": PRODUCTS,
    "activations": ACTIVATIONS,
    "blocks": BLOCKS,
    "means": MEANS,
    "states": STATES,
    "transposed": TRANSPOSED,
    "floats": FLOATS,
}
