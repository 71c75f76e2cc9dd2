"""F1. Is a decoded model a model: do its indices exist, and does each subgraph say where every tensor comes from?"""

from __future__ import annotations

from collections.abc import Iterator

from arena_codegen.errors import place
from arena_codegen.model.faults import Faults
from arena_codegen.model.schema import DTYPES
from arena_codegen.model.types import Model, Operator, Subgraph, shown

LARGEST = 2**31 - 1
"""Bytes of the largest tensor: offsets and sizes are 32-bit signed in TFLM."""


def check_indices(model: Model, subgraph: Subgraph, faults: Faults) -> None:
    """Every tensor that the subgraph or one of its operators names exists; −1 stands for an absent input only."""
    count = len(subgraph.tensors)
    for field in ("inputs", "outputs"):
        for position, tensor in enumerate(getattr(subgraph, field)):
            if not 0 <= tensor < count:
                faults.add(_no_tensor(f"{field}[{position}]", tensor, count), model.where(subgraph.index))
    for operator in subgraph.operators:
        for field, lowest in (("inputs", -1), ("outputs", 0), ("intermediates", -1)):
            for position, tensor in enumerate(getattr(operator, field)):
                if not lowest <= tensor < count:
                    where = model.where(subgraph.index, operator.index)
                    faults.add(_no_tensor(f"{field}[{position}]", tensor, count), where)


def check_signatures(model: Model, faults: Faults) -> None:
    """The subgraphs and tensors that signatures name exist."""
    for index, signature in enumerate(model.signatures):
        where = place(model.file, f"signature {index} {shown(signature.key)!r}")
        if signature.subgraph >= len(model.subgraphs):
            what = f"subgraph_index is {signature.subgraph}, the file has {len(model.subgraphs)} subgraph(s)"
            faults.add(what, where)
            continue
        count = len(model.subgraphs[signature.subgraph].tensors)
        for field in ("inputs", "outputs"):
            for name, tensor in getattr(signature, field):
                if tensor >= count:
                    faults.add(_no_tensor(f"{field} {shown(name)!r}", tensor, count), where)


def _no_tensor(field: str, tensor: int, count: int) -> str:
    return f"{field} names tensor {tensor}, the subgraph has {count} tensor(s)"


def check_sizes(model: Model, subgraph: Subgraph, faults: Faults) -> None:
    """Every tensor that TFLM has to place has an element size, and less than 2 GiB; unused ones are placed too."""
    for tensor in subgraph.tensors:
        if tensor.dtype.bytes is None:
            if not tensor.is_constant and tensor.dtype.code in DTYPES:
                what = f"{tensor.dtype.name} tensor has no fixed size, so it cannot lie in an arena"
                faults.add(what, model.where(subgraph.index, tensor=tensor.index))
        elif min(tensor.shape, default=0) >= 0 and tensor.bytes > LARGEST:
            what = f"tensor needs {tensor.bytes} bytes, more than 2 GiB (at most {LARGEST})"
            faults.add(what, model.where(subgraph.index, tensor=tensor.index))


def check_outputs(model: Model, subgraph: Subgraph, faults: Faults) -> None:
    """A warning for what TFLM does not accept, though it could be planned.

    An output with a dimension of 0 is a dynamic tensor to it, but for the shape [0], an old way to say scalar
    (micro_interpreter_graph.cc, CheckDynamicTensors).
    """
    if subgraph.index == 0 and not subgraph.tensors:
        hint = "a converter wrote no tensor at all; is it the right file?"
        faults.warn("model has no tensor: TFLM's AllocateTensors() crashes on it", model.where(0), hint)
    for operator in subgraph.operators:
        for index in dict.fromkeys(operator.outputs):
            if not 0 <= index < len(subgraph.tensors):
                continue
            shape = subgraph.tensors[index].shape
            if 0 in shape and shape != (0,):
                what = f"operator writes a tensor of shape {list(shape)}, which TFLM's AllocateTensors() refuses"
                hint = "to TFLM a dimension of 0 makes a dynamic tensor; export the model without it"
                faults.warn(what, model.where(subgraph.index, operator.index, index), hint)


def check_order(model: Model, subgraph: Subgraph, faults: Faults) -> None:
    """Every tensor is written once, and before it is read.

    Constants, variables, graph inputs and tensors of no bytes need no writer, nor does what custom operators alone
    read: Vela gives the NPU its scratch memory so. A graph output without one is only worth a warning: TFLM gives it a
    place, and nobody fills it.
    """
    writers = _writers(model, subgraph, faults)
    computed = {index for operator, index in _uses(subgraph) if not operator.is_custom}
    given = set(subgraph.inputs)
    unwritten: set[int] = set()
    for operator, index in _uses(subgraph):
        writer = writers.get(index)
        if writer is not None and writer.index < operator.index:
            continue
        tensor = subgraph.tensors[index]
        if tensor.is_constant or tensor.is_variable or index in given or index in unwritten:
            continue
        where = model.where(subgraph.index, operator.index, index)
        if writer is None:
            if tensor.bytes and index in computed:
                unwritten.add(index)
                faults.add("operator reads a tensor that nothing writes", where)
        elif writer.index == operator.index:
            faults.add("operator reads its own output", where)
        else:
            faults.add(f"operator reads a tensor that a later one, {writer.label}, writes", where)
    for index in dict.fromkeys(subgraph.outputs):
        if not 0 <= index < len(subgraph.tensors):
            continue
        tensor = subgraph.tensors[index]
        if not (tensor.is_constant or tensor.is_variable or index in given or index in writers or not tensor.bytes):
            faults.warn("graph output is written by no operator", model.where(subgraph.index, tensor=index))


def _uses(subgraph: Subgraph) -> Iterator[tuple[Operator, int]]:
    """Each operator with each tensor that it reads, once."""
    count = len(subgraph.tensors)
    for operator in subgraph.operators:
        for index in dict.fromkeys(operator.inputs):
            if 0 <= index < count:
                yield operator, index


def _writers(model: Model, subgraph: Subgraph, faults: Faults) -> dict[int, Operator]:
    """Which operator writes which tensor, the first one where several do."""
    writers: dict[int, Operator] = {}
    given, count = set(subgraph.inputs), len(subgraph.tensors)
    for operator in subgraph.operators:
        for index in operator.outputs:
            if not 0 <= index < count:
                continue
            what = ""
            if subgraph.tensors[index].is_constant:
                what = "operator writes a constant"
            elif index in given:
                what = "operator writes an input of its subgraph"
            elif index in writers:
                what = f"operator writes a tensor that {writers[index].label} writes already"
            if what:
                faults.add(what, model.where(subgraph.index, operator.index, index))
            writers.setdefault(index, operator)
    return writers
