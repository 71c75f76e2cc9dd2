"""Casts and quotients of constants, since inputs of wide types are small numbers: see `kernel_cases`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.firmware.kernel_cases import Case, Draw
from tests.support.model_builder import Graph, weights

RANGES = {
    "BOOL": (0, 1),
    "INT8": (-128, 127),
    "INT16": (-(2**15), 2**15 - 1),
    "INT32": (-(2**31), 2**31 - 1),
    "UINT32": (0, 2**32 - 1),
    "FLOAT32": (-(2**31), 2**31 - 1),
}
STORED = {"BOOL": "?", "INT8": "i1", "INT16": "<i2", "INT32": "<i4", "UINT32": "<u4", "FLOAT32": "<f4"}


def numbers(draw: Draw, shape: Sequence[int], low: int, high: int) -> np.ndarray:
    return weights(draw.whole(0, 10**6), shape, low, high)


def quotient(left: Sequence[int], right: Sequence[int], dtype: str) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        sign = np.where(numbers(draw, right, 0, 1), 1, -1)
        dividends = g.constant(f"{name}/left", numbers(draw, left, *RANGES[dtype]), dtype)
        divisors = g.constant(f"{name}/right", sign * numbers(draw, right, 2, draw.one_of((5, 10**4, 2**30))), dtype)
        y = g.output(f"{name}/out", np.broadcast_shapes(tuple(left), tuple(right)), dtype)
        g.op("DIV", [dividends, divisors], [y], fused_activation_function=draw.one_of((0, 0, 0, 1, 3)))

    return Case(f"div {dtype.lower()} {tuple(left)} {tuple(right)}", add)


def cast(source: str, output: str) -> Case:
    """All the range of the source; floats stay in the output's, beyond which every processor has its own."""

    def add(g: Graph, draw: Draw, name: str) -> None:
        low, high = RANGES["INT8" if (source, output) == ("FLOAT32", "INT8") else source]
        low, high = RANGES["INT16"] if (source, output) == ("FLOAT32", "INT16") else (low, high)
        values = numbers(draw, (64,), low, high)
        values = values + numbers(draw, (64,), 0, 99) / 100 if source == "FLOAT32" and output != "INT32" else values
        x = g.tensor(f"{name}/in", (64,), source, data=np.clip(values, low, high).astype(STORED[source]).tobytes())
        g.op("CAST", [x], [g.output(f"{name}/out", (64,), output)])

    return Case(f"cast {source.lower()} to {output.lower()}", add)


QUOTIENTS = tuple(
    quotient(left, right, dtype)
    for left, right in (((3, 4), (3, 4)), ((2, 3, 4), (4,)), ((2, 1, 5), (3, 1)), ((1,), (2, 8)), ((40,), (1,)))
    for dtype in ("INT32", "FLOAT32")
    for _ in range(2)
)

CASTS = tuple(
    cast(source, output)
    for source in ("BOOL", "INT8", "INT16", "INT32", "UINT32", "FLOAT32")
    for output in ("INT8", "INT16", "INT32", "UINT32", "FLOAT32")
    if (source, output) != ("FLOAT32", "UINT32")
)

GROUPS: dict[str, tuple[Case, ...]] = {"quotients": QUOTIENTS, "casts": CASTS}
