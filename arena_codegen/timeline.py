"""When every tensor is alive, in the allocation scopes of TFLM, over all subgraphs.

F2. Scope 0 is before the first operator; every operator opens one; every call of a subgraph opens one more, and the
subgraph's operators follow. Both ends of a lifetime are included. Source: TFLM's micro_allocation_info.cc,
AllocationInfoBuilder::MarkAllocationLifetimes. Example, main graph `op 0, IF(op a | op b), op 2`:

    scope   0       1     2    3     4   5     6   7     8
            inputs  op 0  IF   then  a   else  b   --    op 2
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arena_codegen.errors import Finding, ModelError
from arena_codegen.model.types import Model, Operator, Subgraph

UNUSED = -1
"""The scope of what no operator uses, as TFLM counts it."""

MAX_CALLED_SCOPES = 1_000_000
"""Nested calls can unfold a small file into very many scopes; with so many more than operators the file is refused."""


@dataclass(frozen=True, slots=True)
class Life:
    """One tensor: its role, its first and last scope, the operator that writes it and those that read it.

    `producer` and `readers` are operator indices of the tensor's own subgraph; an operator that reads twice stands
    twice. `is_output` says that the subgraph's caller reads it too.
    """

    role: str
    first: int
    last: int
    producer: int | None
    readers: tuple[int, ...]
    is_output: bool

    @property
    def is_used(self) -> bool:
        return self.last != UNUSED


@dataclass(frozen=True, slots=True)
class Span:
    """The scopes of one operator: its own, and the last of all that it calls; UNUSED where its subgraph never runs."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Timeline:
    """Lives by subgraph and tensor, spans by subgraph and operator, and the operator that each scope runs.

    `steps` has (subgraph, index) of that operator. Scope 0 runs nothing; a scope that a call opened belongs to the
    calling operator.
    """

    lives: tuple[tuple[Life, ...], ...]
    spans: tuple[tuple[Span, ...], ...]
    steps: tuple[tuple[int, int] | None, ...]

    @property
    def end(self) -> int:
        """The last scope."""
        return len(self.steps) - 1

    def references(self, subgraph: int, tensor: int, scope: int) -> int:
        """How many reads of a tensor are still to come when `scope` begins; one more where the caller reads it."""
        life = self.lives[subgraph][tensor]
        spans = self.spans[subgraph]
        return sum(spans[reader].last >= scope for reader in life.readers) + life.is_output


def lay_timeline(model: Model) -> Timeline:
    """The timeline of a checked model. Raises ModelError where calls unfold to more than MAX_CALLED_SCOPES scopes."""
    marks = _Marks(model)
    _walk(model, marks)
    lives = tuple(_lives(graph, marks.first[graph.index], marks.last[graph.index]) for graph in model.subgraphs)
    spans = tuple(tuple(Span(first, last) for first, last in graph) for graph in marks.spans)
    return Timeline(lives, spans, tuple(marks.steps))


class _Marks:
    """What one walk writes down: first and last scope of tensors and operators, and who runs in each scope."""

    def __init__(self, model: Model) -> None:
        self.file = model.file
        self.first = [[UNUSED] * len(graph.tensors) for graph in model.subgraphs]
        self.last = [[UNUSED] * len(graph.tensors) for graph in model.subgraphs]
        self.spans = [[(UNUSED, UNUSED)] * len(graph.operators) for graph in model.subgraphs]
        self.steps: list[tuple[int, int] | None] = [None]
        self.limit = MAX_CALLED_SCOPES + model.operators

    @property
    def now(self) -> int:
        return len(self.steps) - 1

    def open(self, operator: Operator) -> None:
        if len(self.steps) > self.limit:
            raise ModelError(
                Finding(
                    f"calls of subgraphs unfold to more than {MAX_CALLED_SCOPES} steps",
                    f"{self.file} · subgraph {operator.subgraph} · {operator.label}",
                    "a subgraph is called again and again from subgraphs that are called again and again",
                )
            )
        self.steps.append((operator.subgraph, operator.index))

    def create(self, graph: int, tensor: int) -> None:
        if self.first[graph][tensor] == UNUSED:
            self.first[graph][tensor] = self.now

    def use(self, graph: int, tensor: int) -> None:
        self.last[graph][tensor] = self.now


def _walk(model: Model, marks: _Marks) -> None:
    """Walks the main graph and, at each call, what it calls; the stack is ours, so that depth is no limit."""
    stack = [_visit(model.subgraphs[0], marks)] if model.subgraphs else []
    while stack:
        callee = next(stack[-1], None)
        if callee is None:
            stack.pop()
        else:
            stack.append(_visit(model.subgraphs[callee], marks))


def _visit(graph: Subgraph, marks: _Marks) -> Iterator[int]:
    """Marks one visit of a subgraph; yields each subgraph that is to be visited before it goes on."""
    index = graph.index
    for tensor in graph.inputs:
        marks.create(index, tensor)
        marks.use(index, tensor)
    for operator in graph.operators:
        marks.open(operator)
        start = marks.now
        for tensor in operator.outputs:
            marks.create(index, tensor)
        for callee in operator.callees:
            marks.open(operator)
            yield callee
        for tensor in operator.inputs:
            if tensor >= 0:
                marks.use(index, tensor)
        for tensor in operator.outputs:
            marks.use(index, tensor)
        first = marks.spans[index][operator.index][0]
        marks.spans[index][operator.index] = (start if first == UNUSED else first, marks.now)
    for tensor in graph.outputs:
        marks.create(index, tensor)
        marks.use(index, tensor)


def _lives(graph: Subgraph, first: list[int], last: list[int]) -> tuple[Life, ...]:
    producers: list[int | None] = [None] * len(graph.tensors)
    readers: list[list[int]] = [[] for _ in graph.tensors]
    for operator in graph.operators:
        for tensor in operator.outputs:
            producers[tensor] = operator.index
        for tensor in operator.inputs:
            if tensor >= 0:
                readers[tensor].append(operator.index)
    inputs, outputs, handles = set(graph.inputs), set(graph.outputs), _handles(graph)

    def role(index: int) -> str:
        tensor = graph.tensors[index]
        if tensor.is_constant:
            return "constant"
        if tensor.is_variable or index in handles:
            return "variable"
        if index in inputs:
            return "input"
        return "output" if index in outputs else "intermediate"

    return tuple(
        Life(role(i), first[i], last[i], producers[i], tuple(readers[i]), i in outputs)
        for i in range(len(graph.tensors))
    )


def _handles(graph: Subgraph) -> set[int]:
    """Outputs of VAR_HANDLE: TFLM points them at the operator's own data, so they name state and take no place."""
    return {tensor for operator in graph.operators if operator.name == "VAR_HANDLE" for tensor in operator.outputs}
