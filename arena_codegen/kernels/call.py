"""One operator as a kernel's Prepare sees it: its tensors and options, or `Unknown` where the model does not say.

F2. Formulas are written as if everything were there; what is missing, of another rank or out of range raises `Unknown`,
which the table that asked turns into "nobody knows". A formula never sees a shape that it would misread.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena_codegen.model.types import Operator, Subgraph, Tensor


class Unknown(Exception):
    """The model does not say what a formula needs to know."""


@dataclass(frozen=True, slots=True)
class Call:
    """An operator of a subgraph, for kernels built for `isa`: "plain", "dsp" or "mve"."""

    graph: Subgraph
    operator: Operator
    isa: str = "dsp"

    def find_input(self, position: int) -> Tensor | None:
        """The input tensor there, None for an absent optional one (TFLM's GetTensorIndex)."""
        return self._find(self.operator.inputs, position)

    def find_output(self, position: int) -> Tensor | None:
        return self._find(self.operator.outputs, position)

    def input(self, position: int) -> Tensor:
        tensor = self.find_input(position)
        if tensor is None:
            raise Unknown(f"no input {position}")
        return tensor

    def output(self, position: int = 0) -> Tensor:
        tensor = self.find_output(position)
        if tensor is None:
            raise Unknown(f"no output {position}")
        return tensor

    def _find(self, indices: tuple[int, ...], position: int) -> Tensor | None:
        if position >= len(indices) or not 0 <= indices[position] < len(self.graph.tensors):
            return None
        return self.graph.tensors[indices[position]]

    def option(self, name: str) -> int:
        """A whole number among the options."""
        value = self.operator.options.get(name)
        if not isinstance(value, int):
            raise Unknown(f"no option {name}")
        return value

    def positive(self, name: str) -> int:
        """An option that a kernel divides by or multiplies with: a stride, a dilation, a rank."""
        value = self.option(name)
        if value < 1:
            raise Unknown(f"option {name} is {value}")
        return value

    def padding(self, stride: int, kernel: int, dilation: int, size: int) -> int:
        """Rows or columns in front, floor of half of all (kernels/padding.h, ComputePaddingHeightWidth)."""
        reach = (kernel - 1) * dilation + 1
        same = self.option("padding") == SAME
        if not same and self.option("padding") != VALID:
            raise Unknown(f"padding {self.option('padding')}")
        out = -(-size // stride) if same else (size + stride - reach) // stride
        return max((out - 1) * stride + reach - size, 0) // 2


SAME, VALID = 0, 1


def dims(tensor: Tensor, rank: int) -> tuple[int, ...]:
    """The shape of a tensor that must have this rank and no open or empty dimension."""
    if len(tensor.shape) != rank or min(tensor.shape, default=1) < 1:
        raise Unknown(f"{tensor.label} has shape {list(tensor.shape)}")
    return tensor.shape


def dim(tensor: Tensor, axis: int) -> int:
    """One dimension, negative axes from the end."""
    if not -len(tensor.shape) <= axis < len(tensor.shape) or tensor.shape[axis] < 0:
        raise Unknown(f"{tensor.label} has shape {list(tensor.shape)}")
    return tensor.shape[axis]


def elements(tensor: Tensor) -> int:
    """How many elements a tensor has; a scalar has one."""
    if min(tensor.shape, default=1) < 0:
        raise Unknown(f"{tensor.label} has shape {list(tensor.shape)}")
    return tensor.elements


def width(tensor: Tensor) -> int:
    """Bytes of one element."""
    if tensor.dtype.bytes is None:
        raise Unknown(f"{tensor.label} is {tensor.dtype.name}")
    return tensor.dtype.bytes


def scales(tensor: Tensor) -> int:
    """How many scales TFLM sees: none unless there are zero points too."""
    return len(tensor.quantization.scales) if tensor.quantization else 0
