"""BATCH_MATMUL and CUMSUM.

F3. Sources: TFLM's kernels/batch_matmul.cc, cumsum.cc.
"""

from __future__ import annotations

from math import prod
from typing import Any

from arena_codegen.inference.blocks import numbers
from arena_codegen.inference.call import KernelCall, Unsupported
from arena_codegen.inference.fixed_point import RANGES, quantize_multiplier, scale, scale_fields, zero_point
from arena_codegen.inference.pairs import ELEMENTS, RANK, filled, same_dtype, steps
from arena_codegen.kernels.call import Call

LIFT = 20
"""Bits by which CUMSUM lifts its elements."""
MOST_SHIFT = 7
"""To the left, of a sum of 64 bits (MultiplyByQuantizedMultiplier)."""


def batch_matmul(call: Call) -> KernelCall:
    left, right, output = call.input(0), call.input(1), call.output()
    kind = same_dtype(left, right, output)
    if min(len(tensor.shape) for tensor in (left, right, output)) < 2 or len(output.shape) - 2 > RANK:
        raise Unsupported(f"{list(left.shape)} by {list(right.shape)}")
    rows, columns = output.shape[-2:]
    is_left_turned, is_right_turned = (bool(call.operator.options.get(name)) for name in ("adj_x", "adj_y"))
    depth = left.shape[-2] if is_left_turned else left.shape[-1]
    shape = {
        "batches": {
            "sizes": filled(output.shape[:-2]),
            "left": tuple(step * rows * depth for step in steps(left.shape[:-2])),
            "right": tuple(step * depth * columns for step in steps(right.shape[:-2])),
        },
        **{"rows": rows, "depth": depth, "columns": columns},
        **dict(zip(("left_row", "left_depth"), (1, rows) if is_left_turned else (depth, 1), strict=True)),
        **dict(zip(("right_depth", "right_column"), (1, depth) if is_right_turned else (columns, 1), strict=True)),
    }
    if kind == "FLOAT32":
        return KernelCall("batch_matmul_f32", {"shape": shape}, "batch_matmul", "batch_matmul_f32")
    if kind not in ("INT8", "INT16"):
        raise Unsupported(kind)
    factor = scale(left) * scale(right) / scale(output)
    if kind == "INT16" and quantize_multiplier(factor)[1] > MOST_SHIFT:
        raise Unsupported("an output scale that is too small")
    low, high = RANGES[kind]
    params = {
        "shape": shape,
        "element": ELEMENTS[kind],
        "left_offset": -zero_point(left),
        "right_offset": -zero_point(right),
        "output_offset": zero_point(output),
        "scale": scale_fields(factor),
        "lowest": low,
        "highest": high,
    }
    return KernelCall("batch_matmul", params)


def cumsum(call: Call) -> KernelCall:
    source, output = call.input(0), call.output()
    kind = same_dtype(source, output)
    if kind not in ("INT8", "FLOAT32") or not source.shape:
        raise Unsupported(kind)
    axis = numbers(call.input(1))[0] % len(source.shape)
    params: dict[str, Any] = {
        **{"outer": prod(source.shape[:axis]), "size": source.shape[axis], "inner": prod(source.shape[axis + 1 :])},
        "is_exclusive": int(bool(call.operator.options.get("exclusive"))),
        "is_reverse": int(bool(call.operator.options.get("reverse"))),
    }
    if kind == "FLOAT32":
        return KernelCall("cumsum_f32", params, header="cumsum")
    twice = 2 * scale(source)
    factor = twice / ((1 << LIFT) * scale(output))
    if factor >= 1:
        raise Unsupported("an output scale that is too small")
    params |= {
        "input_offset": -zero_point(source),
        "output_offset": zero_point(output),
        "lift": LIFT,
        "input_scale": scale_fields(scale(source) / twice),
        "output_scale": scale_fields(factor),
    }
    return KernelCall("cumsum", params)
