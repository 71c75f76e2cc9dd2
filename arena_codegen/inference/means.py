"""MEAN.

F3. Source: TFLM's kernels/reduce_common.cc, kernels/internal/reference/reduce.h (QuantizedMeanOrSum): the number of
elements goes into the multiplier.
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
    source, output = call.input(0), call.output()
    gone = {axis % len(source.shape) for axis in numbers(call.input(1))} if source.shape else set()
    axes = _axes(source, gone)
    kind = same_dtype(source, output)
    if kind == "FLOAT32":
        return KernelCall("mean_f32", {"axes": axes}, header="mean", params_type="mean_f32")
    if kind not in ("INT8", "INT16"):
        raise Unsupported(kind)
    count = prod(source.shape[axis] for axis in gone)
    multiplier, shift = quantize_multiplier(scale(source) / scale(output))
    lift = min(count.bit_length() - 1, 32, 31 + shift)
    low, high = RANGES[kind]
    params = {
        "axes": axes,
        "element": ELEMENTS[kind],
        "input_offset": -zero_point(source) * count,
        "scale": {"multiplier": (multiplier << lift) // count, "shift": shift - lift},
        "output_offset": zero_point(output),
        "lowest": low,
        "highest": high,
    }
    return KernelCall("mean", params)


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
