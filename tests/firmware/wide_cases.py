"""Convolutions and fully connected layers of 16 bits with weights of 8: see `kernel_cases`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.firmware.kernel_cases import (
    NONE,
    RELU,
    RELU6,
    Case,
    Draw,
    filter_tensor,
    output_size,
    per_channel,
    spread,
    window_shape,
)
from tests.support.model_builder import Graph, weights

FINE = 1 / 256


def inputs_of(
    g: Graph, draw: Draw, name: str, shape: Sequence[int], axis: int, x: int, scale: float, each: bool
) -> list[int]:
    """The picture, its filter, and mostly a bias of 64 bits."""
    channels = shape[axis]
    scales = per_channel(draw, channels, each)
    inputs = [x, filter_tensor(g, draw, name, shape, axis, scales)]
    if draw.random() < 0.7:
        values = weights(draw.whole(0, 10**6), (channels,), -(10**6), 10**6)
        by = {"scale": [scale * one for one in scales], "zero_point": [0] * len(scales)}
        inputs.append(g.constant(f"{name}/bias", values, "INT64", **by))
    return inputs


def wide(draw: Draw, products: int, scale: float) -> dict[str, float | int]:
    return {"scale": spread(products, scale, 0.01, draw), "zero_point": 0}


def conv(operator: str, in_c: int, out_c: int, each: bool, *, groups: int = 1, dilated: bool = False) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        w, batch, scale = window_shape(draw, dilated), draw.whole(1, 2), draw.real(0.01, 0.1) * FINE
        shape = (batch, w["in_h"], w["in_w"], in_c)
        x = g.input(f"{name}/in", shape, "INT16", scale=scale, zero_point=0)
        window = (w["window_h"], w["window_w"])
        is_conv = operator == "CONV_2D"
        filters = (out_c, *window, in_c // groups) if is_conv else (1, *window, out_c)
        inputs = inputs_of(g, draw, name, filters, 0 if is_conv else 3, x, scale, each)
        products = int(np.prod(window)) * (in_c // groups if is_conv else 1)
        y = g.output(f"{name}/out", (batch, *output_size(w), out_c), "INT16", **wide(draw, products, scale))
        options = {"padding": w["padding"], "stride_h": w["stride_h"], "stride_w": w["stride_w"]}
        options |= {"dilation_h_factor": w["dilation_h"], "dilation_w_factor": w["dilation_w"]}
        options |= {} if is_conv else {"depth_multiplier": out_c // in_c}
        g.op(operator, inputs, [y], fused_activation_function=draw.one_of((NONE, RELU, RELU6)), **options)

    return Case(f"{operator.lower()} int16 {in_c} to {out_c}", add)


def dense(in_c: int, out_c: int, batches: int, each: bool) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        scale = draw.real(0.01, 0.1) * FINE
        x = g.input(f"{name}/in", (batches, in_c), "INT16", scale=scale, zero_point=0)
        inputs = inputs_of(g, draw, name, (out_c, in_c), 0, x, scale, each)
        y = g.output(f"{name}/out", (batches, out_c), "INT16", **wide(draw, in_c, scale))
        g.op("FULLY_CONNECTED", inputs, [y], fused_activation_function=draw.one_of((NONE, RELU, RELU6)))

    return Case(f"dense int16 {in_c} to {out_c}", add)


WIDE = (
    *(conv("CONV_2D", in_c, out_c, each) for in_c, out_c in ((1, 3), (4, 5), (64, 3), (3, 65))
      for each in (False, True)),
    *(conv("CONV_2D", 8, 4, True, groups=groups) for groups in (2, 4)),
    *(conv("CONV_2D", 3, 4, True, dilated=True) for _ in range(2)),
    *(conv("DEPTHWISE_CONV_2D", in_c, in_c * multiplier, True) for in_c in (1, 3, 5) for multiplier in (1, 2)),
    *(conv("DEPTHWISE_CONV_2D", 4, 4, each, dilated=True) for each in (False, True)),
    *(dense(in_c, out_c, batches, each) for in_c, out_c, batches in ((1, 1, 1), (33, 7, 1), (257, 5, 2))
      for each in (False, True)),
)  # fmt: skip

GROUPS: dict[str, tuple[Case, ...]] = {"wide": WIDE}
