"""What every tensor must hold: real TFLM runs the model, all tensors preserved.

F7. TFLM's reference kernels, which CMSIS-NN agrees with to the bit. One interpreter runs all invocations, so that state
goes from one to the next as on the device. The only home of `tflite_micro`, which is imported on first use.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arena_codegen.errors import Finding, ModelError, ToolError
from arena_codegen.inference import Network
from arena_codegen.model.offline_plan import NAME as OFFLINE_PLAN
from arena_codegen.verify.vectors import VECTORS, WIDTHS, Vector, values

EXTRA = "pip install 'arena-codegen[verify]'"
ARENA_ROOM = 1 << 26
"""Bytes for TFLM's own structures, beside what tensors take: so many that an arena is always fresh memory, all 0, since
SignalEnergy leaves bins as they are. Nothing but what TFLM uses is ever touched."""


@dataclass(frozen=True, slots=True)
class Golden:
    """One invocation: its inputs, and every tensor of all subgraphs when it is over, None where nobody wrote it."""

    vector: Vector
    tensors: tuple[np.ndarray | None, ...]

    def crc(self, tensor: int) -> int | None:
        """The CRC-32 of a tensor's bytes."""
        array = self.tensors[tensor]
        return None if array is None else zlib.crc32(np.ascontiguousarray(array).tobytes())


def run_tflm(network: Network, vectors: Sequence[Vector] = VECTORS) -> tuple[Golden, ...]:
    """All invocations, one after the other. Raises ToolError without TFLM, ModelError where it does not run the
    model."""
    model = network.model
    for tensor in (model.subgraphs[0].tensors[index] for index in model.subgraphs[0].inputs):
        if tensor.dtype.name not in WIDTHS:
            raise ModelError(
                Finding(f"an input of {tensor.dtype.name} cannot be made up", model.where(0, tensor=tensor.index))
            )
    interpreter = _interpreter(network)
    return tuple(_invoke(network, interpreter, vector) for vector in vectors)


def _interpreter(network: Network) -> Any:
    try:
        from tflite_micro.python.tflite_micro import runtime
    except ImportError as error:
        raise ToolError(Finding("the Python package tflite-micro is not installed", hint=EXTRA)) from error
    model = network.model
    if model.external:
        what = "TFLM reads no constants that lie behind the flatbuffer"
        raise ModelError(Finding(what, model.file, "convert the model so that its weights are inside"))
    arena = ARENA_ROOM + 2 * sum(tensor.bytes + 256 for tensor in network.tensors)
    try:
        return runtime.Interpreter.from_bytes(
            _without_plan(model.data),
            arena_size=arena,
            intrepreter_config=runtime.InterpreterConfig.kPreserveAllTensors,
        )
    except (RuntimeError, ValueError) as error:
        what = f"TFLM does not load the model: {error}"
        raise ModelError(Finding(what, model.file, "what TFLM does not run cannot be compared with it")) from error


def _without_plan(data: bytes) -> bytes:
    """The model, with no plan of its own that TFLM would find: preserved tensors lie where no plan has them."""
    name = OFFLINE_PLAN.encode()
    return data.replace(name, name.lower())


def _invoke(network: Network, interpreter: Any, vector: Vector) -> Golden:
    graph = network.model.subgraphs[0]
    for number, index in enumerate(graph.inputs):
        tensor = graph.tensors[index]
        if not tensor.is_constant:
            interpreter.set_input(values(tensor, vector.fill, vector.seed + number), number)
    try:
        interpreter.invoke()
    except RuntimeError as error:
        raise ModelError(Finding(f"TFLM does not run the model: {error}", network.model.file)) from error
    written = {flat for flat in range(len(network.tensors)) if _is_written(network, flat)}
    tensors = []
    for graph in network.model.subgraphs:
        for tensor in graph.tensors:
            flat = network.flat(graph.index, tensor.index)
            tensors.append(_read(interpreter, graph.index, tensor.index) if flat in written else None)
    return Golden(vector, tuple(tensors))


def _is_written(network: Network, flat: int) -> bool:
    tensor = network.tensors[flat]
    return not (
        tensor.is_constant
        or tensor.is_variable
        or tensor.dtype.bytes is None
        or tensor.bytes == 0
        or tensor.dtype.name == "RESOURCE"
    )


def _read(interpreter: Any, subgraph: int, tensor: int) -> np.ndarray:
    return np.array(interpreter.GetTensor(tensor, subgraph)["tensor_data"])
