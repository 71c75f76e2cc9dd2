"""F1. What a model would be after steps that people take with converters: without operators, tensors without memory.

The edited model is a value to plan with, not a file: `data` and fingerprint stay those of the file, weights are not
computed. Every edit gives None where it finds nothing to do. Tensors that an edit leaves without a user keep their
index and lose their bytes (shape (0,)), since TFLM would allocate them.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from arena_codegen.model.types import Model, Operator, Subgraph, Tensor

SAME, VALID = 0, 1
NO_ACTIVATION = 0
ACTIVATIONS = MappingProxyType({"RELU": 1, "RELU_N1_TO_1": 2, "RELU6": 3})
"""Operators that another one can do at its end, and the codes of its `fused_activation_function`."""
COMPUTED = ("DEQUANTIZE", "QUANTIZE", "CAST", "RESHAPE", "TRANSPOSE")
"""Operators of which a converter can store the result, where they read constants only."""


@dataclass(frozen=True, slots=True)
class Edit:
    """The edited model; operators that went, or changed, as (subgraph, index) in the file; whether outputs stay what
    they were, but for rounding."""

    model: Model
    operators: tuple[tuple[int, int], ...]
    is_exact: bool = True


def fold_pads(model: Model) -> Edit | None:
    """Each PAD whose only reader is a convolution without padding of its own goes; the convolution pads instead.

    Not exact where SAME would put the padding on other sides than PAD does: same shapes, other values.
    """
    exact = True

    def rewritten(graph: Subgraph) -> _Rewrite | None:
        nonlocal exact
        rewrite = _Rewrite()
        for operator in graph.operators:
            reader = _only_reader(graph, operator.outputs[0]) if operator.name == "PAD" else None
            fits = _same_as_pad(graph, operator, reader) if reader is not None else None
            if reader is not None and fits is not None:
                exact = exact and fits
                inputs = (operator.inputs[0], *reader.inputs[1:])
                options = MappingProxyType({**reader.options, "padding": SAME})
                rewrite.changed[reader.index] = replace(reader, inputs=inputs, options=options)
                rewrite.drop(operator, operator.outputs[0])
        return rewrite

    return _edited(model, rewritten, lambda: exact)


def _same_as_pad(graph: Subgraph, pad: Operator, conv: Operator) -> bool | None:
    """None where SAME padding of the convolution does not give its shape; False where it pads other sides."""
    source, target = graph.tensors[pad.inputs[0]], graph.tensors[conv.outputs[0]]
    pads, taps = graph.tensors[pad.inputs[1]], graph.tensors[conv.inputs[1]]
    windowed = conv.name in ("CONV_2D", "DEPTHWISE_CONV_2D") and conv.options.get("padding") == VALID
    if not windowed or conv.inputs[0] != pad.outputs[0] or pads.data is None or len(taps.shape) != 4:
        return None
    kind = {"INT32": "i", "INT64": "q"}.get(pads.dtype.name)
    if kind is None or pads.elements != 8 or len(source.shape) != 4 or len(target.shape) != 4:
        return None
    sides = struct.unpack(f"<8{kind}", pads.data)
    if any(sides[:2]) or any(sides[6:]):
        return None
    exact = True
    for axis, name in ((1, "h"), (2, "w")):
        stride, dilation = conv.options.get(f"stride_{name}"), conv.options.get(f"dilation_{name}_factor", 1)
        if not stride or target.shape[axis] != -(-source.shape[axis] // stride):
            return None
        reach = (taps.shape[axis] - 1) * dilation + 1
        total = max((target.shape[axis] - 1) * stride + reach - source.shape[axis], 0)
        exact = exact and sides[2 * axis] == total // 2
    return exact


def drop_float_edges(model: Model) -> Edit | None:
    """QUANTIZE of a float input and DEQUANTIZE to a float output go: the application passes integers."""
    return _edited(model, lambda graph: _integer_edges(graph) if graph.index == 0 else None)


def _integer_edges(graph: Subgraph) -> _Rewrite:
    rewrite = _Rewrite()
    for operator in graph.operators:
        if operator.name not in ("QUANTIZE", "DEQUANTIZE") or len(operator.inputs) != 1 or len(operator.outputs) != 1:
            continue
        read, written = operator.inputs[0], operator.outputs[0]
        goes = read if operator.name == "QUANTIZE" else written
        if graph.tensors[goes].dtype.name != "FLOAT32":
            continue
        if operator.name == "QUANTIZE" and read in graph.inputs and _only_reader(graph, read) == operator:
            rewrite.inputs[read] = written
            rewrite.drop(operator, read)
        elif operator.name == "DEQUANTIZE" and written in graph.outputs and _is_private(graph, read, written):
            rewrite.outputs[written] = read
            rewrite.drop(operator, written)
    return rewrite


def _is_private(graph: Subgraph, read: int, written: int) -> bool:
    """True where nobody but the caller reads what DEQUANTIZE writes, and what it reads can be an output instead."""
    edges = (*graph.inputs, *graph.outputs)
    return not _readers(graph, written) and read not in edges and not graph.tensors[read].is_constant


def fuse_activations(model: Model) -> Edit | None:
    """Each RELU, RELU6 or RELU_N1_TO_1 goes whose input is written for it alone by an operator that can do its work."""

    def rewritten(graph: Subgraph) -> _Rewrite:
        rewrite = _Rewrite()
        writers = {tensor: operator for operator in graph.operators for tensor in operator.outputs}
        for operator in graph.operators:
            code = ACTIVATIONS.get(operator.name)
            writer = writers.get(operator.inputs[0]) if code is not None else None
            if writer is None or writer.options.get("fused_activation_function") != NO_ACTIVATION:
                continue
            if _only_reader(graph, operator.inputs[0]) == operator and len(writer.outputs) == 1:
                options = MappingProxyType({**writer.options, "fused_activation_function": code})
                rewrite.changed[writer.index] = replace(writer, outputs=operator.outputs, options=options)
                rewrite.drop(operator, operator.inputs[0])
        return rewrite

    return _edited(model, rewritten)


def store_constants(model: Model) -> Edit | None:
    """Operators that read constants only go; what they compute is a constant of the file."""

    def rewritten(graph: Subgraph) -> _Rewrite:
        rewrite = _Rewrite()
        for operator in graph.operators:
            constant = all(graph.tensors[index].is_constant for index in operator.inputs if index >= 0)
            if (
                operator.name in COMPUTED
                and operator.inputs
                and constant
                and not set(operator.outputs) & set(graph.outputs)
            ):
                rewrite.drop(operator)
                rewrite.stored.update(operator.outputs)
        return rewrite

    return _edited(model, rewritten)


def drop_tensors(model: Model, tensors: Collection[tuple[int, int]]) -> Model:
    """The model with these (subgraph, tensor), which nobody uses, without their bytes."""
    return replace(
        model,
        subgraphs=tuple(_tensors(graph, {index for place, index in tensors if place == graph.index}, ())
                        for graph in model.subgraphs),
    )  # fmt: skip


class _Rewrite:
    """What is to become of one subgraph: operators that go or change, tensors without memory, inputs and outputs."""

    def __init__(self) -> None:
        self.dropped: set[int] = set()
        self.changed: dict[int, Operator] = {}
        self.unused: set[int] = set()
        self.stored: set[int] = set()
        self.inputs: dict[int, int] = {}
        self.outputs: dict[int, int] = {}

    def drop(self, operator: Operator, *tensors: int) -> None:
        self.dropped.add(operator.index)
        self.unused.update(tensors)

    def of(self, graph: Subgraph) -> Subgraph:
        kept = [self.changed.get(one.index, one) for one in graph.operators if one.index not in self.dropped]
        graph = _tensors(graph, self.unused, self.stored)
        return replace(
            graph,
            operators=tuple(replace(operator, index=index) for index, operator in enumerate(kept)),
            inputs=_renamed(graph.inputs, self.inputs),
            outputs=_renamed(graph.outputs, self.outputs),
        )


def _edited(
    model: Model, rewritten: Callable[[Subgraph], _Rewrite | None], exact: Callable[[], bool] = lambda: True
) -> Edit | None:
    graphs, gone = [], []
    for graph in model.subgraphs:
        rewrite = rewritten(graph)
        if rewrite is not None and rewrite.dropped:
            gone += [(graph.index, index) for index in sorted(rewrite.dropped)]
            graph = rewrite.of(graph)
        graphs.append(graph)
    return Edit(replace(model, subgraphs=tuple(graphs)), tuple(gone), exact()) if gone else None


def _renamed(tensors: tuple[int, ...], names: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(names.get(tensor, tensor) for tensor in tensors)


def _tensors(graph: Subgraph, unused: Collection[int], stored: Collection[int]) -> Subgraph:
    def edited(tensor: Tensor) -> Tensor:
        if tensor.index in unused:
            return replace(tensor, shape=(0,), signature=None)
        return replace(tensor, data=memoryview(bytes(tensor.bytes))) if tensor.index in stored else tensor

    return replace(graph, tensors=tuple(map(edited, graph.tensors)))


def _readers(graph: Subgraph, tensor: int) -> list[Operator]:
    return [operator for operator in graph.operators for index in operator.inputs if index == tensor]


def _only_reader(graph: Subgraph, tensor: int) -> Operator | None:
    """The one operator that reads a tensor, once, if neither another one nor the caller does."""
    readers = _readers(graph, tensor)
    return readers[0] if len(readers) == 1 and tensor not in graph.outputs else None
