"""Operators that move blocks of a tensor, of random shapes, axes and ranges: see `kernel_cases`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.firmware.kernel_cases import Case, Draw
from tests.support.model_builder import Graph


def scaled(draw: Draw, dtype: str) -> dict[str, Any]:
    """Scale and zero point, where the type has them."""
    if dtype not in ("INT8", "INT16"):
        return {}
    return {"scale": draw.real(0.005, 0.1), "zero_point": draw.zero_point() if dtype == "INT8" else 0}


def shape_of(draw: Draw, rank: int, low: int = 1, high: int = 5) -> list[int]:
    return [draw.whole(low, high) for _ in range(rank)]


def shuffled(draw: Draw, count: int) -> list[int]:
    left = list(range(count))
    return [left.pop(draw.whole(0, len(left) - 1)) for _ in range(count)]


def either_sign(draw: Draw, axis: int, rank: int) -> int:
    """The same axis, counted from the front or from the end."""
    return draw.one_of((axis, axis - rank))


def slice_(rank: int, dtype: str = "INT8", index: str = "INT32") -> Case:
    """Sizes are −1 in some places where a slice goes on to the end."""

    def add(g: Graph, draw: Draw, name: str) -> None:
        shape, kind = shape_of(draw, rank), scaled(draw, dtype)
        begins = [draw.whole(0, size - 1) for size in shape]
        sizes = [draw.whole(1, size - begin) for begin, size in zip(begins, shape, strict=True)]
        ends = [begin + size for begin, size in zip(begins, sizes, strict=True)]
        asked = [
            draw.one_of((size, -1)) if end == whole else size
            for size, end, whole in zip(sizes, ends, shape, strict=True)
        ]
        x = g.input(f"{name}/in", shape, dtype, **kind)
        limits = [g.constant(f"{name}/begin", begins, index), g.constant(f"{name}/size", asked, index)]
        g.op("SLICE", [x, *limits], [g.output(f"{name}/out", sizes, dtype, **kind)])

    return Case(f"slice {dtype.lower()} rank {rank}", add)


def strided_slice(rank: int, dtype: str = "INT8") -> Case:
    """Strides of both signs, ends that are open, negative or beyond the tensor, and axes that go away."""

    def add(g: Graph, draw: Draw, name: str) -> None:
        shape, kind = shape_of(draw, rank, 1, 6), scaled(draw, dtype)
        rows = [_range(draw, size) for size in shape]
        masks = {
            f"{mask}_mask": sum(1 << axis for axis, row in enumerate(rows) if row[mask])
            for mask in ("begin", "end", "shrink_axis")
        }
        sizes = np.zeros(shape)[tuple(row["pick"] for row in rows)].shape
        x = g.input(f"{name}/in", shape, dtype, **kind)
        limits = [
            g.constant(f"{name}/{part}", [row[part] for row in rows], "INT32") for part in ("first", "last", "stride")
        ]
        y = g.output(f"{name}/out", sizes, dtype, **kind)
        g.op("STRIDED_SLICE", [x, *limits], [y], **masks, ellipsis_mask=0, new_axis_mask=0)

    return Case(f"strided slice {dtype.lower()} rank {rank}", add)


def _range(draw: Draw, size: int) -> dict[str, Any]:
    """One axis: what the model says, and what Python would write for it; it leaves at least one element."""
    while True:
        stride = draw.one_of((1, 1, 2, 3, -1, -2))
        first, last = draw.whole(-size, size - 1), draw.whole(-size - 2, size + 2)
        begin, end = draw.random() < 0.2, draw.random() < 0.3
        if draw.random() < 0.15:
            said = {"first": first, "last": first + 1, "stride": 1}
            return {**said, "begin": False, "end": False, "shrink_axis": True, "pick": first}
        pick = slice(None if begin else first, None if end else last, stride)
        if len(range(size)[pick]) > 0:
            said = {"first": first, "last": last, "stride": stride}
            return {**said, "begin": begin, "end": end, "shrink_axis": False, "pick": pick}


def transpose(rank: int, dtype: str = "INT8") -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        shape, axes, kind = shape_of(draw, rank), shuffled(draw, rank), scaled(draw, dtype)
        x = g.input(f"{name}/in", shape, dtype, **kind)
        order = g.constant(f"{name}/axes", axes, "INT32")
        g.op("TRANSPOSE", [x, order], [g.output(f"{name}/out", [shape[axis] for axis in axes], dtype, **kind)])

    return Case(f"transpose {dtype.lower()} rank {rank}", add)


def pad(operator: str, rank: int, dtype: str = "INT8") -> Case:
    """PADV2 gets its value as a constant."""

    def add(g: Graph, draw: Draw, name: str) -> None:
        shape, kind = shape_of(draw, rank), scaled(draw, dtype)
        pads = [(draw.whole(0, 3), draw.whole(0, 3)) for _ in shape]
        sizes = [before + size + after for size, (before, after) in zip(shape, pads, strict=True)]
        inputs = [g.input(f"{name}/in", shape, dtype, **kind), g.constant(f"{name}/pads", pads, "INT32")]
        if operator == "PADV2":
            inputs.append(g.constant(f"{name}/value", [draw.whole(-100, 100)], dtype, **kind))
        g.op(operator, inputs, [g.output(f"{name}/out", sizes, dtype, **kind)])

    return Case(f"{operator.lower()} {dtype.lower()} rank {rank}", add)


def join(operator: str, rank: int, pieces: int, dtype: str = "INT8") -> Case:
    """CONCATENATION of pieces of several sizes, or PACK of pieces of one more dimension in the end."""

    def add(g: Graph, draw: Draw, name: str) -> None:
        shapes, whole, axis = _parts(draw, operator == "PACK", rank, pieces, equal=False)
        kind = scaled(draw, dtype)
        inputs = [g.input(f"{name}/in{at}", shape, dtype, **kind) for at, shape in enumerate(shapes)]
        options = {"values_count": pieces} if operator == "PACK" else {"fused_activation_function": 0}
        y = g.output(f"{name}/out", whole, dtype, **kind)
        g.op(operator, inputs, [y], axis=either_sign(draw, axis, len(whole)), **options)

    return Case(f"{operator.lower()} {dtype.lower()} of {pieces} rank {rank}", add)


def part(operator: str, rank: int, pieces: int, dtype: str = "INT8") -> Case:
    """SPLIT into equal pieces, SPLIT_V into any, UNPACK into pieces of one dimension less."""

    def add(g: Graph, draw: Draw, name: str) -> None:
        shapes, whole, axis = _parts(draw, operator == "UNPACK", rank, pieces, equal=operator == "SPLIT")
        kind = scaled(draw, dtype)
        x = g.input(f"{name}/in", whole, dtype, **kind)
        outputs = [g.output(f"{name}/out{at}", shape, dtype, **kind) for at, shape in enumerate(shapes)]
        if operator == "UNPACK":
            g.op(operator, [x], outputs, num=pieces, axis=either_sign(draw, axis, len(whole)))
            return
        where = g.constant(f"{name}/axis", [either_sign(draw, axis, rank)], "INT32", shape=())
        if operator == "SPLIT":
            g.op(operator, [where, x], outputs, num_splits=pieces)
        else:
            sizes = g.constant(f"{name}/sizes", [shape[axis] for shape in shapes], "INT32")
            g.op(operator, [x, sizes, where], outputs, num_splits=pieces)

    return Case(f"{operator.lower()} {dtype.lower()} to {pieces} rank {rank}", add)


def _parts(
    draw: Draw, new_axis: bool, rank: int, pieces: int, *, equal: bool
) -> tuple[list[list[int]], list[int], int]:
    """Shapes of pieces, the shape of the whole, and the axis along which it is made of them."""
    shape = shape_of(draw, rank)
    if new_axis:
        axis = draw.whole(0, rank)
        return [shape] * pieces, [*shape[:axis], pieces, *shape[axis:]], axis
    axis = draw.whole(0, rank - 1)
    sizes = [shape[axis]] * pieces if equal else [draw.whole(1, 6) for _ in range(pieces)]
    return (
        [[*shape[:axis], size, *shape[axis + 1 :]] for size in sizes],
        [*shape[:axis], sum(sizes), *shape[axis + 1 :]],
        axis,
    )


def resize(channels: int, dtype: str = "INT8", **options: bool) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        kind, batch = scaled(draw, dtype), draw.whole(1, 2)
        size, out = shape_of(draw, 2, 1, 9), shape_of(draw, 2, 1, 17)
        inputs = [
            g.input(f"{name}/in", (batch, *size, channels), dtype, **kind),
            g.constant(f"{name}/size", out, "INT32"),
        ]
        y = g.output(f"{name}/out", (batch, *out, channels), dtype, **kind)
        g.op("RESIZE_NEAREST_NEIGHBOR", inputs, [y], **options)

    return Case(f"resize {dtype.lower()} {channels} {' '.join(options)}", add)


WIDE = ("INT16", "INT32", "FLOAT32")

MOVEMENTS = (
    *(slice_(rank) for rank in (1, 2, 3, 4, 5) for _ in range(2)),
    *(slice_(3, dtype) for dtype in WIDE),
    slice_(4, index="INT64"),
    *(strided_slice(rank) for rank in (1, 2, 3, 4) for _ in range(6)),
    *(strided_slice(3, dtype) for dtype in WIDE),
    *(transpose(rank) for rank in (1, 2, 3, 4, 5) for _ in range(2)),
    *(transpose(4, dtype) for dtype in ("INT16", "FLOAT32")),
    *(pad(operator, rank) for operator in ("PAD", "PADV2") for rank in (1, 2, 3, 4)),
    *(pad(operator, 3, dtype) for operator in ("PAD", "PADV2") for dtype in WIDE),
    *(
        resize(channels, **{option: True})
        for channels in (1, 3, 64)
        for option in ("align_corners", "half_pixel_centers")
    ),
    *(resize(4, dtype) for dtype in ("INT8", "INT16", "FLOAT32")),
    *(resize(1) for _ in range(3)),
)

PIECES = (
    *(join("CONCATENATION", rank, pieces) for rank in (1, 2, 3, 4) for pieces in (1, 2, 7)),
    *(join("CONCATENATION", 3, 3, dtype) for dtype in WIDE),
    *(join("PACK", rank, pieces) for rank in (0, 1, 2, 3) for pieces in (1, 3)),
    *(join("PACK", 2, 3, dtype) for dtype in ("INT32", "FLOAT32")),
    *(
        part(operator, rank, pieces)
        for operator in ("UNPACK", "SPLIT", "SPLIT_V")
        for rank in (1, 2, 3)
        for pieces in (1, 3)
    ),
    *(part(operator, 3, 2, dtype) for operator in ("SPLIT", "SPLIT_V") for dtype in WIDE),
    *(part("UNPACK", 2, 3, dtype) for dtype in ("INT32", "FLOAT32")),
)

GROUPS: dict[str, tuple[Case, ...]] = {"movements": MOVEMENTS, "pieces": PIECES}
