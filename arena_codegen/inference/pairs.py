"""Operators of two inputs, of which one may be repeated along some dimensions: shapes, element types, ADD and SUB.

F3. Sources: TFLM's kernels/add_common.cc, sub_common.cc.
"""

from __future__ import annotations

from math import prod
from typing import Any

from arena_codegen.inference.call import Describe, KernelCall, Unsupported
from arena_codegen.inference.fixed_point import (
    RANGES,
    activation_range,
    float_range,
    scale,
    scale_fields,
    zero_point,
)
from arena_codegen.kernels.call import Call
from arena_codegen.model.types import Tensor

RANK = 6
ELEMENTS = {"INT8": "ELEMENT_S8", "UINT8": "ELEMENT_U8", "INT16": "ELEMENT_S16", "INT32": "ELEMENT_S32"}
LIFT = {"INT8": 20, "INT16": 15}
"""By how many bits both sides of a sum are lifted before they are scaled."""


def add(call: Call) -> KernelCall:
    return _sum(call, 1)


def sub(call: Call) -> KernelCall:
    return _sum(call, -1)


def _sum(call: Call, sign: int) -> KernelCall:
    left, right, output = call.input(0), call.input(1), call.output()
    activation = call.option("fused_activation_function")
    kind = same_dtype(left, right, output)
    if kind == "FLOAT32":
        low, high = float_range(activation)
        params = {"pair": pair(left, right, output), "sign": float(sign), "lowest": low, "highest": high}
        return KernelCall("add_f32", params, header="add", params_type="add_f32")
    if kind == "INT32":
        low, high = -(2**31), 2**31 - 1
        params = {"pair": pair(left, right, output), "sign": sign, "lowest": low, "highest": high}
        return KernelCall("add_s32", params, header="add", params_type="add_s32")
    if kind not in LIFT:
        raise Unsupported(kind)
    low, high = activation_range(activation, output)
    twice = 2 * max(scale(left), scale(right))
    params = {
        "pair": pair(left, right, output),
        "element": ELEMENTS[kind],
        "left_offset": -zero_point(left),
        "right_offset": -zero_point(right),
        "output_offset": zero_point(output),
        "lift": LIFT[kind],
        "left_scale": scale_fields(scale(left) / twice),
        "right_scale": scale_fields(scale(right) / twice),
        "output_scale": scale_fields(twice / ((1 << LIFT[kind]) * scale(output))),
        "sign": sign,
        "lowest": low,
        "highest": high,
    }
    return KernelCall("add", params)


def mul(call: Call) -> KernelCall:
    left, right, output = call.input(0), call.input(1), call.output()
    activation = call.option("fused_activation_function")
    kind = same_dtype(left, right, output)
    if kind == "FLOAT32":
        low, high = float_range(activation)
        params = {"pair": pair(left, right, output), "lowest": low, "highest": high}
        return KernelCall("mul_f32", params, header="mul", params_type="mul_f32")
    if kind == "INT32":
        low, high = whole_range(activation)
        params = {"pair": pair(left, right, output), "lowest": low, "highest": high}
        return KernelCall("mul_s32", params, header="mul", params_type="mul_s32")
    if kind not in LIFT:
        raise Unsupported(kind)
    low, high = activation_range(activation, output)
    params = {
        "pair": pair(left, right, output),
        "element": ELEMENTS[kind],
        "left_offset": -zero_point(left),
        "right_offset": -zero_point(right),
        "output_offset": zero_point(output),
        "scale": scale_fields(scale(left) * scale(right) / scale(output)),
        "lowest": low,
        "highest": high,
    }
    return KernelCall("mul", params)


def div(call: Call) -> KernelCall:
    left, right, output = call.input(0), call.input(1), call.output()
    activation = call.option("fused_activation_function")
    kind = same_dtype(left, right, output)
    if kind not in ("INT32", "FLOAT32"):
        raise Unsupported(kind)
    low, high = whole_range(activation) if kind == "INT32" else float_range(activation)
    suffix = "s32" if kind == "INT32" else "f32"
    params = {"pair": pair(left, right, output), "lowest": low, "highest": high}
    return KernelCall(f"div_{suffix}", params, header="div", params_type=f"div_{suffix}")


def prelu(call: Call) -> KernelCall:
    """PRELU: the slopes of int16 are int8."""
    source, slopes, output = call.input(0), call.input(1), call.output()
    kinds = source.dtype.name, slopes.dtype.name, output.dtype.name
    if kinds == ("FLOAT32",) * 3:
        return KernelCall("prelu_f32", {"pair": pair(source, slopes, output)}, header="prelu", params_type="prelu_f32")
    if kinds not in (("INT8", "INT8", "INT8"), ("INT16", "INT8", "INT16")):
        raise Unsupported(f"{kinds[0]} by {kinds[1]}")
    low, high = RANGES[kinds[2]]
    params = {
        "pair": pair(source, slopes, output),
        "element": ELEMENTS[kinds[0]],
        "input_offset": -zero_point(source),
        "slope_offset": -zero_point(slopes),
        "output_offset": zero_point(output),
        "above": scale_fields(scale(source) / scale(output)),
        "below": scale_fields(scale(source) * scale(slopes) / scale(output)),
        "lowest": low,
        "highest": high,
    }
    return KernelCall("prelu", params)


def logical_and(call: Call) -> KernelCall:
    return _logical(call, is_or=False)


def logical_or(call: Call) -> KernelCall:
    return _logical(call, is_or=True)


def _logical(call: Call, *, is_or: bool) -> KernelCall:
    left, right, output = call.input(0), call.input(1), call.output()
    if same_dtype(left, right, output) != "BOOL":
        raise Unsupported(left.dtype.name)
    return KernelCall("logical", {"pair": pair(left, right, output), "is_or": int(is_or)})


def whole_range(activation: int) -> tuple[int, int]:
    """What a fused activation leaves of plain whole numbers."""
    low, high = float_range(activation)
    return max(int(low), -(2**31)), min(int(high), 2**31 - 1)


def minimum(call: Call) -> KernelCall:
    return _compare(call, "choose", "COMPARE_LESS")


def maximum(call: Call) -> KernelCall:
    return _compare(call, "choose", "COMPARE_GREATER")


def comparison(when: str) -> Describe:
    """A comparison of plain numbers; quantised ones must have one scale and zero point."""

    def describe(call: Call) -> KernelCall:
        left, right = call.input(0), call.input(1)
        if left.dtype.name in ("INT8", "UINT8", "INT16") and left.quantization != right.quantization:
            raise Unsupported("numbers of different scales")
        return _compare(call, "compare", when)

    return describe


def _compare(call: Call, kernel: str, when: str) -> KernelCall:
    left, right = call.input(0), call.input(1)
    kind = same_dtype(left, right)
    params = {"pair": pair(left, right, call.output()), "when": when}
    if kind == "FLOAT32":
        return KernelCall(f"{kernel}_f32", params, header=kernel, params_type="condition")
    if kind not in ELEMENTS:
        raise Unsupported(kind)
    return KernelCall(kernel, {**params, "element": ELEMENTS[kind]}, params_type="condition")


def same_dtype(*tensors: Tensor) -> str:
    """The element type of all of them."""
    kinds = {tensor.dtype.name for tensor in tensors}
    if len(kinds) != 1:
        raise Unsupported(f"mixed types {', '.join(sorted(kinds))}")
    return kinds.pop()


def pair(left: Tensor, right: Tensor, output: Tensor) -> dict[str, Any]:
    """A `kernel_pair_t`; where nothing is repeated, all dimensions are one."""
    if left.elements == right.elements == output.elements:
        ones = (1,) * (RANK - 1)
        return {"sizes": (*ones, output.elements), "left": (*ones, 1), "right": (*ones, 1)}
    if max(len(tensor.shape) for tensor in (left, right, output)) > RANK:
        raise Unsupported(f"more than {RANK} dimensions")
    for tensor in (left, right):
        if any(size not in (1, out) for size, out in zip(filled(tensor.shape), filled(output.shape), strict=True)):
            raise Unsupported(f"{tensor.label} has shape {list(tensor.shape)}, {output.label} {list(output.shape)}")
    return {"sizes": filled(output.shape), "left": steps(left.shape), "right": steps(right.shape)}


def filled(shape: tuple[int, ...]) -> tuple[int, ...]:
    """A shape of RANK dimensions, filled up with 1 in front."""
    return (1,) * (RANK - len(shape)) + tuple(shape)


def steps(shape: tuple[int, ...]) -> tuple[int, ...]:
    """By how many elements an input goes on along each of RANK dimensions; 0 where it has one element there."""
    sizes = filled(shape)
    return tuple(0 if size == 1 else prod(sizes[axis + 1 :]) for axis, size in enumerate(sizes))
