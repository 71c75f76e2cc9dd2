"""Whether the shapes of an operator's tensors fit each other and its options.

F3. Kernels trust them: they take sizes from outputs, weights and inputs alike, and read beyond where those contradict
each other. Nothing that is checked here says what a shape means; `model.shape_rules` knows that.
"""

from __future__ import annotations

from math import prod

from arena_codegen.kernels.call import Call
from arena_codegen.model import shape_rules
from arena_codegen.model.types import Tensor

ONLY_COUNTED = frozenset(
    ["FULLY_CONNECTED", "RESHAPE", "SQUEEZE", "EXPAND_DIMS", "STRIDED_SLICE", "MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN"]
)
"""Operators of which the output's number of elements matters, and dimensions of 1 come and go."""

MAY_BE_EMPTY = frozenset(("CONCATENATION", "PAD", "PADV2"))
"""Operators that make something of a first input without elements."""


def contradiction(call: Call) -> str:
    """What is wrong, with the tensor; "" where nothing is known to be."""
    operator = call.operator
    inputs = tuple(call.find_input(position) for position in range(len(operator.inputs)))
    outputs = tuple(call.output(position) for position in range(len(operator.outputs)))
    shapes = tuple(None if tensor is None else tensor.shape for tensor in inputs)
    found = shape_rules.infer(shape_rules.Call(operator, shapes, inputs, outputs)) or ()
    for shape, output in zip(found, outputs, strict=False):
        if not _agree(operator.name, shape, output.shape):
            return f"{output.label} has shape {list(output.shape)}, its inputs and options make {list(shape)}"
    first = inputs[0] if inputs else None
    if first is not None and first.elements == 0 and operator.name not in MAY_BE_EMPTY:
        return f"{first.label} has no elements"
    return _of_weights(operator.name, inputs, outputs)


def is_empty(call: Call) -> bool:
    """True for an operator that has outputs, none of which has elements: there is nothing to compute."""
    outputs = [call.find_output(position) for position in range(len(call.operator.outputs))]
    return bool(outputs) and all(output is not None and output.elements == 0 for output in outputs)


def _agree(name: str, made: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    if name in ONLY_COUNTED:
        return prod(made) == prod(shape)
    return _without_ones_in_front(made) == _without_ones_in_front(shape)


def _without_ones_in_front(shape: tuple[int, ...]) -> tuple[int, ...]:
    first = next((axis for axis, size in enumerate(shape) if size != 1), len(shape))
    return shape[first:]


def _of_weights(name: str, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...]) -> str:
    """What is wrong with the weights and the bias of a convolution or a fully connected layer."""
    if name not in ("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED") or len(inputs) < 2:
        return ""
    source, filters, bias = (*inputs, None)[:3]
    if source is None or filters is None or not source.shape or not filters.shape or not outputs[0].shape:
        return ""
    depth, given = filters.shape[-1], source.elements if name == "FULLY_CONNECTED" else source.shape[-1]
    if name != "DEPTHWISE_CONV_2D" and (depth == 0 or given % depth):
        return f"{filters.label} has shape {list(filters.shape)}, {source.label} has {list(source.shape)}"
    if bias is not None and bias.elements != outputs[0].shape[-1]:
        return f"{bias.label} has {bias.elements} elements for {outputs[0].shape[-1]} channels"
    return ""
