"""What a model holds besides its graph: constants, the weights among them, metadata, and state.

F4. Bytes as the file has them; a buffer that several tensors name counts once.
"""

from __future__ import annotations

from arena_codegen.layout.types import Amount
from arena_codegen.model.types import Model

LEARNED = frozenset(
    "CONV_2D DEPTHWISE_CONV_2D TRANSPOSE_CONV CONV_3D FULLY_CONNECTED SVDF LSTM UNIDIRECTIONAL_SEQUENCE_LSTM RNN "
    "BATCH_MATMUL PRELU EMBEDDING_LOOKUP".split()
)
"""Operators whose constant inputs are what training found: filters, biases, slopes."""

PLAIN = {"TRANSPOSE_CONV": (0,)}
"""Inputs of these that are none: the shape of the output."""


def constants(model: Model) -> Amount:
    """All constants of the model."""
    return _amount(_sizes(model))


def weights(model: Model) -> Amount:
    """The constants that layers learned; a buffer that another operator reads too is one of them."""
    sizes = _sizes(model)
    learned = {
        graph.tensors[index].buffer
        for graph in model.subgraphs
        for operator in graph.operators
        if operator.name in LEARNED and not operator.is_custom
        for position, index in enumerate(operator.inputs)
        if index >= 0 and position not in PLAIN.get(operator.name, ())
    }
    return _amount({buffer: size for buffer, size in sizes.items() if buffer in learned})


def metadata(model: Model) -> Amount:
    """What the metadata entries of the file hold."""
    return Amount(sum(len(entry.data) for entry in model.metadata), len(model.metadata))


def variables(model: Model) -> Amount:
    """State that TFLM keeps between invocations: variable tensors."""
    sizes = [tensor.bytes for graph in model.subgraphs for tensor in graph.tensors if tensor.is_variable]
    return Amount(sum(sizes), len(sizes))


def _sizes(model: Model) -> dict[int, int]:
    """Bytes of each buffer that holds a constant."""
    tensors = (tensor for graph in model.subgraphs for tensor in graph.tensors)
    return {tensor.buffer: len(tensor.data) for tensor in tensors if tensor.data is not None}


def _amount(sizes: dict[int, int]) -> Amount:
    return Amount(sum(sizes.values()), len(sizes))
