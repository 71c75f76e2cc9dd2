"""F1. What a model would be with other channels in one layer: everything that must change together, changes together.

Weights follow the layer that they belong to; from a tensor the new number goes forward through operators that keep
channels, and back through those whose other input must agree (an ADD of two branches). Weights are not computed.
"""

from __future__ import annotations

from arena_codegen.errors import Finding, ModelError
from arena_codegen.model.shape_rules import Shape
from arena_codegen.model.shapes import with_shapes
from arena_codegen.model.types import Model, Operator, Subgraph, Tensor

KEEPING = frozenset(
    [
        "RELU",
        "RELU6",
        "RELU_N1_TO_1",
        "LEAKY_RELU",
        "ELU",
        "HARD_SWISH",
        "LOGISTIC",
        "TANH",
        "QUANTIZE",
        "DEQUANTIZE",
        "CAST",
        "ABS",
        "NEG",
        "EXP",
        "SQRT",
        "SQUARE",
        "PAD",
        "AVERAGE_POOL_2D",
        "MAX_POOL_2D",
        "L2_POOL_2D",
        "MEAN",
        "SUM",
        "REDUCE_MAX",
        "REDUCE_MIN",
        "RESIZE_BILINEAR",
        "RESIZE_NEAREST_NEIGHBOR",
    ]
)
"""Operators whose output has the channels of their first input."""
AGREEING = frozenset(["ADD", "SUB", "MUL", "DIV", "MAXIMUM", "MINIMUM", "SQUARED_DIFFERENCE", "ADD_N", "PRELU"])
"""Operators whose inputs and output have the same channels, or one, which is broadcast."""


def with_channels(model: Model, subgraph: int, tensor: int, channels: int) -> Model:
    """The model in which the last dimension of this tensor is `channels`. Raises ModelError where that cannot be."""
    walk = _Walk(model, model.subgraphs[subgraph])
    walk.change(tensor, channels)
    walk.settle()
    shapes = walk.weights | walk.reshaped
    return with_shapes(model, {(subgraph, index): shape for index, shape in shapes.items()})


class _Walk:
    """What has been decided: the channels of tensors, shapes of constants and of what a RESHAPE makes, and who is still
    to be looked at."""

    def __init__(self, model: Model, graph: Subgraph) -> None:
        # derived: what a RESHAPE or a CONCATENATION makes of channels that were changed before it
        self.model, self.graph = model, graph
        self.channels: dict[int, int] = {}
        self.weights: dict[int, Shape] = {}
        self.reshaped: dict[int, Shape] = {}
        self.derived: set[int] = set()
        self.open: list[int] = []
        self.writers = {index: operator for operator in graph.operators for index in operator.outputs}

    def change(self, tensor: int, channels: int) -> None:
        """Gives a tensor its channels; what depends on it is looked at later."""
        known = self._tensor(tensor)
        if self.channels.get(tensor, channels) != channels:
            raise self._refused(tensor, f"needs {channels} and {self.channels[tensor]} channels at once")
        if tensor in self.channels or (known.shape and known.shape[-1] == channels):
            return
        if not known.shape:
            raise self._refused(tensor, "has no channels")
        self.channels[tensor] = channels
        self.open.append(tensor)

    def settle(self) -> None:
        while self.open:
            tensor = self.open.pop()
            if self._tensor(tensor).is_constant:
                self.weights[tensor] = (*self._tensor(tensor).shape[:-1], self.channels[tensor])
                continue
            writer = self.writers.get(tensor)
            if writer is None:
                raise self._refused(tensor, "is an input of the model: its channels are the application's")
            self._back(writer, self.channels[tensor])
            for operator in self.graph.operators:
                if tensor in operator.inputs:
                    self._forward(operator, tensor, self.channels[tensor])

    def _back(self, operator: Operator, channels: int) -> None:
        """The operator has to write so many channels."""
        if operator.name in ("CONV_2D", "FULLY_CONNECTED"):
            shape = self._shape(operator.inputs[1])
            self._weight(operator.inputs[1], (channels, *shape[1:]))
            self._bias(operator, channels)
        elif operator.name == "DEPTHWISE_CONV_2D":
            ratio = self._shape(operator.outputs[0])[-1] // self._shape(operator.inputs[0])[-1]
            if channels % ratio:
                raise self._refused(operator.outputs[0], f"has {ratio} channels for each one of its input")
            self.change(operator.inputs[0], channels // ratio)
            self._depthwise(operator, channels)
        elif operator.name in KEEPING:
            self.change(operator.inputs[0], channels)
        elif operator.name in AGREEING:
            self._agree(operator, channels)
        elif operator.outputs[0] not in self.derived:
            raise self._refused(operator.outputs[0], f"comes from {operator.name}, whose channels follow from others")

    def _forward(self, operator: Operator, tensor: int, channels: int) -> None:
        """The operator gets so many channels in this input."""
        if operator.name == "CONV_2D" and tensor == operator.inputs[0]:
            shape = self._shape(operator.inputs[1])
            if shape[-1] != self._shape(tensor)[-1]:
                raise self._refused(operator.outputs[0], "comes from a grouped convolution")
            self._weight(operator.inputs[1], (*shape[:-1], channels))
        elif operator.name == "FULLY_CONNECTED" and tensor == operator.inputs[0]:
            units, depth = self._shape(operator.inputs[1])
            before = self._shape(tensor)[-1]
            self._weight(operator.inputs[1], (units, depth // before * channels))
        elif operator.name == "DEPTHWISE_CONV_2D":
            ratio = self._shape(operator.outputs[0])[-1] // self._shape(tensor)[-1]
            self._depthwise(operator, channels * ratio)
            self.change(operator.outputs[0], channels * ratio)
        elif operator.name in KEEPING and tensor == operator.inputs[0]:
            if self._shape(operator.outputs[0])[-1:] == self._shape(tensor)[-1:]:
                self.change(operator.outputs[0], channels)
        elif operator.name in AGREEING:
            self._agree(operator, channels)
        elif operator.name == "CONCATENATION":
            self._join(operator)
        elif operator.name == "RESHAPE":
            self._flatten(operator, tensor, channels)
        else:
            raise self._refused(tensor, f"is read by {operator.name}, for which nobody knows what follows")

    def _agree(self, operator: Operator, channels: int) -> None:
        width = self._shape(operator.outputs[0])[-1]
        for index in (*operator.inputs, *operator.outputs):
            if self._shape(index)[-1:] == (width,) and width != 1:
                self.change(index, channels)

    def _join(self, operator: Operator) -> None:
        """Channels side by side add up; parts that are joined along another axis have equally many."""
        rank = len(self._shape(operator.outputs[0]))
        if operator.options.get("axis", 0) % rank != rank - 1:
            channels = next(self.channels[index] for index in operator.inputs if index in self.channels)
            for index in (*operator.inputs, *operator.outputs):
                self.change(index, channels)
            return
        self.derived.add(operator.outputs[0])
        total = sum(self.channels.get(index, self._shape(index)[-1]) for index in operator.inputs)
        self.change(operator.outputs[0], total)

    def _flatten(self, operator: Operator, tensor: int, channels: int) -> None:
        """A RESHAPE that joins channels with what stands before them: as many times more, or fewer."""
        before, after = self._shape(tensor), self._shape(operator.outputs[0])
        if not after or not before[-1] or after[-1] % before[-1]:
            raise self._refused(tensor, "is read by a RESHAPE that does not keep channels together")
        width = after[-1] // before[-1] * channels
        self.reshaped[operator.outputs[0]] = (*after[:-1], width)
        self.derived.add(operator.outputs[0])
        self.change(operator.outputs[0], width)

    def _depthwise(self, operator: Operator, channels: int) -> None:
        self._weight(operator.inputs[1], (*self._shape(operator.inputs[1])[:-1], channels))
        self._bias(operator, channels)

    def _bias(self, operator: Operator, channels: int) -> None:
        if len(operator.inputs) > 2 and operator.inputs[2] >= 0:
            self._weight(operator.inputs[2], (channels,))

    def _weight(self, index: int, shape: Shape) -> None:
        """Later knowledge completes earlier: a convolution may get both its input's and its output's channels."""
        old, now = self._shape(index), self.weights.get(index, self._shape(index))
        self.weights[index] = tuple(new if new != was else kept for new, was, kept in zip(shape, old, now, strict=True))

    def _shape(self, index: int) -> Shape:
        return self._tensor(index).shape if index >= 0 else ()

    def _tensor(self, index: int) -> Tensor:
        return self.graph.tensors[index]

    def _refused(self, tensor: int, why: str) -> ModelError:
        where = self.model.where(self.graph.index, tensor=tensor)
        return ModelError(Finding(f"channels cannot be changed: it {why}", where))
