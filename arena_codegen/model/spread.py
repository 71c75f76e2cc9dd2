"""F1. How shapes spread: from tensors whose shape is given, operator by operator, into called subgraphs and back."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from arena_codegen.errors import place
from arena_codegen.model.faults import Faults
from arena_codegen.model.shape_rules import Call, Shape, infer, solve
from arena_codegen.model.types import Model, Operator, Subgraph, Tensor

Key = tuple[int, int]
"""(subgraph, tensor)."""


class Spread:
    """A walk over a model in the order of execution.

    `now` are the shapes that were given or derived; `lost` are tensors that depend on a changed shape in a way without
    a rule. With `binding`, a derived shape may not contradict what the file fixes.
    """

    def __init__(self, model: Model, given: Mapping[Key, Shape], faults: Faults, binding: bool) -> None:
        self.model = model
        self.faults = faults
        self.binding = binding
        self.now: dict[Key, Shape] = dict(given)
        self.lost: set[Key] = set()
        self._given = given
        self._visited: set[int] = set()
        self._changed = {key for key, shape in given.items() if shape != self._tensor(key).shape}

    def walk(self, follow_calls: bool = True) -> None:
        """Visit every subgraph, callees with what their callers pass; calls must be finite to be followed."""
        called = {
            callee
            for graph in self.model.subgraphs
            for operator in graph.operators
            for callee in operator.callees
            if follow_calls
        }
        for graph in self.model.subgraphs:
            if graph.index not in called:
                self._visit(graph, follow_calls)

    def _tensor(self, key: Key) -> Tensor:
        return self.model.subgraphs[key[0]].tensors[key[1]]

    def _shape(self, key: Key) -> Shape | None:
        """The shape of a tensor as far as it is known by now."""
        if key in self.lost:
            return None
        if key in self.now:
            return self.now[key]
        shape = open_shape(self._tensor(key))
        return None if -1 in shape else shape

    def _visit(self, graph: Subgraph, follow_calls: bool) -> None:
        count = len(graph.tensors)
        for operator in graph.operators:
            if any(not -1 <= index < count for index in (*operator.inputs, *operator.outputs)):
                continue
            if not operator.callees:
                self._derive(graph, operator)
            elif follow_calls:
                self._call(graph, operator)

    def _derive(self, graph: Subgraph, operator: Operator) -> None:
        """The outputs of one operator, where its inputs are known and something is to be found out."""
        inputs = [(graph.index, index) if index >= 0 else None for index in operator.inputs]
        outputs = [(graph.index, index) for index in operator.outputs]
        changed = any(key in self._changed for key in inputs if key)
        if not changed and all(self._shape(key) is not None for key in outputs):
            return
        if not all(self._shape(key) is not None for key in inputs if key):
            if changed or any(key in self.lost for key in inputs if key):
                self._lose(outputs)
            return
        call = Call(
            operator,
            tuple(self._shape(key) if key else None for key in inputs),
            tuple(self._tensor(key) if key else None for key in inputs),
            tuple(self._tensor(key) for key in outputs),
        )
        shapes = infer(call) if self._given else _as_prepared(call)
        if shapes is None and changed:
            self._lose(outputs)
        for key, shape in zip(outputs, shapes or (), strict=False):
            self._put(key, shape, f"{operator.name} makes it", operator)

    def _lose(self, keys: list[Key]) -> None:
        """Nobody knows these any more, unless the file fixes them."""
        for key in keys:
            tensor = self._tensor(key)
            if key not in self._given and (not self.binding or -1 in (tensor.signature or ())):
                self.now.pop(key, None)
                self.lost.add(key)

    def _put(self, key: Key, shape: Shape, who: str, operator: Operator) -> None:
        tensor = self._tensor(key)
        if key in self._given:
            says, wanted = "--shape says", self._given[key]
        elif key in self.now:
            says, wanted = "it was made before as", self.now[key]
        else:
            says, wanted = "the file says", fixed_shape(tensor) if self.binding else shape
        if len(shape) != len(wanted) or any(size not in (-1, ours) for size, ours in zip(wanted, shape, strict=True)):
            what = f"{who} {shape_text(shape)}, {says} {shape_text(wanted)}"
            self.faults.add(what, place(self.model.where(operator.subgraph, operator.index), tensor.label))
            return
        self.now[key] = shape
        if shape != tensor.shape:
            self._changed.add(key)

    def _call(self, graph: Subgraph, operator: Operator) -> None:
        """Pass the arguments, visit each callee, and take what the last one returns."""
        first = 1 if operator.name == "IF" else 0
        for callee in (self.model.subgraphs[index] for index in operator.callees):
            news = self._pass(operator, graph, operator.inputs[first:], callee, callee.inputs)
            if news or callee.index not in self._visited:
                self._visited.add(callee.index)
                self._visit(callee, True)
        if operator.outputs:
            last = self.model.subgraphs[operator.callees[-1]]
            self._pass(operator, last, last.outputs, graph, operator.outputs)

    def _pass(
        self, operator: Operator, source: Subgraph, given: tuple[int, ...], target: Subgraph, taken: tuple[int, ...]
    ) -> bool:
        """Give shapes of one subgraph to tensors of another; True where that made one known."""
        before = len(self.now)
        for mine, theirs in zip(given, taken, strict=False):
            if not (0 <= mine < len(source.tensors) and 0 <= theirs < len(target.tensors)):
                continue
            key, shape = (target.index, theirs), self._shape((source.index, mine))
            if shape is not None and ((source.index, mine) in self._changed or self._shape(key) is None):
                self._put(key, shape, f"{operator.name} passes", operator)
        return len(self.now) > before


def open_shape(tensor: Tensor) -> Shape:
    """The tensor's shape with −1 for each dimension that the file leaves open; a fixed batch is not open."""
    shape, signature = tensor.shape, tensor.signature
    if signature is None or tensor.is_constant:
        return shape if min(shape, default=0) >= -1 else tuple(max(size, -1) for size in shape)
    if len(signature) != len(shape):
        return (-1,) * max(len(shape), 1) if -1 in signature else shape
    return tuple(
        -1 if size < 0 or (wanted < 0 and (axis or size != 1)) else size
        for axis, (size, wanted) in enumerate(zip(shape, signature, strict=True))
    )


def fixed_shape(tensor: Tensor) -> Shape:
    """The tensor's shape with −1 for each dimension that may be chosen: the open ones, and a fixed batch."""
    shape = open_shape(tensor)
    batch = tensor.signature is not None and tensor.signature[0] < 0 and not tensor.is_constant and shape
    return (-1, *shape[1:]) if batch else shape


def _as_prepared(call: Call) -> list[Shape] | None:
    """What TFLM's Prepare makes of a −1 in an output's `shape`: RESHAPE solves it, nothing else does."""
    shape = call.outputs[0].shape if call.operator.name == "RESHAPE" and len(call.outputs) == 1 else ()
    given = call.shapes[0] if call.shapes else None
    if -1 not in shape or given is None:
        return None
    solved = solve(shape, prod(given))
    return [solved] if solved else None


def shape_text(shape: Shape) -> str:
    return "x".join(map(str, shape)) or "a scalar"
