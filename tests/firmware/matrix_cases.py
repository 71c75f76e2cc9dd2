"""Products of matrices, sums along an axis, and logic: see `kernel_cases`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.firmware.kernel_cases import Case, Draw, spread, unary
from tests.firmware.movement_cases import either_sign, scaled, shape_of
from tests.support.model_builder import Graph


def product(left: Sequence[int], right: Sequence[int], turned: str, dtype: str) -> Case:
    """Batches in front of the matrices; `turned` names the sides that stand transposed."""

    def add(g: Graph, draw: Draw, name: str) -> None:
        rows, depth, columns = (draw.whole(1, 9) for _ in range(3))
        shapes = [*left, *((depth, rows) if "x" in turned else (rows, depth))]
        others = [*right, *((columns, depth) if "y" in turned else (depth, columns))]
        kinds = [scaled(draw, dtype) for _ in range(2)]
        inputs = [
            g.input(f"{name}/left", shapes, dtype, **kinds[0]),
            g.input(f"{name}/right", others, dtype, **kinds[1]),
        ]
        result = scaled(draw, dtype)
        if result:
            fine = 1 if dtype == "INT8" else 256
            result["scale"] = spread(depth, kinds[0]["scale"], kinds[1]["scale"], draw) * fine
        y = g.output(f"{name}/out", [*np.broadcast_shapes(tuple(left), tuple(right)), rows, columns], dtype, **result)
        g.op("BATCH_MATMUL", inputs, [y], adj_x="x" in turned, adj_y="y" in turned)

    return Case(f"matmul {dtype.lower()} {tuple(left)} {tuple(right)} {turned}", add)


def cumsum(rank: int, dtype: str, *, exclusive: bool = False, reverse: bool = False) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        shape, axis = shape_of(draw, rank, 1, 7), draw.whole(0, rank - 1)
        x = g.input(f"{name}/in", shape, dtype, **scaled(draw, dtype))
        by = g.constant(f"{name}/axis", [either_sign(draw, axis, rank)], "INT32")
        y = g.output(f"{name}/out", shape, dtype, **scaled(draw, dtype))
        g.op("CUMSUM", [x, by], [y], exclusive=exclusive, reverse=reverse)

    return Case(f"cumsum {dtype.lower()} rank {rank}", add)


def logic(operator: str, left: Sequence[int], right: Sequence[int]) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        inputs = [g.input(f"{name}/{side}", shape, "BOOL") for side, shape in (("left", left), ("right", right))]
        g.op(operator, inputs, [g.output(f"{name}/out", np.broadcast_shapes(tuple(left), tuple(right)), "BOOL")])

    return Case(f"{operator.lower()} {tuple(left)} {tuple(right)}", add)


PRODUCTS = tuple(
    product(left, right, turned, dtype)
    for left, right in (((), ()), ((3,), (3,)), ((2, 3), (1, 3)), ((1, 2), (4, 1)))
    for turned in ("", "x", "y", "xy")
    for dtype in ("INT8", "INT16", "FLOAT32")
)

SUMS = tuple(
    cumsum(rank, dtype, exclusive=exclusive, reverse=reverse)
    for rank in (1, 3)
    for dtype in ("INT8", "FLOAT32")
    for exclusive in (False, True)
    for reverse in (False, True)
)

LOGIC = (
    *(logic(operator, left, right) for operator in ("LOGICAL_AND", "LOGICAL_OR")
      for left, right in (((3, 40), (3, 40)), ((4, 1), (1, 30)))),
    unary("LOGICAL_NOT", (5, 30), {}, {}, ("BOOL", "BOOL")),
)  # fmt: skip

GROUPS: dict[str, tuple[Case, ...]] = {"matrices": PRODUCTS, "running sums": SUMS, "logic": LOGIC}
