"""F1. Do the calls between subgraphs end, and do they pass what their callees take?"""

from __future__ import annotations

from collections.abc import Iterator

from arena_codegen.model.faults import Faults
from arena_codegen.model.operators import CALLEES
from arena_codegen.model.types import Model, Operator, Subgraph, Tensor

DEEPEST = 64
"""Subgraphs that may be under way at once; TFLM walks and runs them by recursion on the device's stack."""


def check_calls(model: Model, faults: Faults) -> bool:
    """Callees exist, no subgraph calls itself, and calls do not nest without measure; True where that holds."""
    good = True
    for operator in _callers(model):
        for field, callee in zip(CALLEES[operator.name], operator.callees, strict=True):
            if not 0 <= callee < len(model.subgraphs):
                what = f"{field} is {callee}, the file has {len(model.subgraphs)} subgraph(s)"
                faults.add(what, model.where(operator.subgraph, operator.index))
                good = False
    return good and _check_nesting(model, faults)


def _callers(model: Model) -> Iterator[Operator]:
    return (operator for graph in model.subgraphs for operator in graph.operators if operator.callees)


def _callees(model: Model) -> list[dict[int, Operator]]:
    """For each subgraph, those that it calls, each with the first operator that does."""
    callees: list[dict[int, Operator]] = [{} for _ in model.subgraphs]
    for operator in _callers(model):
        for callee in operator.callees:
            callees[operator.subgraph].setdefault(callee, operator)
    return callees


def _check_nesting(model: Model, faults: Faults) -> bool:
    """A depth-first walk, without recursion of our own: a call back into the path is a fault, and so is a long path."""
    callees = _callees(model)
    depth: dict[int, int] = {}
    before = len(faults)
    for root in range(len(callees)):
        path: dict[int, Iterator[tuple[int, Operator]]] = {}
        if root not in depth:
            path[root] = iter(callees[root].items())
        while path:
            last = next(reversed(path))
            callee, operator = next(path[last], (None, None))
            if callee is None or operator is None:
                depth[last] = 1 + max((depth.get(index, 0) for index in callees[last]), default=0)
                del path[last]
            elif callee in path:
                loop = [*path, callee]
                what = f"subgraph {callee} calls itself: {_arrows(loop[loop.index(callee) :])}"
                faults.add(what, model.where(operator.subgraph, operator.index))
            elif callee not in depth:
                path[callee] = iter(callees[callee].items())
    if max(depth.values(), default=0) > DEEPEST and len(faults) == before:
        faults.add(f"calls nest {max(depth.values())} subgraphs deep, at most {DEEPEST} are supported")
    return len(faults) == before


def _arrows(loop: list[int]) -> str:
    shown = [str(index) for index in (loop if len(loop) <= 8 else loop[:4])]
    return " → ".join(shown if len(loop) <= 8 else [*shown, "…", str(loop[-1])])


def check_arguments(model: Model, faults: Faults) -> None:
    """Callers pass what callees take: as many tensors, of the same types and bytes, as in TFLM's if.cc and while.cc."""
    for operator in _callers(model):
        graph = model.subgraphs[operator.subgraph]
        where = model.where(operator.subgraph, operator.index)
        if any(not 0 <= index < len(graph.tensors) for index in operator.inputs):
            faults.add(f"{operator.name} cannot leave an input out", where)
            continue
        inputs, outputs = ([graph.tensors[i] for i in part] for part in (operator.inputs, operator.outputs))
        callees = [model.subgraphs[callee] for callee in operator.callees]
        if operator.name == "IF":
            _check_condition(operator, inputs[:1], "condition", where, faults)
            for name, callee in zip(("then", "else"), callees, strict=True):
                _compare(f"inputs of the {name} subgraph", inputs[1:], callee, callee.inputs, where, faults)
                _compare(f"outputs of the {name} subgraph", outputs, callee, callee.outputs, where, faults)
        elif operator.name == "WHILE":
            condition, body = callees
            results = [condition.tensors[index] for index in condition.outputs[:1]]
            _check_condition(operator, results, "result of the condition", where, faults)
            _compare("inputs of the condition", inputs, condition, condition.inputs, where, faults)
            _compare("inputs of the body", inputs, body, body.inputs, where, faults)
            _compare("outputs of the body", outputs, body, body.outputs, where, faults)
            _compare("inputs of WHILE itself", outputs, graph, operator.inputs, where, faults)
        elif inputs or outputs:
            faults.add(f"{operator.name} takes no inputs and has no outputs", where)


def _check_condition(operator: Operator, given: list[Tensor], what: str, where: str, faults: Faults) -> None:
    if not given:
        faults.add(f"{operator.name} has no {what}", where)
    elif given[0].dtype.name != "BOOL" or given[0].elements != 1:
        faults.add(f"{what} is no single BOOL but {given[0].dtype.name} of {given[0].elements} elements", where)


def _compare(
    what: str, ours: list[Tensor], callee: Subgraph, indices: tuple[int, ...], where: str, faults: Faults
) -> None:
    if len(ours) != len(indices):
        faults.add(f"{what}: {len(indices)} expected, the operator has {len(ours)}", where)
        return
    for position, (mine, index) in enumerate(zip(ours, indices, strict=True)):
        other = callee.tensors[index]
        if mine.dtype.code != other.dtype.code or mine.bytes != other.bytes:
            faults.add(
                f"{what}: number {position} is {other.dtype.name} of {other.bytes} bytes there, "
                f"{mine.dtype.name} of {mine.bytes} bytes here",
                where,
            )
