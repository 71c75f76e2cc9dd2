"""Operators with a state, over several invocations, and transposed convolutions: see `kernel_cases`."""

from __future__ import annotations

import numpy as np

from tests.firmware.kernel_cases import SAME, VALID, Case, Draw, per_channel, spread
from tests.support.model_builder import Graph, weights

TANH = 4
ABSENT = -1


def svdf(in_c: int, units: int, rank: int, memory: int, state: str = "INT16", batches: int = 1) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        filters = units * rank
        scale, feature_scale, time_scale = draw.real(0.01, 0.1), draw.real(0.002, 0.02), draw.real(0.0002, 0.002)
        state_scale = spread(in_c, scale, feature_scale, draw) * (1 if state == "INT8" else 1 / 256)
        time_scale *= 1 if state == "INT16" else 50
        most = 127 if state == "INT8" else 32767
        zero = draw.whole(-20, 20) if state == "INT8" else 0
        x = g.input(f"{name}/in", (batches, in_c), scale=scale, zero_point=draw.zero_point())
        features, time = (
            weights(draw.whole(0, 10**6), (filters, in_c)),
            weights(draw.whole(0, 10**6), (filters, memory), -most, most),
        )
        bias = weights(draw.whole(0, 10**6), (units,), -20000, 20000)
        inputs = [
            x,
            g.constant(f"{name}/features", features, scale=feature_scale, zero_point=0),
            g.constant(f"{name}/time", time, state, scale=time_scale, zero_point=0),
            g.constant(f"{name}/bias", bias, "INT32", scale=state_scale * time_scale, zero_point=0),
            g.tensor(
                f"{name}/state", (batches, filters * memory), state, scale=state_scale, zero_point=zero, variable=True
            ),
        ]
        out_scale = (
            state_scale * time_scale * most * most / 128 * (memory * rank) ** 0.5 / 3 * draw.one_of((0.3, 1.0, 2.0))
        )
        y = g.output(f"{name}/out", (batches, units), scale=out_scale, zero_point=draw.zero_point())
        g.op("SVDF", inputs, [y], rank=rank, fused_activation_function=1)

    return Case(f"svdf {in_c} to {units} rank {rank} memory {memory} {state.lower()}", add)


def svdf_of_floats(in_c: int, units: int, rank: int, memory: int, batches: int = 1, activation: int = 0) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        def constant(part: str, *shape: int) -> int:
            return g.constant(f"{name}/{part}", weights(draw.whole(0, 10**6), shape) / 128, "FLOAT32")

        filters = units * rank
        inputs = [g.input(f"{name}/in", (batches, in_c), "FLOAT32"), constant("features", filters, in_c)]
        inputs += [constant("time", filters, memory), constant("bias", units)]
        inputs.append(g.tensor(f"{name}/state", (batches, filters * memory), "FLOAT32", variable=True))
        y = g.output(f"{name}/out", (batches, units), "FLOAT32")
        g.op("SVDF", inputs, [y], rank=rank, fused_activation_function=activation)

    return Case(f"svdf {in_c} to {units} rank {rank} memory {memory} float32", add)


def lstm(
    in_c: int,
    units: int,
    steps: int,
    *,
    batches: int = 1,
    time_major: bool = False,
    clip: float = 0.0,
    power: int = -11,
    dtype: str = "INT8",
) -> Case:
    """A cell's scale is 2^power."""

    def add(g: Graph, draw: Draw, name: str) -> None:
        is_float = dtype == "FLOAT32"

        def quantised(scale: float, zero: int = 0) -> dict[str, float | int]:
            return {} if is_float else {"scale": scale, "zero_point": zero}

        def constant(part: str, shape: tuple[int, ...], kind: str, low: int, high: int, scale: float) -> int:
            values = weights(draw.whole(0, 10**6), shape, low, high)
            return g.constant(f"{name}/{part}", values * scale if is_float else values, kind, **quantised(scale))

        zeros = (draw.zero_point(), draw.whole(-30, 30)) if dtype == "INT8" else (0, 0)
        fine = 1.0 if dtype == "INT8" else 1 / 256
        scale, hidden_scale = draw.real(0.005, 0.02) * fine, draw.real(0.006, 0.009) * fine
        rows = (steps, batches) if time_major else (batches, steps)
        x = g.input(f"{name}/in", (*rows, in_c), dtype, **quantised(scale, zeros[0]))
        gates = ("input", "forget", "cell", "output")
        scales = [draw.real(0.002, 0.02) for _ in range(8)]
        kind, bias_kind = ("FLOAT32",) * 2 if is_float else ("INT8", "INT32" if dtype == "INT8" else "INT64")
        inputs = [x]
        inputs += [
            constant(f"{gate}/weights", (units, in_c), kind, -127, 127, scales[at]) for at, gate in enumerate(gates)
        ]
        inputs += [
            constant(f"{gate}/recurrent", (units, units), kind, -127, 127, scales[4 + at])
            for at, gate in enumerate(gates)
        ]
        inputs += [ABSENT] * 3
        inputs += [
            constant(f"{gate}/bias", (units,), bias_kind, -9000, 9000, scales[at] * scale)
            for at, gate in enumerate(gates)
        ]
        inputs += [ABSENT] * 2
        states = (quantised(hidden_scale, zeros[1]), quantised(2.0**power))
        kinds = (dtype, "FLOAT32" if is_float else "INT16")
        inputs += [
            g.tensor(f"{name}/{part}", (batches, units), kinds[at], **states[at], variable=True)
            for at, part in enumerate(("hidden", "cells"))
        ]
        inputs += [ABSENT] * 4
        y = g.output(f"{name}/out", (*rows, units), dtype, **quantised(hidden_scale, zeros[1]))
        options = {"fused_activation_function": TANH, "cell_clip": clip, "proj_clip": 0.0, "time_major": time_major}
        g.op("UNIDIRECTIONAL_SEQUENCE_LSTM", inputs, [y], **options)

    return Case(f"lstm {dtype.lower()} {in_c} to {units} steps {steps} of {batches}", add)


def transpose_conv(in_c: int, out_c: int, each: bool, dtype: str = "INT8", bias: str = "INT32") -> Case:
    """`bias` is its element type, or "" for none."""

    def add(g: Graph, draw: Draw, name: str) -> None:
        is_float = dtype == "FLOAT32"
        window, stride, size = ((draw.whole(1, 4), draw.whole(1, 4)) for _ in range(3))
        padding, batch = draw.one_of((SAME, VALID)), draw.whole(1, 2)
        out = [n * s if padding == SAME else (n - 1) * s + k for n, s, k in zip(size, stride, window, strict=True)]
        scale, scales = draw.real(0.01, 0.1), per_channel(draw, out_c, each)
        shape = (out_c, *window, in_c)
        fine = 1.0 if dtype == "INT8" else 1 / 256
        zeros = (draw.zero_point(), draw.zero_point()) if dtype == "INT8" else (0, 0)
        values = weights(draw.whole(0, 10**6), shape)
        if is_float:
            filters = g.constant(f"{name}/filter", values / 256, "FLOAT32")
        else:
            filters = g.constant(f"{name}/filter", values, scale=scales, zero_point=[0] * len(scales), axis=0)
        places = [draw.whole(-9000, 9000) for _ in range(out_c)]
        inputs = [g.constant(f"{name}/shape", (batch, *out, out_c), "INT32"), filters]
        inputs.append(
            g.input(f"{name}/in", (batch, *size, in_c), dtype, **_quantised(is_float, scale * fine, zeros[0]))
        )
        if bias:
            kinds = _quantised(is_float, [scale * fine * one for one in scales], [0] * len(scales))
            inputs.append(g.constant(f"{name}/bias", np.array(places) / (9000 if is_float else 1), bias, **kinds))
        out_scale = spread(in_c * window[0] * window[1], scale, max(scales), draw) * fine
        y = g.output(f"{name}/out", (batch, *out, out_c), dtype, **_quantised(is_float, out_scale, zeros[1]))
        options = {"padding": padding, "stride_h": stride[0], "stride_w": stride[1]}
        g.op("TRANSPOSE_CONV", inputs, [y], **options, fused_activation_function=0)

    return Case(f"transpose conv {dtype.lower()} {in_c} to {out_c}", add)


def _quantised(is_float: bool, scale: float | list[float], zero_point: int | list[int]) -> dict[str, object]:
    return {} if is_float else {"scale": scale, "zero_point": zero_point}


MEMORIES = (
    *(
        svdf(in_c, units, rank, memory)
        for in_c, units, rank, memory in ((1, 1, 1, 1), (16, 64, 2, 5), (257, 9, 1, 10), (5, 65, 3, 2))
    ),
    *(svdf(in_c, units, rank, memory, "INT8") for in_c, units, rank, memory in ((4, 40, 1, 3), (33, 21, 2, 8))),
    *(svdf(8, 17, 2, 6, state, batches=3) for state in ("INT8", "INT16")),
    *(svdf_of_floats(7, 9, rank, 5, batches, activation) for rank, batches, activation in ((1, 1, 1), (2, 3, 0))),
)

LSTMS = (
    *(lstm(in_c, units, steps) for in_c, units, steps in ((1, 1, 1), (3, 4, 5), (28, 20, 3), (5, 65, 2), (64, 7, 9))),
    *(lstm(6, 5, 4, batches=3, time_major=time_major) for time_major in (False, True)),
    *(lstm(4, 6, 8, clip=clip) for clip in (0.25, 1.5)),
    *(lstm(4, 6, 6, power=power) for power in (-15, -13, -12, -9)),
    *(lstm(7, 9, 5, clip=clip, dtype=dtype) for dtype in ("INT16", "FLOAT32") for clip in (0.0, 0.5)),
    *(lstm(3, 33, 2, batches=2, time_major=True, dtype=dtype) for dtype in ("INT16", "FLOAT32")),
)

WIDENED = (
    *(
        transpose_conv(in_c, out_c, each)
        for in_c, out_c in ((1, 3), (3, 5), (4, 4), (65, 2), (5, 1))
        for each in (0, 1)
    ),
    *(transpose_conv(4, 3, True, bias="") for _ in range(3)),
    *(transpose_conv(3, 4, True, "INT16", bias) for bias in ("INT64", "INT16", "")),
    *(transpose_conv(3, 4, True, "FLOAT32", bias) for bias in ("FLOAT32", "")),
    *(transpose_conv(2, 3, True) for _ in range(12)),
)

GROUPS: dict[str, tuple[Case, ...]] = {"memories": MEMORIES, "lstms": LSTMS, "widened": WIDENED}
