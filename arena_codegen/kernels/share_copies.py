"""How far an output must lie below its input where parts of it are copied: slices and paddings.

F2. All distances are in bytes. Where memcpy copies a run of bytes, the run must not overlap itself.
"""

from __future__ import annotations

from math import prod

from arena_codegen.kernels.base import ShareRule
from arena_codegen.kernels.call import Call, Unknown, dim, dims
from arena_codegen.kernels.sharing import OVERLAP, Apart, plain_width
from arena_codegen.model.types import Tensor

MOST_DIMENSIONS = 5
"""What the kernels below extend shapes to."""


def slice_(call: Call) -> tuple[ShareRule, ...]:
    """SLICE copies element by element, upwards; it never reads below its first element."""
    begins = numbers(call.input(1))
    shape = _shape(call.input(0))
    if len(begins) != len(shape) or min(begins, default=0) < 0:
        raise Unknown(f"begins at {list(begins)}")
    skipped = offset(begins, shape) * plain_width(call.input(0))
    return (ShareRule(0, 0, OVERLAP, -skipped, "copies elements upwards (slice.h, reference_ops::Slice)"),)


def strided_slice(call: Call) -> tuple[ShareRule, ...]:
    """STRIDED_SLICE copies upwards: runs of the last dimension where its stride is 1, else elements."""
    begins, strides = numbers(call.input(1)), numbers(call.input(3))
    shape = _shape(call.input(0))
    if not len(begins) == len(strides) == len(shape) or min(strides, default=1) < 1:
        raise Apart("it goes backwards, or has other dimensions than its input")
    if call.option("ellipsis_mask") or call.option("new_axis_mask") or call.option("offset"):
        raise Apart("TFLM does not look at these masks")
    mask = call.option("begin_mask")
    starts = [
        0 if mask >> axis & 1 else min(max(begin + size if begin < 0 else begin, 0), size)
        for axis, (begin, size) in enumerate(zip(begins, shape, strict=True))
    ]
    run = _run(call, strides[-1] if strides else 1, shape)
    distance = (run - offset(starts, shape)) * plain_width(call.input(0))
    return (ShareRule(0, 0, OVERLAP, distance, "copies upwards (strided_slice.h, reference_ops::StridedSlice)"),)


def _run(call: Call, stride: int, shape: tuple[int, ...]) -> int:
    """Elements that memcpy copies at once; an element alone is read before it is written."""
    if stride != 1 or not shape:
        return 0
    if call.option("shrink_axis_mask") >> len(shape) - 1 & 1:
        return 1
    return dim(call.output(), -1)


def pad(call: Call) -> tuple[ShareRule, ...]:
    """PAD writes element by element, upwards: the last element read decides."""
    return (_padded(call, 0, "pad.h, reference_ops::PadImpl"),)


def pad_by_rows(call: Call) -> tuple[ShareRule, ...]:
    """CMSIS-NN's PAD of int8: memset and memcpy in turns, a row of pixels at a time where channels are not padded."""
    _, shape, out = _paddings(call)
    if len(shape) > 4:
        raise Apart("arm_pad_s8 knows four dimensions")
    run = shape[-1] if shape[-1] != out[-1] else prod(shape[-2:])
    return (_padded(call, run, "arm_pad_s8.c, arm_pad_s8"),)


def _padded(call: Call, run: int, source: str) -> ShareRule:
    lefts, shape, out = _paddings(call)
    last = offset([left + size - 1 for left, size in zip(lefts, shape, strict=True)], out)
    distance = (last - (prod(shape) - 1) + run) * plain_width(call.input(0))
    return ShareRule(0, 0, OVERLAP, distance, f"fills upwards, the input at the output's end ({source})")


def _paddings(call: Call) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Elements before each dimension, input shape, output shape; checked against each other."""
    values = numbers(call.input(1))
    lefts, rights = values[::2], values[1::2]
    shape, out = _shape(call.input(0)), _shape(call.output())
    whole = tuple(left + size + right for left, size, right in zip(lefts, shape, rights, strict=False))
    if len(values) != 2 * len(shape) or min(values, default=0) < 0 or whole != out or not shape:
        raise Unknown(f"pads {list(values)}")
    return lefts, shape, out


def _shape(tensor: Tensor) -> tuple[int, ...]:
    if len(tensor.shape) > MOST_DIMENSIONS:
        raise Unknown(f"{tensor.label} has {len(tensor.shape)} dimensions")
    return dims(tensor, len(tensor.shape))


def offset(position: list[int] | tuple[int, ...], shape: tuple[int, ...]) -> int:
    """The number of an element, row by row."""
    number = 0
    for index, size in zip(position, shape, strict=True):
        number = number * size + index
    return number


def numbers(tensor: Tensor) -> tuple[int, ...]:
    """The whole numbers of a constant tensor. Raises Unknown for others."""
    size = {"INT32": 4, "INT64": 8}.get(tensor.dtype.name)
    if tensor.data is None or size is None or len(tensor.data) % size:
        raise Unknown(f"{tensor.label} is no list of constant numbers")
    data = bytes(tensor.data)
    return tuple(int.from_bytes(data[at : at + size], "little", signed=True) for at in range(0, len(data), size))
