"""MEAN, SUM, REDUCE_MAX, REDUCE_MIN, ARG_MAX, ARG_MIN: what is taken together along axes.

F3. Sources: TFLM's kernels/reduce_common.cc, arg_min_max.cc, kernels/internal/reference/reduce.h (QuantizedMeanOrSum):
the number of elements of a mean goes into the multiplier.
"""

from __future__ import annotations

from math import prod

from arena_codegen.inference.blocks import RANK, numbers, steps_of
from arena_codegen.inference.call import KernelCall, Unsupported
from arena_codegen.inference.fixed_point import RANGES, quantize_multiplier, scale, zero_point
from arena_codegen.inference.pairs import ELEMENTS, same_dtype
from arena_codegen.kernels.call import Call
from arena_codegen.model.types import Tensor


def mean(call: Call) -> KernelCall:
    return _sum(call, is_mean=True)


def total(call: Call) -> KernelCall:
    """SUM."""
    return _sum(call, is_mean=False)


def _sum(call: Call, *, is_mean: bool) -> KernelCall:
    source, output = call.input(0), call.output()
    axes, count = _reduction(call)
    kind = same_dtype(source, output)
    if kind == "FLOAT32":
        params = {"axes": axes, "divisor": float(count if is_mean else 1)}
        return KernelCall("mean_f32", params, header="mean", params_type="mean_f32")
    if kind not in ("INT8", "INT16"):
        raise Unsupported(kind)
    multiplier, shift = quantize_multiplier(scale(source) / scale(output))
    if is_mean:
        lift = min(count.bit_length() - 1, 32, 31 + shift)
        multiplier, shift = (multiplier << lift) // count, shift - lift
    low, high = RANGES[kind]
    params = {
        "axes": axes,
        "element": ELEMENTS[kind],
        "input_offset": -zero_point(source) * count,
        "scale": {"multiplier": multiplier, "shift": shift},
        "output_offset": zero_point(output),
        "lowest": low,
        "highest": high,
    }
    return KernelCall("mean", params)


def maximum(call: Call) -> KernelCall:
    """REDUCE_MAX."""
    return _extreme(call, is_min=False)


def minimum(call: Call) -> KernelCall:
    """REDUCE_MIN."""
    return _extreme(call, is_min=True)


def _extreme(call: Call, *, is_min: bool) -> KernelCall:
    kind = same_dtype(call.input(0), call.output())
    if kind not in ("INT8", "FLOAT32"):
        raise Unsupported(kind)
    element = ELEMENTS.get(kind, "ELEMENT_S8")
    params = {"axes": _reduction(call)[0], "element": element, "is_min": int(is_min)}
    kernel = "reduce_max_f32" if kind == "FLOAT32" else "reduce_max"
    return KernelCall(kernel, params, header="reduce_max")


def arg_max(call: Call) -> KernelCall:
    return _position(call, is_min=False)


def arg_min(call: Call) -> KernelCall:
    return _position(call, is_min=True)


def _position(call: Call, *, is_min: bool) -> KernelCall:
    source, kinds = call.input(0), (call.input(0).dtype.name, call.output().dtype.name)
    if kinds not in (("INT8", "INT32"), ("FLOAT32", "INT32")) or not source.shape:
        raise Unsupported(" to ".join(kinds))
    axis = numbers(call.input(1))[0] % len(source.shape)
    params = {
        "outer": prod(source.shape[:axis]),
        "size": source.shape[axis],
        "inner": prod(source.shape[axis + 1 :]),
        "is_min": int(is_min),
    }
    return KernelCall("arg_max_f32" if kinds[0] == "FLOAT32" else "arg_max", params, header="arg_max")


def _reduction(call: Call) -> tuple[dict[str, tuple[int, ...]], int]:
    """A `kernel_reduction_t`, and how many elements make one."""
    source = call.input(0)
    gone = {axis % len(source.shape) for axis in numbers(call.input(1))} if source.shape else set()
    return _axes(source, gone), prod(source.shape[axis] for axis in gone)


def _axes(source: Tensor, gone: set[int]) -> dict[str, tuple[int, ...]]:
    """A `kernel_reduction_t`: axes that stay and axes that go, each filled up with single elements in front."""
    if len(source.shape) > RANK:
        raise Unsupported(f"more than {RANK} dimensions")
    steps = steps_of(source.shape)
    kept = [axis for axis in range(len(source.shape)) if axis not in gone]
    return {
        "kept": _filled([source.shape[axis] for axis in kept], 1),
        "kept_steps": _filled([steps[axis] for axis in kept], 0),
        "gone": _filled([source.shape[axis] for axis in sorted(gone)], 1),
        "gone_steps": _filled([steps[axis] for axis in sorted(gone)], 0),
    }


def _filled(values: list[int], front: int) -> tuple[int, ...]:
    return (*(front,) * (RANK - len(values)), *values)
