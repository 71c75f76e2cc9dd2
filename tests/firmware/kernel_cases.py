"""Operators of random shapes and parameters, for the board to compute and for real TFLM to compare with.

A case adds one operator with inputs and outputs of its own to a graph, so that all of them run in one program.
Everything is drawn from `random.Random(seed).random()`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.support.model_builder import Graph, build, weights

SAME, VALID = 0, 1
CHANNELS = (1, 3, 4, 5, 64, 257)
NONE, RELU, RELU_N1, RELU6 = 0, 1, 2, 3


@dataclass
class Draw:
    """Numbers from a seed."""

    seed: int
    random: Callable[[], float] = field(init=False)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed).random

    def whole(self, low: int, high: int) -> int:
        return low + int(self.random() * (high - low + 1))

    def real(self, low: float, high: float) -> float:
        return low + self.random() * (high - low)

    def one_of(self, values: Sequence[Any]) -> Any:
        return values[int(self.random() * len(values))]

    def zero_point(self) -> int:
        return self.one_of((-128, 127, 0, self.whole(-128, 127)))


@dataclass(frozen=True)
class Case:
    """`add(graph, draw, name)` puts the case into a graph."""

    name: str
    add: Callable[[Graph, Draw, str], None]


def model_of(cases: Sequence[Case], seed: int = 1, first: int = 0) -> bytes:
    """One model with all cases side by side; the name of a case is in the names of its tensors.

    A model of some of the cases, of which `first` is the number among all, has them as the model of all does.
    """
    graph = Graph()
    for number, case in enumerate(cases, first):
        case.add(graph, Draw(seed * 1000 + number), f"{number} {case.name}")
    return build(graph)


def spread(inputs: int, input_scale: float, filter_scale: float, draw: Draw) -> float:
    """An output scale with which sums of so many products fill a byte, or leave it at both ends."""
    width = 60 * 60 * max(inputs, 1) ** 0.5 * input_scale * filter_scale / 100
    return width * draw.one_of((0.1, 1.0, 1.0, 3.0))


def per_channel(draw: Draw, channels: int, each: bool) -> list[float]:
    return [draw.real(0.001, 0.02) for _ in range(channels if each else 1)]


def filter_tensor(g: Graph, draw: Draw, name: str, shape: Sequence[int], axis: int, scales: list[float]) -> int:
    values = weights(draw.whole(0, 10**6), shape)
    return g.constant(f"{name}/filter", values, scale=scales, zero_point=[0] * len(scales), axis=axis)


def bias_tensor(g: Graph, draw: Draw, name: str, channels: int, input_scale: float, scales: list[float]) -> int:
    values = weights(draw.whole(0, 10**6), (channels,), -20000, 20000)
    bias_scales = [input_scale * scale for scale in scales]
    return g.constant(f"{name}/bias", values, "INT32", scale=bias_scales, zero_point=[0] * len(scales))


def windowed(size: int, window: int, stride: int, dilation: int, padding: int) -> int:
    reach = (window - 1) * dilation + 1
    return -(-size // stride) if padding == SAME else (size - reach) // stride + 1


def window_shape(draw: Draw, dilated: bool = False) -> dict[str, int]:
    """A window that fits its picture."""
    window_h, window_w = draw.whole(1, 4), draw.whole(1, 4)
    dilation_h, dilation_w = (draw.whole(1, 2), draw.whole(1, 2)) if dilated else (1, 1)
    return {
        "padding": draw.one_of((SAME, VALID)),
        **{"window_h": window_h, "window_w": window_w},
        **{"stride_h": draw.whole(1, 2), "stride_w": draw.whole(1, 2)},
        **{"dilation_h": dilation_h, "dilation_w": dilation_w},
        "in_h": draw.whole((window_h - 1) * dilation_h + 1, 9),
        "in_w": draw.whole((window_w - 1) * dilation_w + 1, 9),
    }


def output_size(w: dict[str, int]) -> tuple[int, int]:
    return (
        windowed(w["in_h"], w["window_h"], w["stride_h"], w["dilation_h"], w["padding"]),
        windowed(w["in_w"], w["window_w"], w["stride_w"], w["dilation_w"], w["padding"]),
    )


def conv(in_c: int, out_c: int, each: bool, *, dilated: bool = False, groups: int = 1, **fixed: int) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        w = {**window_shape(draw, dilated), **fixed}
        batch = fixed.get("batch", 1)
        scale = draw.real(0.01, 0.1)
        scales = per_channel(draw, out_c, each)
        x = g.input(f"{name}/in", (batch, w["in_h"], w["in_w"], in_c), scale=scale, zero_point=draw.zero_point())
        shape = (out_c, w["window_h"], w["window_w"], in_c // groups)
        inputs = [x, filter_tensor(g, draw, name, shape, 0, scales)]
        inputs += [bias_tensor(g, draw, name, out_c, scale, scales)] if draw.random() < 0.8 else []
        out_scale = spread(int(np.prod(shape[1:])), scale, max(scales), draw)
        y = g.output(f"{name}/out", (batch, *output_size(w), out_c), scale=out_scale, zero_point=draw.zero_point())
        options = {"padding": w["padding"], "stride_h": w["stride_h"], "stride_w": w["stride_w"]}
        options |= {"dilation_h_factor": w["dilation_h"], "dilation_w_factor": w["dilation_w"]}
        activation = draw.one_of((NONE, RELU, RELU6, RELU_N1))
        g.op("CONV_2D", inputs, [y], fused_activation_function=activation, **options)

    return Case(f"conv {in_c} to {out_c}", add)


def depthwise(in_c: int, multiplier: int, each: bool, *, dilated: bool = False, **fixed: int) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        w = {**window_shape(draw, dilated), **fixed}
        batch, out_c = fixed.get("batch", 1), in_c * multiplier
        scale = draw.real(0.01, 0.1)
        scales = per_channel(draw, out_c, each)
        x = g.input(f"{name}/in", (batch, w["in_h"], w["in_w"], in_c), scale=scale, zero_point=draw.zero_point())
        shape = (1, w["window_h"], w["window_w"], out_c)
        inputs = [x, filter_tensor(g, draw, name, shape, 3, scales), bias_tensor(g, draw, name, out_c, scale, scales)]
        out_scale = spread(w["window_h"] * w["window_w"], scale, max(scales), draw)
        y = g.output(f"{name}/out", (batch, *output_size(w), out_c), scale=out_scale, zero_point=draw.zero_point())
        options = {"padding": w["padding"], "stride_h": w["stride_h"], "stride_w": w["stride_w"]}
        options |= {"dilation_h_factor": w["dilation_h"], "dilation_w_factor": w["dilation_w"]}
        activation = draw.one_of((NONE, RELU, RELU6))
        g.op(
            "DEPTHWISE_CONV_2D",
            inputs,
            [y],
            depth_multiplier=multiplier,
            fused_activation_function=activation,
            **options,
        )

    return Case(f"depthwise {in_c} times {multiplier}", add)


def dense(in_c: int, out_c: int, batches: int = 1, each: bool = False, bias: bool = True) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        scale = draw.real(0.01, 0.1)
        scales = per_channel(draw, out_c, each)
        x = g.input(f"{name}/in", (batches, in_c), scale=scale, zero_point=draw.zero_point())
        inputs = [x, filter_tensor(g, draw, name, (out_c, in_c), 0, scales)]
        inputs += [bias_tensor(g, draw, name, out_c, scale, scales)] if bias else [-1]
        out_scale = spread(in_c, scale, max(scales), draw)
        y = g.output(f"{name}/out", (batches, out_c), scale=out_scale, zero_point=draw.zero_point())
        g.op("FULLY_CONNECTED", inputs, [y], fused_activation_function=draw.one_of((NONE, RELU, RELU6)))

    return Case(f"dense {in_c} to {out_c}", add)


def pool(operator: str, channels: int, **fixed: int) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        w = {**window_shape(draw), **fixed}
        scale, zero = draw.real(0.01, 0.1), draw.zero_point()
        batch = fixed.get("batch", 1)
        x = g.input(f"{name}/in", (batch, w["in_h"], w["in_w"], channels), scale=scale, zero_point=zero)
        y = g.output(f"{name}/out", (batch, *output_size(w), channels), scale=scale, zero_point=zero)
        options = {"padding": w["padding"], "stride_h": w["stride_h"], "stride_w": w["stride_w"]}
        options |= {"filter_height": w["window_h"], "filter_width": w["window_w"]}
        g.op(operator, [x], [y], fused_activation_function=draw.one_of((NONE, RELU, RELU6)), **options)

    return Case(f"{operator.lower()} {channels}", add)


def pair(operator: str, left: Sequence[int], right: Sequence[int], dtype: str = "INT8", **options: int) -> Case:
    """An operator of two inputs, of which one may be repeated."""

    def add(g: Graph, draw: Draw, name: str) -> None:
        shape = np.broadcast_shapes(tuple(left), tuple(right))

        def quantised() -> dict[str, Any]:
            if dtype == "FLOAT32" or dtype == "INT32":
                return {}
            zero = draw.zero_point() if dtype == "INT8" else 0
            return {"scale": draw.real(0.005, 0.1), "zero_point": zero}

        a, b = (
            g.input(f"{name}/left", left, dtype, **quantised()),
            g.input(f"{name}/right", right, dtype, **quantised()),
        )
        y = g.output(f"{name}/out", shape, dtype, **quantised())
        activation = {"fused_activation_function": draw.one_of((NONE, RELU, RELU6))} if options.get("fused", 1) else {}
        if dtype == "INT32":
            activation = {"fused_activation_function": NONE} if activation else {}
        g.op(operator, [a, b], [y], **activation)

    return Case(f"{operator.lower()} {dtype.lower()} {tuple(left)} {tuple(right)}", add)


def unary(
    operator: str,
    shape: Sequence[int],
    source: dict[str, Any],
    output: dict[str, Any],
    dtypes: tuple[str, str] = ("INT8", "INT8"),
    **options: Any,
) -> Case:
    """An operator of one input with these scales and zero points."""

    def add(g: Graph, draw: Draw, name: str) -> None:
        x = g.input(f"{name}/in", shape, dtypes[0], **source)
        g.op(operator, [x], [g.output(f"{name}/out", shape, dtypes[1], **output)], **options)

    return Case(f"{operator.lower()} {' '.join(dtypes).lower()}", add)


def q(scale: float, zero_point: int = 0) -> dict[str, Any]:
    return {"scale": scale, "zero_point": zero_point}


CONVOLUTIONS = (
    *(conv(in_c, out_c, each) for in_c, out_c in ((1, 3), (3, 8), (4, 4), (5, 1), (64, 5), (257, 3), (3, 257))
      for each in (0, 1)),
    *(conv(channels, 6, True, window_h=1, window_w=1, stride_h=1, stride_w=1) for channels in CHANNELS),
    *(conv(channels, 4, True, window_h=1, window_w=1, stride_h=2, stride_w=2) for channels in CHANNELS),
    *(conv(4, 5, True, in_h=1, window_h=1, in_w=8, padding=SAME, stride_h=1, stride_w=1, window_w=width)
      for width in (3, 4)),
    *(conv(channels, 3, True, dilated=True) for channels in (1, 3, 4, 5)),
    conv(4, 8, True, batch=2, window_h=3, window_w=3, in_h=5, in_w=5, stride_h=2, stride_w=2, padding=SAME),
    *(conv(8, 4, True, groups=groups) for groups in (2, 4)),
    *(conv(3, 5, True) for _ in range(8)),
)  # fmt: skip

DEPTHWISE = (
    *(depthwise(channels, 1, True) for channels in CHANNELS for _ in range(2)),
    *(depthwise(channels, 1, True, window_h=3, window_w=3, in_h=5, in_w=6) for channels in CHANNELS),
    *(depthwise(channels, multiplier, True) for channels in (1, 3, 4) for multiplier in (2, 3, 8)),
    *(depthwise(channels, 1, True, dilated=True) for channels in (1, 4, 5)),
    depthwise(4, 2, True, dilated=True),
    depthwise(8, 1, False, batch=2, window_h=3, window_w=3, in_h=5, in_w=5),
    *(depthwise(4, 1, True) for _ in range(6)),
)

DENSE = (
    *(dense(in_c, out_c) for in_c in CHANNELS for out_c in (1, 4, 7)),
    dense(64, 10, batches=3),
    dense(16, 8, bias=False),
    *(dense(in_c, 5, each=True) for in_c in (1, 4, 257)),
    dense(12, 6, batches=2, each=True),
)

POOLS = (
    *(pool("AVERAGE_POOL_2D", channels) for channels in CHANNELS for _ in range(2)),
    *(pool("MAX_POOL_2D", channels) for channels in CHANNELS for _ in range(2)),
    pool("AVERAGE_POOL_2D", 4, batch=2),
    pool("MAX_POOL_2D", 4, batch=2),
    pool("AVERAGE_POOL_2D", 64, window_h=7, window_w=5, in_h=7, in_w=5, padding=VALID),
)

SHAPES = (((1, 3, 4, 5), (1, 3, 4, 5)), ((2, 3, 4), (1,)), ((1, 5), (4, 5)), ((2, 1, 3), (2, 4, 1)), ((257,), (257,)))

SUMS = tuple(
    pair(operator, *shapes, dtype) for operator in ("ADD", "SUB") for shapes in SHAPES for dtype in ("INT8", "INT16")
)

CURVES = (
    *(unary("LOGISTIC", (1, 256), q(scale, zero), q(1 / 256, -128))
      for scale, zero in ((0.05, 0), (0.1, 20), (0.002, -128))),
    *(unary("TANH", (1, 256), q(scale, zero), q(1 / 128, 0)) for scale, zero in ((0.03, 0), (0.2, -7), (0.001, 127))),
    *(unary("SOFTMAX", shape, q(scale, 3), q(1 / 256, -128), beta=beta)
      for shape, scale, beta in (((1, 10), 0.1, 1.0), ((4, 257), 0.02, 1.0), ((2, 3), 2.0, 1.0), ((3, 1), 0.5, 0.5),
      ((1, 64), 0.004, 2.0))),
    unary("SOFTMAX", (3, 12), q(0.1, -4), q(1 / 65536, -32768), ("INT8", "INT16"), beta=1.0),
)  # fmt: skip

QUANTIZATIONS = (
    *(unary("QUANTIZE", (3, 50), {}, q(scale, zero), ("FLOAT32", dtype))
      for dtype, scale, zero in (("INT8", 0.0078125, 0), ("INT8", 0.0042, -128), ("INT16", 0.00003, 0),
      ("INT8", 0.0157, 127))),
    *(unary("QUANTIZE", (256,), q(a, za), q(b, zb), kinds)
      for kinds, a, za, b, zb in (
          (("INT8", "INT8"), 0.1, 3, 0.05, -3), (("INT8", "INT8"), 0.01, -128, 0.3, 127), (("INT8", "UINT8"), 0.1, 0,
          0.1, 128), (("UINT8", "INT8"), 0.02, 128, 0.02, 0), (("UINT8", "INT8"), 0.02, 12, 0.05, 7), (("INT8",
          "INT16"), 0.1, 5, 0.001, 0), (("INT16", "INT8"), 0.001, 0, 0.1, -5),
            (("INT16", "INT16"), 0.002, 0, 0.001, 0), (("INT16", "INT32"), 0.002, 0, 0.00001, 0),
          (("INT8", "INT32"), 0.1, 1, 0.0001, 0), (("INT32", "INT8"), 0.1, 0, 0.05, 1), (("INT32", "INT16"), 0.1, 0,
          0.05, 0))),
    *(unary("DEQUANTIZE", (256,), q(scale, zero), {}, (dtype, "FLOAT32"))
      for dtype, scale, zero in (("INT8", 0.1, 0), ("INT8", 0.0037, -128), ("UINT8", 0.02, 128), ("INT16", 0.0003, 0))),
)  # fmt: skip

GROUPS: dict[str, tuple[Case, ...]] = {
    "convolutions": CONVOLUTIONS,
    "depthwise": DEPTHWISE,
    "dense": DENSE,
    "pools": POOLS,
    "sums": SUMS,
    "curves": CURVES,
    "quantizations": QUANTIZATIONS,
}
"""Every kernel's cases."""

ALL = tuple(case for cases in GROUPS.values() for case in cases)
