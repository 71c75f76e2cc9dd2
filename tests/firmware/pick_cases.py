"""Sums, extremes, positions, slopes, and elements that are rearranged: see `kernel_cases`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.firmware.kernel_cases import Case, Draw, unary
from tests.firmware.movement_cases import either_sign, scaled, shape_of
from tests.support.model_builder import Graph, weights


def reduce(operator: str, rank: int, dtype: str) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        shape, keep = shape_of(draw, rank), draw.random() < 0.5
        axes = sorted({draw.whole(0, rank - 1) for _ in range(draw.whole(1, rank))})
        source = scaled(draw, dtype)
        result = scaled(draw, dtype) if operator == "SUM" else source
        x = g.input(f"{name}/in", shape, dtype, **source)
        by = g.constant(f"{name}/axes", [either_sign(draw, axis, rank) for axis in axes], "INT32")
        out = np.zeros(shape).sum(tuple(axes), keepdims=keep).shape
        g.op(operator, [x, by], [g.output(f"{name}/out", out, dtype, **result)], keep_dims=keep)

    return Case(f"{operator.lower()} {dtype.lower()} rank {rank}", add)


def position(operator: str, rank: int, dtype: str) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        shape, axis = shape_of(draw, rank, 2, 7), draw.whole(0, rank - 1)
        x = g.input(f"{name}/in", shape, dtype, **scaled(draw, dtype))
        by = g.constant(f"{name}/axis", [either_sign(draw, axis, rank)], "INT32", shape=())
        y = g.output(f"{name}/out", [*shape[:axis], *shape[axis + 1 :]], "INT32")
        g.op(operator, [x, by], [y], output_type=2)

    return Case(f"{operator.lower()} {dtype.lower()} rank {rank}", add)


def prelu(shape: Sequence[int], slopes: Sequence[int], dtype: str) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        x = g.input(f"{name}/in", shape, dtype, **scaled(draw, dtype))
        values = weights(draw.whole(0, 10**6), slopes)
        if dtype == "FLOAT32":
            by = g.constant(f"{name}/slopes", values / 128, "FLOAT32")
        else:
            by = g.constant(f"{name}/slopes", values, **scaled(draw, "INT8"))
        g.op("PRELU", [x, by], [g.output(f"{name}/out", shape, dtype, **scaled(draw, dtype))])

    return Case(f"prelu {dtype.lower()} {tuple(shape)} {tuple(slopes)}", add)


def gather(rank: int, positions: Sequence[int], dtype: str, batch_dims: int = 0) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        shape, axis, kind = shape_of(draw, rank), draw.whole(batch_dims, rank - 1), scaled(draw, dtype)
        picked = [*shape[:batch_dims], *positions]
        x = g.input(f"{name}/in", shape, dtype, **kind)
        at = g.constant(f"{name}/at", weights(draw.whole(0, 10**6), picked, 0, shape[axis] - 1), "INT32")
        y = g.output(f"{name}/out", [*shape[:axis], *positions, *shape[axis + 1 :]], dtype, **kind)
        g.op("GATHER", [x, at], [y], axis=either_sign(draw, axis, rank), batch_dims=batch_dims)

    return Case(f"gather {dtype.lower()} rank {rank}", add)


def broadcast(shape: Sequence[int], out: Sequence[int], dtype: str) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        kind = scaled(draw, dtype)
        x, to = g.input(f"{name}/in", shape, dtype, **kind), g.constant(f"{name}/shape", out, "INT32")
        g.op("BROADCAST_TO", [x, to], [g.output(f"{name}/out", out, dtype, **kind)])

    return Case(f"broadcast {dtype.lower()} {tuple(shape)} {tuple(out)}", add)


def depth(operator: str, size: int, dtype: str = "INT8") -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        batch, rows, columns, channels = shape_of(draw, 4, 1, 4)
        shapes = [(batch, rows, columns, channels * size**2), (batch, rows * size, columns * size, channels)]
        source, out = shapes if operator == "DEPTH_TO_SPACE" else shapes[::-1]
        kind = scaled(draw, dtype)
        x = g.input(f"{name}/in", source, dtype, **kind)
        g.op(operator, [x], [g.output(f"{name}/out", out, dtype, **kind)], block_size=size)

    return Case(f"{operator.lower()} {dtype.lower()} {size}", add)


def batches(operator: str, spatial: int, dtype: str = "INT8") -> Case:
    """Pictures with one or two dimensions in space, padded up to whole blocks."""

    def add(g: Graph, draw: Draw, name: str) -> None:
        batch, channels, kind = draw.whole(1, 2), draw.whole(1, 4), scaled(draw, dtype)
        blocks = [draw.whole(1, 3) for _ in range(spatial)]
        sizes = [draw.whole(3, 6) for _ in range(spatial)]
        before = [draw.whole(0, 2) for _ in range(spatial)]
        after = [-(size + front) % block for size, front, block in zip(sizes, before, blocks, strict=True)]
        parts = [(size + front + back) // block
                 for size, front, back, block in zip(sizes, before, after, blocks, strict=True)]  # fmt: skip
        few, many = (batch, *sizes, channels), (batch * int(np.prod(blocks)), *parts, channels)
        source, out = (few, many) if operator == "SPACE_TO_BATCH_ND" else (many, few)
        inputs = [g.input(f"{name}/in", source, dtype, **kind), g.constant(f"{name}/block", blocks, "INT32")]
        inputs.append(g.constant(f"{name}/edges", list(zip(before, after, strict=True)), "INT32"))
        g.op(operator, inputs, [g.output(f"{name}/out", out, dtype, **kind)])

    return Case(f"{operator.lower()} {dtype.lower()} {spatial}", add)


def bilinear(channels: int, dtype: str = "INT8", **options: bool) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        kind, batch = scaled(draw, dtype), draw.whole(1, 2)
        size, out = shape_of(draw, 2, 1, 9), shape_of(draw, 2, 1, 17)
        x, to = g.input(f"{name}/in", (batch, *size, channels), dtype, **kind), g.constant(f"{name}/size", out, "INT32")
        y = g.output(f"{name}/out", (batch, *out, channels), dtype, **kind)
        g.op("RESIZE_BILINEAR", [x, to], [y], **options)

    return Case(f"bilinear {dtype.lower()} {channels} {' '.join(options)}", add)


REDUCTIONS = (
    *(reduce("SUM", rank, dtype) for rank in (1, 2, 3, 4) for dtype in ("INT8", "INT16", "FLOAT32")),
    *(reduce(operator, rank, dtype) for operator in ("REDUCE_MAX", "REDUCE_MIN") for rank in (1, 2, 3, 4)
      for dtype in ("INT8", "FLOAT32")),
    *(position(operator, rank, dtype) for operator in ("ARG_MAX", "ARG_MIN") for rank in (1, 2, 3)
      for dtype in ("INT8", "FLOAT32")),
)  # fmt: skip

SLOPES = tuple(
    prelu(shape, slopes, dtype)
    for shape, slopes in (((1, 5, 6, 7), (7,)), ((2, 4, 5), (1, 1, 5)), ((1, 64), (1, 64)), ((3, 9), (1,)))
    for dtype in ("INT8", "INT16", "FLOAT32")
)

PICKS = (
    *(gather(rank, positions, dtype) for rank in (1, 2, 3) for positions in ((5,), (2, 3))
      for dtype in ("INT8", "FLOAT32")),
    gather(3, (4,), "INT8", batch_dims=1),
    *(broadcast(shape, out, dtype) for shape, out in (((1, 4), (3, 4)), ((4, 1), (2, 4, 5)), ((1,), (2, 3, 2, 2)))
      for dtype in ("INT8", "INT16", "FLOAT32")),
    *(depth(operator, size) for operator in ("DEPTH_TO_SPACE", "SPACE_TO_DEPTH") for size in (1, 2, 3)),
    *(depth(operator, 2, "FLOAT32") for operator in ("DEPTH_TO_SPACE", "SPACE_TO_DEPTH")),
    *(batches(operator, spatial) for operator in ("SPACE_TO_BATCH_ND", "BATCH_TO_SPACE_ND")
      for spatial in (1, 2, 2, 2)),
    *(batches(operator, 2, "FLOAT32") for operator in ("SPACE_TO_BATCH_ND", "BATCH_TO_SPACE_ND")),
)  # fmt: skip

MIXTURES = tuple(
    bilinear(channels, dtype, **options)
    for options in ({}, {"align_corners": True}, {"half_pixel_centers": True})
    for channels in (1, 5)
    for dtype in ("INT8", "INT8", "FLOAT32")
)

FUNCTIONS = tuple(
    unary(operator, (3, 70), {}, {}, ("FLOAT32", "FLOAT32"))
    for operator in ("ABS", "CEIL", "COS", "EXP", "FLOOR", "LOG", "NEG", "ROUND", "RSQRT", "SIN", "SQRT", "SQUARE")
)

GROUPS: dict[str, tuple[Case, ...]] = {
    "reductions": REDUCTIONS,
    "slopes": SLOPES,
    "picks": PICKS,
    "mixtures": MIXTURES,
    "functions": FUNCTIONS,
}
