"""Operators that rearrange elements, or mix neighbours: GATHER, BROADCAST_TO, SPACE_TO_DEPTH, DEPTH_TO_SPACE,
SPACE_TO_BATCH_ND, BATCH_TO_SPACE_ND, RESIZE_BILINEAR.

F3. Sources: TFLM's kernels of these names.
"""

from __future__ import annotations

import math
from math import prod

from arena_codegen.inference.blocks import block, numbers, steps_of
from arena_codegen.inference.call import KernelCall, Table, Unsupported
from arena_codegen.inference.fixed_point import float32
from arena_codegen.inference.pairs import RANK, filled, same_dtype, steps
from arena_codegen.kernels.call import Call, dims, width
from arena_codegen.model.types import Tensor

TYPES = ("INT8", "FLOAT32")


def gather(call: Call) -> KernelCall:
    source, positions = call.input(0), call.input(1)
    _need(call, TYPES)
    if positions.dtype.name != "INT32":
        raise Unsupported(f"positions of {positions.dtype.name}")
    axis = call.option("axis") % len(source.shape)
    batch_dims = int(call.operator.options.get("batch_dims") or 0) % max(len(positions.shape), 1)
    params = {
        "batches": prod(source.shape[:batch_dims]),
        "outer": prod(source.shape[batch_dims:axis]),
        "size": source.shape[axis],
        "positions": prod(positions.shape[batch_dims:]),
        "run": prod(source.shape[axis + 1 :]) * width(source),
    }
    return KernelCall("gather", params)


def broadcast_to(call: Call) -> KernelCall:
    """What is repeated is read again: its step is 0."""
    source, output = call.input(0), call.output()
    same_dtype(source, output)
    if max(len(source.shape), len(output.shape)) > RANK:
        raise Unsupported(f"more than {RANK} dimensions")
    return KernelCall(
        "slice", block(filled(output.shape), steps(source.shape), steps_of(filled(output.shape)), width(source))
    )


def depth_to_space(call: Call) -> KernelCall:
    """A block's pixels lie behind each other in the channels of the deep side."""
    return _deep_or_wide(call, call.input(0), call.output(), is_deep_source=True)


def space_to_depth(call: Call) -> KernelCall:
    return _deep_or_wide(call, call.output(), call.input(0), is_deep_source=False)


def _deep_or_wide(call: Call, deep: Tensor, wide: Tensor, *, is_deep_source: bool) -> KernelCall:
    _need(call, TYPES)
    size = call.positive("block_size")
    batch, rows, columns, depth = dims(deep, 4)
    channels = depth // size**2
    if dims(wide, 4) != (batch, rows * size, columns * size, channels) or depth != channels * size**2:
        raise Unsupported(f"blocks of {size} from {list(deep.shape)} to {list(wide.shape)}")
    sizes = (batch, rows, size, columns, size, channels)
    deep_steps = (rows * columns * depth, columns * depth, size * channels, depth, channels, 1)
    wide_steps = steps_of(sizes)
    source_steps, output_steps = (deep_steps, wide_steps) if is_deep_source else (wide_steps, deep_steps)
    return KernelCall("slice", block(sizes, source_steps, output_steps, width(deep)))


def space_to_batch_nd(call: Call) -> KernelCall:
    """TFLM never sets what it pads with, so that it is 0 even where the zero point is not."""
    return _batches(call, "space_to_batch_nd", call.input(0))


def batch_to_space_nd(call: Call) -> KernelCall:
    return _batches(call, "batch_to_space_nd", call.output())


def _batches(call: Call, kernel: str, few: Tensor) -> KernelCall:
    """`few` is the side with few batches. Three dimensions have no columns."""
    _need(call, TYPES)
    source, output = (_picture(tensor) for tensor in (call.input(0), call.output()))
    blocks, edges = numbers(call.input(1)), numbers(call.input(2))
    if len(blocks) != len(call.input(0).shape) - 2 or len(edges) != 2 * len(blocks) or min(blocks) < 1:
        raise Unsupported(f"a block of {list(blocks)}")
    params = {
        "batches": few.shape[0],
        "block_h": blocks[0],
        "block_w": blocks[1] if len(blocks) == 2 else 1,
        **{"out_h": output[1], "out_w": output[2], "in_h": source[1], "in_w": source[2]},
        "top": edges[0],
        "left": edges[2] if len(blocks) == 2 else 0,
        "pixel": source[3] * width(call.input(0)),
    }
    return KernelCall(kernel, params, params_type="dealt")


def resize_bilinear(call: Call) -> KernelCall:
    _need(call, TYPES)
    batch, in_h, in_w, channels = dims(call.input(0), 4)
    _, out_h, out_w, _ = dims(call.output(), 4)
    is_float = call.output().dtype.name == "FLOAT32"
    between = _between_floats if is_float else _between
    rows, columns = between(call, in_h, out_h), between(call, in_w, out_w)
    parts, kind = ("fractions", "float") if is_float else ("parts", "int32_t")
    params = {
        **{"batch": batch, "in_h": in_h, "in_w": in_w, "out_h": out_h, "out_w": out_w, "channels": channels},
        "above": Table("int32_t", [low for low, _, _ in rows]),
        "below": Table("int32_t", [high for _, high, _ in rows]),
        "left": Table("int32_t", [low for low, _, _ in columns]),
        "right": Table("int32_t", [high for _, high, _ in columns]),
        f"row_{parts}": Table(kind, [part for _, _, part in rows]),
        f"column_{parts}": Table(kind, [part for _, _, part in columns]),
    }
    return KernelCall("resize_bilinear_f32" if is_float else "resize_bilinear", params, header="resize_bilinear")


def _between(call: Call, size: int, out: int) -> list[tuple[int, int, int]]:
    """The two input indices around each output index, and how far it is from the first one, over 1024
    (resize_bilinear.h, ComputeInterpolationValuesInteger)."""
    corners, centres = _where(call)
    span, steps = (size - 1, out - 1) if corners and out > 1 else (size, out)
    factor = (1024 * span + steps // 2) // steps
    places = []
    for index in range(out):
        real = index * factor + (factor // 2 - 512 if centres else 0)
        low, high = max(int(real / 1024), 0), min(int((real + 1023) / 1024), size - 1)
        places.append((low, high, real - 1024 * low))
    return places


def _between_floats(call: Call, size: int, out: int) -> list[tuple[int, int, float]]:
    """The same in float32 (ComputeInterpolationValues)."""
    corners, centres = _where(call)
    factor = float32((size - 1) / (out - 1)) if corners and out > 1 else float32(size / out)
    places = []
    for index in range(out):
        real = float32(float32((index + 0.5) * factor) - 0.5) if centres else float32(index * factor)
        low, high = max(math.floor(real), 0), min(math.ceil(real), size - 1)
        places.append((low, high, float32(real - low)))
    return places


def _where(call: Call) -> tuple[bool, bool]:
    options = call.operator.options
    return bool(options.get("align_corners")), bool(options.get("half_pixel_centers"))


def _picture(tensor: Tensor) -> tuple[int, ...]:
    if len(tensor.shape) == 3:
        batch, rows, channels = tensor.shape
        return batch, rows, 1, channels
    return dims(tensor, 4)


def _need(call: Call, kinds: tuple[str, ...]) -> None:
    kind = call.input(0).dtype.name
    if kind not in kinds or call.output().dtype.name != kind:
        raise Unsupported(f"{kind} to {call.output().dtype.name}")
