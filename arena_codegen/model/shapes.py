"""F1. The shapes that tensors have when TFLM's Prepare is done, and what becomes of those that a user fixes.

A dimension is open where the file says −1 (in `shape`, or in `shape_signature`, which converters write for sizes that
were open in training). An open dimension 0 whose `shape` says 1 is a fixed batch: TFLM knows `shape` only. Anything
else that stays open is a fault, since nobody can say how many bytes to keep.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import replace

from arena_codegen.errors import Finding, UsageError
from arena_codegen.model.faults import Faults
from arena_codegen.model.find import find_tensor
from arena_codegen.model.shape_rules import Shape
from arena_codegen.model.spread import Key, Spread, fixed_shape, open_shape, shape_text
from arena_codegen.model.types import Model, Subgraph, Tensor


def with_shapes(model: Model, shapes: Mapping[Key, Shape]) -> Model:
    """What the model would be with other shapes of these (subgraph, tensor), constants included, and all that follows.

    Unlike `--shape` this may change what the file fixes. Raises `ModelError` that names each tensor whose new shape
    cannot be derived.
    """
    faults = Faults(model.file)
    spread = Spread(model, shapes, faults, binding=False)
    spread.walk()
    for subgraph, tensor in sorted(spread.lost):
        faults.add("shape cannot be derived from the changed ones", _place(model, model.subgraphs[subgraph], tensor))
    faults.stop_if_any()
    return _replaced(model, spread.now)


def wished_shapes(model: Model, wishes: Iterable[tuple[str, Shape]]) -> dict[Key, Shape]:
    """Which tensors `--shape` means; raises `UsageError` for unknown tensors and sizes that the file rules out."""
    found: dict[Key, Shape] = {}
    faults: list[Finding] = []
    for text, shape in wishes:
        try:
            key = find_tensor(model, text)
        except UsageError as error:
            faults.extend(error.findings)
            continue
        tensor = model.subgraphs[key[0]].tensors[key[1]]
        where = model.where(key[0], tensor=key[1])
        if len(shape) != len(tensor.shape):
            what = f"--shape gives {len(shape)} dimensions, the tensor has {len(tensor.shape)}"
            faults.append(Finding(what, where, f"the file says {shape_text(open_shape(tensor))}"))
            continue
        for axis, (wish, size) in enumerate(zip(shape, tensor.shape, strict=False)):
            if wish != size and fixed_shape(tensor)[axis] != -1:
                what = f"--shape makes dimension {axis} {wish}, the file fixes it as {size}"
                faults.append(Finding(what, where, "only dimensions that are -1 in the file can be chosen"))
        if found.setdefault(key, shape) != shape:
            faults.append(Finding("--shape gives the tensor two shapes", where))
    if faults:
        raise UsageError(faults)
    return found


def settle(model: Model, wishes: Mapping[Key, Shape], faults: Faults, follow_calls: bool) -> Model:
    """The model with the shapes that TFLM ends up with; each tensor that stays open is a fault.

    Without wishes only what Prepare itself changes is changed: a RESHAPE to −1, and RESHAPE's old way to say scalar.
    """
    spread = Spread(model, wishes, faults, binding=True)
    if wishes or any(min(tensor.shape, default=0) < 0 for graph in model.subgraphs for tensor in graph.tensors):
        spread.walk(follow_calls)
    batches, chosen = 0, _behind(model, wishes)
    for graph in model.subgraphs:
        for tensor in graph.tensors:
            key = (graph.index, tensor.index)
            if tensor.is_constant and min(tensor.shape, default=0) >= 0:
                continue
            if key in spread.lost or (key not in spread.now and -1 in open_shape(tensor)):
                _report(model, graph, tensor, spread, faults)
            elif key not in chosen and tensor.signature and tensor.signature[0] == -1 and tensor.shape[:1] == (1,):
                batches += spread.now.get(key, tensor.shape) == tensor.shape
    if batches:
        what = f"{batches} tensors leave the batch open (-1 in shape_signature) and are planned for a batch of 1"
        faults.warn(what, hint="--shape on the model's input chooses one, 1 as well", is_note=True)
    return _replaced(model, {**_old_scalars(model), **spread.now})


def _behind(model: Model, wishes: Mapping[Key, Shape]) -> set[Key]:
    """The tensors whose shape a user gave, and all that are computed from them, those of called subgraphs included."""
    behind: set[Key] = set(wishes)
    size = -1
    while len(behind) > size:
        size = len(behind)
        for graph in model.subgraphs:
            for operator in graph.operators:
                if any((graph.index, index) in behind for index in operator.inputs):
                    behind.update((graph.index, index) for index in operator.outputs)
                    callees = (model.subgraphs[index] for index in operator.callees if index < len(model.subgraphs))
                    behind.update((callee.index, tensor.index) for callee in callees for tensor in callee.tensors)
    return behind


def _old_scalars(model: Model) -> dict[Key, Shape]:
    """RESHAPE without a target to the shape [0] means a scalar (reshape_common.cc): one element, not none."""
    return {
        (graph.index, operator.outputs[0]): ()
        for graph in model.subgraphs
        for operator in graph.operators
        if operator.name == "RESHAPE" and len(operator.inputs) == 1 and len(operator.outputs) == 1
        if 0 <= operator.outputs[0] < len(graph.tensors) and graph.tensors[operator.outputs[0]].shape == (0,)
    }


def _replaced(model: Model, shapes: Mapping[Key, Shape]) -> Model:
    if not shapes:
        return model
    graphs = tuple(
        replace(
            graph,
            tensors=tuple(
                replace(tensor, shape=shapes.get((graph.index, tensor.index), tensor.shape)) for tensor in graph.tensors
            ),
        )
        for graph in model.subgraphs
    )
    return replace(model, subgraphs=graphs)


def _report(model: Model, graph: Subgraph, tensor: Tensor, spread: Spread, faults: Faults) -> None:
    """The fault of a tensor that stays open; the hint names a graph input to begin with where one is open too."""
    if faults.full:
        faults.add("")
        return
    why = "it follows from a given shape, in a way that only the device knows"
    what = f"tensor has no fixed size: {_open_axes(tensor) if -1 in open_shape(tensor) else why}"
    inputs = [graph.tensors[index] for index in graph.inputs if 0 <= index < len(graph.tensors)]
    named = next((one for one in inputs if -1 in open_shape(one)), tensor)
    if (graph.index, named.index) in spread.now:
        named = tensor
    faults.add(what, _place(model, graph, tensor.index), _hint(model, named))


def _open_axes(tensor: Tensor) -> str:
    if tensor.signature and len(tensor.signature) != len(tensor.shape):
        return f"shape_signature has {len(tensor.signature)} dimensions, shape has {len(tensor.shape)}"
    axes = [axis for axis, size in enumerate(open_shape(tensor)) if size < 0]
    sizes = {tensor.shape[axis] if tensor.shape[axis] < 0 else -1 for axis in axes}
    if len(axes) > 1 and len(sizes) == 1:
        return f"dimensions {', '.join(map(str, axes[:-1]))} and {axes[-1]} are {sizes.pop()}"
    return ", ".join(f"dimension {axis} is {min(tensor.shape[axis], -1)}" for axis in axes)


def _hint(model: Model, tensor: Tensor) -> str:
    shape = open_shape(tensor)
    chosen = ",".join(
        "1" if size < 0 and axis == 0 else "N" if size < 0 else str(size) for axis, size in enumerate(shape)
    )
    option = f"--shape {shlex.quote(f'{_spelled(model, tensor)}={chosen}')}"
    if any(size < 0 for size in shape[1:]):
        return f"fix the size when converting the model, or pass {option} with numbers for N"
    return f"fix the batch size when converting the model, or pass {option}"


def _spelled(model: Model, tensor: Tensor) -> str:
    """The tensor as `--shape` finds it: its name where that is unique, else its index."""
    try:
        if tensor.name and find_tensor(model, tensor.name) == (tensor.subgraph, tensor.index):
            return tensor.name
    except UsageError:
        pass
    return f"{tensor.subgraph}:{tensor.index}" if tensor.subgraph else str(tensor.index)


def _place(model: Model, graph: Subgraph, tensor: int) -> str:
    writer = next((operator.index for operator in graph.operators if tensor in operator.outputs), None)
    return model.where(graph.index, writer, tensor)
