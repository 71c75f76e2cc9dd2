"""Model → Network: every operator as a call of a kernel, every tensor with the place of its bytes.

F3. Raises no error for operators without a kernel: `missing` names them, and the pattern check runs all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from arena_codegen.inference.call import KernelCall, Unsupported
from arena_codegen.inference.shapes import contradiction, is_empty
from arena_codegen.inference.table import CUSTOM, OPERATORS
from arena_codegen.kernels.call import Call, Unknown
from arena_codegen.model.types import Model, Operator, Tensor

MOST_TENSORS = 60
"""Inputs or outputs of one operator; state that it changes comes on top (NETWORK_MOST_TENSORS of the firmware)."""


@dataclass(frozen=True, slots=True)
class Missing:
    """An operator that the firmware has no kernel for, and what about it is missing; "" for all of it."""

    operator: Operator
    why: str


@dataclass(frozen=True, slots=True)
class State:
    """Bytes that outlive an invocation: a variable tensor, the variable that handles of one name share, or what a
    kernel keeps.

    `tensors` are flat indices; `value` is what every byte is before the first invocation. `operator` is the subgraph
    and index of the one whose kernel keeps it.
    """

    name: str
    bytes: int
    value: int
    tensors: tuple[int, ...] = ()
    operator: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Network:
    """A model as the firmware runs it. Tensors of all subgraphs are counted through: `starts[subgraph] + index`."""

    model: Model
    starts: tuple[int, ...]
    calls: tuple[tuple[KernelCall, ...], ...]
    states: tuple[State, ...]
    missing: tuple[Missing, ...]

    def flat(self, subgraph: int, tensor: int) -> int:
        """The number of a tensor among those of all subgraphs; −1 stays −1."""
        return self.starts[subgraph] + tensor if tensor >= 0 else -1

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return tuple(tensor for graph in self.model.subgraphs for tensor in graph.tensors)

    @property
    def state_bytes(self) -> int:
        return sum(state.bytes for state in self.states)

    def outputs(self, operator: Operator) -> tuple[int, ...]:
        """The tensors that an operator writes, as the firmware counts them."""
        call = self.calls[operator.subgraph][operator.index]
        tensors = operator.outputs if call.outputs is None else call.outputs
        return tuple(self.flat(operator.subgraph, tensor) for tensor in tensors)

    def inputs(self, operator: Operator) -> tuple[int, ...]:
        """The tensors that an operator reads, likewise."""
        call = self.calls[operator.subgraph][operator.index]
        tensors = operator.inputs if call.inputs is None else call.inputs
        return tuple(self.flat(operator.subgraph, tensor) for tensor in tensors)


def describe(model: Model) -> Network:
    """The network of a checked model."""
    starts = (0, *accumulate(len(graph.tensors) for graph in model.subgraphs))[:-1]
    missing: list[Missing] = []
    calls = tuple(
        tuple(_call(Call(graph, operator), missing) for operator in graph.operators) for graph in model.subgraphs
    )
    return Network(model, starts, calls, (*_states(model, starts), *_kept(model, calls)), tuple(missing))


def _kept(model: Model, calls: tuple[tuple[KernelCall, ...], ...]) -> Iterator[State]:
    """What kernels keep, in the order of operators."""
    for graph in model.subgraphs:
        for operator in graph.operators:
            call = calls[graph.index][operator.index]
            if call.kept:
                yield State(operator.label, call.kept, 0, operator=(graph.index, operator.index))


def _call(call: Call, missing: list[Missing]) -> KernelCall:
    operator = call.operator
    describe_one = (CUSTOM if operator.is_custom else OPERATORS).get(operator.name)
    if describe_one is None:
        missing.append(Missing(operator, ""))
        return KernelCall()
    try:
        if max(len(operator.inputs), len(operator.outputs)) > MOST_TENSORS:
            raise Unsupported(f"more than {MOST_TENSORS} inputs or outputs")
        if is_empty(call):
            return KernelCall()
        if wrong := contradiction(call):
            raise Unsupported(wrong)
        return describe_one(call)
    except (Unsupported, Unknown) as error:
        missing.append(Missing(operator, str(error)))
        return KernelCall()


def _states(model: Model, starts: tuple[int, ...]) -> tuple[State, ...]:
    """Variable tensors, then resource variables in the order of their first handles."""
    states = [
        State(tensor.name, tensor.bytes, _first_value(tensor), (starts[graph.index] + tensor.index,))
        for graph in model.subgraphs
        for tensor in graph.tensors
        if tensor.is_variable
    ]
    handles: dict[tuple[str, str], list[tuple[int, int]]] = {key: [] for _, _, key in _handles(model)}
    for subgraph, tensor, key in _handles(model):
        handles[key].append((subgraph, tensor))
    for (_, name), tensors in handles.items():
        size = max((_variable_bytes(model, subgraph, tensor) for subgraph, tensor in tensors), default=0)
        states.append(State(name, size, 0, tuple(starts[subgraph] + tensor for subgraph, tensor in tensors)))
    return tuple(states)


def _handles(model: Model) -> Iterator[tuple[int, int, tuple[str, str]]]:
    """Subgraph and tensor of every VAR_HANDLE, and the variable's container and name."""
    for graph in model.subgraphs:
        for operator in graph.operators:
            if operator.name == "VAR_HANDLE":
                container, name = (str(operator.options.get(part, "")) for part in ("container", "shared_name"))
                yield graph.index, operator.outputs[0], (container, name)


def _variable_bytes(model: Model, subgraph: int, handle: int) -> int:
    """Bytes of what is read from or assigned to a variable by this handle."""
    graph = model.subgraphs[subgraph]
    values = [
        operator.inputs[1] if operator.name == "ASSIGN_VARIABLE" else operator.outputs[0]
        for operator in graph.operators
        if operator.name in ("ASSIGN_VARIABLE", "READ_VARIABLE") and operator.inputs[0] == handle
    ]
    return max((graph.tensors[value].bytes for value in values), default=0)


def _first_value(tensor: Tensor) -> int:
    """TFLM's ResetTensorData: an int8 variable begins at its zero point, all others at 0."""
    points = tensor.quantization.zero_points if tensor.quantization and tensor.dtype.name == "INT8" else ()
    return points[0] & 255 if points else 0
