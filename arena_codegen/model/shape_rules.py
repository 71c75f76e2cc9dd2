"""F1. What shape an operator's outputs have, from its inputs' shapes, constants and options.

A rule gets a `Call` and returns one shape for each output, or None where the answer depends on values that only the
device knows. Operators without a rule are simply unknown. Formulas: the Prepare functions of TFLite's reference
kernels.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

from arena_codegen.model.types import MOST_DIMENSIONS, Operator, Tensor

Shape = tuple[int, ...]
Shapes = list[Shape] | None


@dataclass(frozen=True, slots=True)
class Call:
    """One operator with the shapes of its inputs (None: absent), and its tensors as the file has them."""

    operator: Operator
    shapes: tuple[Shape | None, ...]
    inputs: tuple[Tensor | None, ...]
    outputs: tuple[Tensor, ...]

    def shape(self, position: int) -> Shape:
        """The shape of an input; raises LookupError where it is absent."""
        shape = self.shapes[position]
        if shape is None:
            raise LookupError(position)
        return shape

    def ints(self, position: int) -> Shape:
        """The values of a constant integer input; raises LookupError where it is none."""
        tensor = self.inputs[position] if position < len(self.inputs) else None
        kind = {"INT32": "i", "INT64": "q"}.get(tensor.dtype.name) if tensor else None
        if tensor is None or kind is None or not (tensor.is_constant or tensor.elements == 0):
            raise LookupError(position)
        data = tensor.data or b""
        return struct.unpack(f"<{len(data) // struct.calcsize(kind)}{kind}", data)

    def option(self, name: str) -> Any:
        return self.operator.options[name]


def infer(call: Call) -> Shapes:
    """The shapes of all outputs, None where they cannot be derived."""
    rule = RULES.get(call.operator.name)
    if rule is None or call.operator.is_custom:
        return None
    try:
        shapes = rule(call)
    except (LookupError, ValueError, ZeroDivisionError, struct.error):
        return None
    if shapes is None or len(shapes) != len(call.outputs):
        return None
    sound = all(len(shape) <= MOST_DIMENSIONS and min(shape, default=0) >= 0 for shape in shapes)
    return shapes if sound else None


def broadcast(*shapes: Shape) -> Shape:
    """NumPy's rule; raises ValueError where sizes do not fit."""
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    sizes = []
    for column in zip(*padded, strict=True):
        others = set(column) - {1}
        if len(others) > 1:
            raise ValueError(f"{shapes} do not broadcast")
        sizes.append(others.pop() if others else 1)
    return tuple(sizes)


def _same(call: Call) -> Shapes:
    return [call.shape(0)] * len(call.outputs)


def _broadcast(call: Call) -> Shapes:
    return [broadcast(*(call.shape(position) for position in range(len(call.shapes))))]


def _windows(call: Call, axis: str, size: int, window: int, dilation: int = 1) -> int:
    """How many windows fit along an axis; padding 0 is SAME."""
    stride: int = call.option(f"stride_{axis}")
    reach = 1 if call.option("padding") == 0 else (window - 1) * dilation + 1
    return (size - reach) // stride + 1


def _conv(call: Call) -> Shapes:
    batch, height, width, _ = call.shape(0)
    count, kernel_height, kernel_width, depth = call.shape(1)
    channels = depth if call.operator.name == "DEPTHWISE_CONV_2D" else count
    rows = _windows(call, "h", height, kernel_height, call.option("dilation_h_factor"))
    columns = _windows(call, "w", width, kernel_width, call.option("dilation_w_factor"))
    return [(batch, rows, columns, channels)]


def _pool(call: Call) -> Shapes:
    batch, height, width, channels = call.shape(0)
    rows = _windows(call, "h", height, call.option("filter_height"))
    return [(batch, rows, _windows(call, "w", width, call.option("filter_width")), channels)]


def _dense(call: Call) -> Shapes:
    units, depth = call.shape(1)
    if call.option("keep_num_dims"):
        return [(*call.shape(0)[:-1], units)]
    batch, rest = divmod(prod(call.shape(0)), depth)
    return None if rest else [(batch, units)]


def _reshape(call: Call) -> Shapes:
    """The one dimension that is open, of the constant target or of the output itself, takes what is left."""
    elements = prod(call.shape(0))
    try:
        target = call.ints(1)
    except LookupError:
        target = call.option("new_shape")
    for shape in (call.outputs[0].shape, call.outputs[0].signature or (), target):
        if solved := solve(shape, elements):
            return [solved]
    return None


def solve(shape: Shape, elements: int) -> Shape | None:
    """The shape with its one −1 replaced so that it has that many elements; None where that does not work out."""
    if len(shape) > MOST_DIMENSIONS or any(size < -1 for size in shape) or shape.count(-1) > 1:
        return None
    known = prod(size for size in shape if size != -1)
    if -1 not in shape:
        return shape if known == elements else None
    if not known or elements % known:
        return None
    return tuple(elements // known if size == -1 else size for size in shape)


def _squeeze(call: Call) -> Shapes:
    shape = call.shape(0)
    dims = {axis % len(shape) for axis in call.option("squeeze_dims")}
    return [tuple(n for axis, n in enumerate(shape) if not (axis in dims if dims else n == 1))]


def _expand(call: Call) -> Shapes:
    shape, (axis,) = list(call.shape(0)), call.ints(1)
    shape.insert(axis if axis >= 0 else axis + len(shape) + 1, 1)
    return [tuple(shape)]


def _transpose(call: Call) -> Shapes:
    return [tuple(call.shape(0)[axis] for axis in call.ints(1))]


def _concat(call: Call) -> Shapes:
    shapes = [call.shape(position) for position in range(len(call.shapes))]
    axis = call.option("axis") % len(shapes[0])
    return [_replaced(shapes[0], axis, sum(shape[axis] for shape in shapes))]


def _replaced(shape: Shape, axis: int, size: int) -> Shape:
    return (*shape[:axis], size, *shape[axis + 1 :])


def _split(call: Call) -> Shapes:
    (axis,), shape = call.ints(0), call.shape(1)
    axis %= len(shape)
    part, rest = divmod(shape[axis], len(call.outputs))
    return None if rest else [_replaced(shape, axis, part)] * len(call.outputs)


def _split_sizes(call: Call) -> Shapes:
    shape, sizes, (axis,) = call.shape(0), call.ints(1), call.ints(2)
    axis %= len(shape)
    solved = sizes if -1 not in sizes else tuple(shape[axis] - sum(sizes) - 1 if n == -1 else n for n in sizes)
    return [_replaced(shape, axis, size) for size in solved] if sum(solved) == shape[axis] else None


def _pack(call: Call) -> Shapes:
    shape, axis = list(call.shape(0)), call.option("axis")
    shape.insert(axis if axis >= 0 else axis + len(shape) + 1, len(call.shapes))
    return [tuple(shape)]


def _unpack(call: Call) -> Shapes:
    shape = call.shape(0)
    axis = call.option("axis") % len(shape)
    return [(*shape[:axis], *shape[axis + 1 :])] * len(call.outputs) if shape[axis] == len(call.outputs) else None


def _pad(call: Call) -> Shapes:
    pads = call.ints(1)
    return [tuple(n + pads[2 * axis] + pads[2 * axis + 1] for axis, n in enumerate(call.shape(0)))]


def _reduce(call: Call) -> Shapes:
    shape = call.shape(0)
    axes = {axis % len(shape) for axis in call.ints(1)}
    if call.option("keep_dims"):
        return [tuple(1 if axis in axes else n for axis, n in enumerate(shape))]
    return [tuple(n for axis, n in enumerate(shape) if axis not in axes)]


def _gather(call: Call) -> Shapes:
    shape, indices, batch = call.shape(0), call.shape(1), call.option("batch_dims")
    axis = call.option("axis") % len(shape)
    return [(*shape[:axis], *indices[batch:], *shape[axis + 1 :])]


def _slice(call: Call) -> Shapes:
    cuts = zip(call.shape(0), call.ints(1), call.ints(2), strict=True)
    return [tuple(n - begin if size == -1 else size for n, begin, size in cuts)]


def _strided_slice(call: Call) -> Shapes:
    if call.option("ellipsis_mask") or call.option("new_axis_mask") or call.option("offset"):
        return None
    shape, begins, ends, strides = call.shape(0), call.ints(1), call.ints(2), call.ints(3)
    sizes = list(shape)
    for axis in reversed(range(len(begins))):
        bit = 1 << axis
        if call.option("shrink_axis_mask") & bit:
            del sizes[axis]
            continue
        begin = None if call.option("begin_mask") & bit else begins[axis]
        end = None if call.option("end_mask") & bit else ends[axis]
        sizes[axis] = len(range(*slice(begin, end, strides[axis]).indices(shape[axis])))
    return [tuple(sizes)]


def _resize(call: Call) -> Shapes:
    batch, _, _, channels = call.shape(0)
    height, width = call.ints(1)
    return [(batch, height, width, channels)]


def _matmul(call: Call) -> Shapes:
    left, right = call.shape(0), call.shape(1)
    rows = left[-1] if call.option("adj_x") else left[-2]
    columns = right[-2] if call.option("adj_y") else right[-1]
    return [(*broadcast(left[:-2], right[:-2]), rows, columns)] if left[2:] or right[2:] else [(rows, columns)]


def _svdf(call: Call) -> Shapes:
    return [(call.shape(0)[0], call.shape(1)[0] // call.option("rank"))]


def _tile(call: Call) -> Shapes:
    return [tuple(size * times for size, times in zip(call.shape(0), call.ints(1), strict=True))]


def _constant(call: Call) -> Shapes:
    return [call.ints(0)]


def _blocks(call: Call) -> Shapes:
    (batch, height, width, channels), block = call.shape(0), call.option("block_size")
    if call.operator.name == "DEPTH_TO_SPACE":
        return [(batch, height * block, width * block, channels // block**2)]
    return [(batch, height // block, width // block, channels * block**2)]


_UNARY = (
    *("RELU", "RELU6", "RELU_N1_TO_1", "RELU_0_TO_1", "LEAKY_RELU", "ELU", "GELU", "HARD_SWISH", "LOGISTIC", "TANH"),
    *("SOFTMAX", "LOG_SOFTMAX", "L2_NORMALIZATION", "LOCAL_RESPONSE_NORMALIZATION", "PRELU", "QUANTIZE", "DEQUANTIZE"),
    *("CAST", "ABS", "NEG", "EXP", "LOG", "SIN", "COS", "SQRT", "RSQRT", "SQUARE", "FLOOR", "CEIL", "ROUND", "SIGN"),
    *("LOGICAL_NOT", "CUMSUM", "ZEROS_LIKE", "REVERSE_V2", "DYNAMIC_UPDATE_SLICE"),
)
_BINARY = (
    *("ADD", "SUB", "MUL", "DIV", "MINIMUM", "MAXIMUM", "SQUARED_DIFFERENCE", "POW", "FLOOR_DIV", "FLOOR_MOD"),
    *("EQUAL", "NOT_EQUAL", "LESS", "LESS_EQUAL", "GREATER", "GREATER_EQUAL", "LOGICAL_AND", "LOGICAL_OR"),
    *("SELECT_V2", "ADD_N"),
)
RULES: dict[str, Callable[[Call], Shapes]] = {
    **dict.fromkeys(_UNARY, _same),
    **dict.fromkeys(_BINARY, _broadcast),
    **dict.fromkeys(("CONV_2D", "DEPTHWISE_CONV_2D"), _conv),
    **dict.fromkeys(("AVERAGE_POOL_2D", "MAX_POOL_2D", "L2_POOL_2D"), _pool),
    **dict.fromkeys(("MEAN", "SUM", "REDUCE_PROD", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_ANY", "REDUCE_ALL"), _reduce),
    **dict.fromkeys(("PAD", "PADV2", "MIRROR_PAD"), _pad),
    **dict.fromkeys(("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR"), _resize),
    **dict.fromkeys(("SPACE_TO_DEPTH", "DEPTH_TO_SPACE"), _blocks),
    **dict.fromkeys(("TRANSPOSE_CONV", "FILL"), _constant),
    **{"FULLY_CONNECTED": _dense, "RESHAPE": _reshape, "SQUEEZE": _squeeze, "EXPAND_DIMS": _expand},
    **{"TRANSPOSE": _transpose, "CONCATENATION": _concat, "SPLIT": _split, "SPLIT_V": _split_sizes, "PACK": _pack},
    **{"UNPACK": _unpack, "GATHER": _gather, "SLICE": _slice, "STRIDED_SLICE": _strided_slice},
    **{"BATCH_MATMUL": _matmul, "SVDF": _svdf, "TILE": _tile, "SHAPE": lambda call: [(len(call.shape(0)),)]},
}
