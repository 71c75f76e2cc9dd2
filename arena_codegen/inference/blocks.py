"""Operators that move blocks of a tensor: SLICE, STRIDED_SLICE, TRANSPOSE, PAD, CONCATENATION, PACK, SPLIT, UNPACK,
SHAPE, RESIZE_NEAREST_NEIGHBOR.

F3. What they need to know (begins, sizes, axes, paddings) must be constant: TFLM settles most of it in Prepare.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from math import prod

from arena_codegen.inference.call import KernelCall, Table, Unsupported
from arena_codegen.inference.fixed_point import float32, round_away, zero_point
from arena_codegen.kernels.call import Call, dims
from arena_codegen.model.types import Tensor

RANK = 6


def numbers(tensor: Tensor) -> tuple[int, ...]:
    """The whole numbers of a constant."""
    code = {"INT32": "i", "INT64": "q"}.get(tensor.dtype.name)
    if tensor.data is None or code is None:
        raise Unsupported(f"{tensor.label} is not constant")
    return struct.unpack(f"<{tensor.elements}{code}", tensor.data)


def block(
    sizes: Sequence[int], from_steps: Sequence[int], to_steps: Sequence[int], width: int, *, start: int = 0, to: int = 0
) -> dict[str, int | tuple[int, ...]]:
    """A `kernel_strided_t` from element counts; axes at the end that both sides hold without gaps become one run.
    A block without elements is one run of no bytes."""
    if len(sizes) > RANK:
        raise Unsupported(f"more than {RANK} dimensions")
    if 0 in sizes:
        sizes, from_steps, to_steps, width = (), (), (), 0
    sizes, from_steps, to_steps = list(sizes), list(from_steps), list(to_steps)
    run = 1
    while sizes and from_steps[-1] == to_steps[-1] == run:
        run *= sizes.pop()
        del from_steps[-1], to_steps[-1]
    ones, zeros = (1,) * (RANK - len(sizes)), (0,) * (RANK - len(sizes))
    return {
        "sizes": (*ones, *sizes),
        "from_steps": (*zeros, *(step * width for step in from_steps)),
        "to_steps": (*zeros, *(step * width for step in to_steps)),
        "from_start": start * width,
        "to_start": to * width,
        "run": run * width,
    }


def steps_of(shape: Sequence[int]) -> tuple[int, ...]:
    """By how many elements each axis goes on."""
    return tuple(prod(shape[axis + 1 :]) for axis in range(len(shape)))


def slice_(call: Call) -> KernelCall:
    source, output = call.input(0), call.output()
    steps = steps_of(source.shape)
    start = sum(begin * step for begin, step in zip(numbers(call.input(1)), steps, strict=True))
    return KernelCall("slice", block(output.shape, steps, steps_of(output.shape), _width(source), start=start))


def strided_slice(call: Call) -> KernelCall:
    """TFLM looks at begin_mask, end_mask and shrink_axis_mask alone."""
    source = call.input(0)
    if call.option("ellipsis_mask") or call.option("new_axis_mask"):
        raise Unsupported("an ellipsis or a new axis")
    begins, ends, strides = (numbers(call.input(position)) for position in (1, 2, 3))
    if not len(begins) == len(ends) == len(strides) == len(source.shape):
        raise Unsupported("fewer indices than dimensions")
    steps, sizes, start = steps_of(source.shape), [], 0
    for axis, size in enumerate(source.shape):
        first, count = _range(call, axis, size, begins[axis], ends[axis], strides[axis])
        sizes.append(count)
        start += first * steps[axis]
    if prod(sizes) != call.output().elements:
        raise Unsupported(f"{prod(sizes)} elements into {call.output().elements}")
    moved = [step * stride for step, stride in zip(steps, strides, strict=True)]
    return KernelCall("slice", block(sizes, moved, steps_of(sizes), _width(source), start=start))


def _range(call: Call, axis: int, size: int, begin: int, end: int, stride: int) -> tuple[int, int]:
    """The first index along an axis, and how many there are (kernels/internal/strided_slice_logic.h)."""
    if stride == 0:
        raise Unsupported("a stride of 0")
    low, high = (0, size) if stride > 0 else (-1, size - 1)
    first = begin + size if begin < 0 else begin
    first = min(max(first, low), high)
    if call.option("begin_mask") >> axis & 1:
        first = low if stride > 0 else high
    if call.option("shrink_axis_mask") >> axis & 1:
        return first, 1
    last = end + size if end < 0 else end
    last = min(max(last, low), high)
    if call.option("end_mask") >> axis & 1:
        last = high if stride > 0 else low
    return first, max(-(-(last - first) // stride), 0)


def transpose(call: Call) -> KernelCall:
    source, output = call.input(0), call.output()
    axes, steps = numbers(call.input(1)), steps_of(source.shape)
    axes = tuple(axis % len(source.shape) for axis in axes)
    moved = [steps[axis] for axis in axes]
    return KernelCall("slice", block(output.shape, moved, steps_of(output.shape), _width(source)))


def pad(call: Call) -> KernelCall:
    """PAD fills with 0, which is the zero point of the output; PADV2 with its third input."""
    source, output = call.input(0), call.output()
    before = numbers(call.input(1))[::2]
    steps = steps_of(output.shape)
    to = sum(left * step for left, step in zip(before, steps, strict=True))
    width = _width(source)
    if width > 4:
        raise Unsupported(source.dtype.name)
    value = zero_point(output) & (1 << 8 * width) - 1 if source.dtype.name != "FLOAT32" else 0
    params = {
        "block": block(source.shape, steps_of(source.shape), steps, width, to=to),
        "bytes": output.bytes,
        "width": width,
        "value": value,
    }
    return KernelCall("pad", params)


def concatenation(call: Call) -> KernelCall:
    if call.option("fused_activation_function"):
        raise Unsupported("a fused activation")
    pieces = [call.input(position) for position in range(len(call.operator.inputs))]
    axis = _axis(call.option("axis"), len(call.output().shape))
    return _pieces("concatenation", pieces, call.output(), axis, first=0)


def pack(call: Call) -> KernelCall:
    pieces = [call.input(position) for position in range(len(call.operator.inputs))]
    axis = _axis(call.option("axis"), len(call.output().shape))
    outer = prod(call.output().shape[:axis])
    return _in_runs("concatenation", outer, [piece.bytes // outer for piece in pieces], first=0)


def split(call: Call) -> KernelCall:
    """SPLIT: the axis is the first input, the whole the second."""
    whole, (axis, *_) = call.input(1), numbers(call.input(0))
    outputs = [call.output(position) for position in range(len(call.operator.outputs))]
    return _pieces("split", outputs, whole, _axis(axis, len(whole.shape)), first=1)


def split_v(call: Call) -> KernelCall:
    whole, (axis, *_) = call.input(0), numbers(call.input(2))
    outputs = [call.output(position) for position in range(len(call.operator.outputs))]
    return _pieces("split", outputs, whole, _axis(axis, len(whole.shape)), first=0)


def unpack(call: Call) -> KernelCall:
    whole = call.input(0)
    outputs = [call.output(position) for position in range(len(call.operator.outputs))]
    outer = prod(whole.shape[: _axis(call.option("axis"), len(whole.shape))])
    return _in_runs("split", outer, [piece.bytes // outer for piece in outputs], first=0)


def _pieces(kernel: str, pieces: Sequence[Tensor], whole: Tensor, axis: int, first: int) -> KernelCall:
    if {piece.dtype for piece in pieces} != {whole.dtype}:
        raise Unsupported("mixed types")
    outer = prod(whole.shape[:axis])
    return _in_runs(kernel, outer, [piece.bytes // outer for piece in pieces], first)


def _in_runs(kernel: str, outer: int, runs: list[int], first: int) -> KernelCall:
    params = {"outer": outer, "count": len(runs), "first": first, "runs": Table("int32_t", runs)}
    return KernelCall(kernel, params)


def shape(call: Call) -> KernelCall:
    """SHAPE: all shapes are fixed, so it is a constant."""
    sizes, output = call.input(0).shape, call.output()
    if output.dtype.name != "INT32":
        raise Unsupported(output.dtype.name)
    return KernelCall("constant", {"bytes": output.bytes, "values": Table("int32_t", sizes)}, inputs=())


def resize_nearest_neighbor(call: Call) -> KernelCall:
    batch, in_h, in_w, channels = dims(call.input(0), 4)
    _, out_h, out_w, _ = dims(call.output(), 4)
    params = {
        **{"batch": batch, "in_h": in_h, "in_w": in_w, "out_h": out_h, "out_w": out_w},
        "pixel": channels * _width(call.input(0)),
        "rows": Table("int32_t", _nearest(call, in_h, out_h)),
        "columns": Table("int32_t", _nearest(call, in_w, out_w)),
    }
    return KernelCall("resize_nearest_neighbor", params)


def _nearest(call: Call, size: int, out: int) -> list[int]:
    """The input index of each output index, in float32 (resize_nearest_neighbor.h, GetNearestNeighbor)."""
    corners, centres = (bool(call.operator.options.get(name)) for name in ("align_corners", "half_pixel_centers"))
    factor = float32((size - 1) / (out - 1)) if corners and out > 1 else float32(size / out)
    places = []
    for index in range(out):
        real = float32(float32(index + (0.5 if centres else 0.0)) * factor)
        places.append(max(min(round_away(real) if corners else math.floor(real), size - 1), 0))
    return places


def _axis(axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise Unsupported(f"axis {axis} of {rank}")
    return axis % rank


def _width(tensor: Tensor) -> int:
    if tensor.dtype.bytes is None:
        raise Unsupported(tensor.dtype.name)
    return tensor.dtype.bytes
