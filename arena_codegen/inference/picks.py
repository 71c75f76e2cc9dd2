"""Operators that rearrange elements: GATHER, BROADCAST_TO, SPACE_TO_DEPTH, DEPTH_TO_SPACE, SPACE_TO_BATCH_ND,
BATCH_TO_SPACE_ND.

F3. Sources: TFLM's kernels of these names.
"""

from __future__ import annotations

from math import prod

from arena_codegen.inference.blocks import block, numbers, steps_of
from arena_codegen.inference.call import KernelCall, Unsupported
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
    return KernelCall(kernel, params, header="space_to_batch_nd")


def _picture(tensor: Tensor) -> tuple[int, ...]:
    if len(tensor.shape) == 3:
        batch, rows, channels = tensor.shape
        return batch, rows, 1, channels
    return dims(tensor, 4)


def _need(call: Call, kinds: tuple[str, ...]) -> None:
    kind = call.input(0).dtype.name
    if kind not in kinds or call.output().dtype.name != kind:
        raise Unsupported(f"{kind} to {call.output().dtype.name}")
