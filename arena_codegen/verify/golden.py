"""What every tensor must hold: real TFLM runs the model, all tensors preserved.

F7. TFLM's reference kernels, which CMSIS-NN agrees with to the bit. One interpreter runs all invocations, so that state
goes from one to the next as on the device.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from arena_codegen.errors import Finding, ModelError, ToolError
from arena_codegen.inference import Network
from arena_codegen.model.offline_plan import NAME as OFFLINE_PLAN
from arena_codegen.model.types import Tensor
from arena_codegen.verify import tflm, tools
from arena_codegen.verify.vectors import VECTORS, WIDTHS, Vector, values

EXTRA = "pip install 'arena-codegen[verify]'"
ARENA_ROOM = 1 << 26
"""Bytes for TFLM's own structures, beside what tensors take: so many that an arena is always fresh memory, all 0, since
SignalEnergy leaves bins as they are. Nothing but what TFLM uses is ever touched."""

TIMEOUT = 600.0
"""Seconds that TFLM may take."""


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
            what = f"an input of {tensor.dtype.name} cannot be made up"
            raise ModelError(Finding(what, model.where(0, tensor=tensor.index)))
    if model.external:
        what = "TFLM reads no constants that lie behind the flatbuffer"
        raise ModelError(Finding(what, model.file, "convert the model so that its weights are inside"))
    if importlib.util.find_spec("tflite_micro") is None:
        raise ToolError(Finding("the Python package tflite-micro is not installed", hint=EXTRA))
    wanted = [flat for flat, tensor in enumerate(network.tensors) if _is_written(tensor)]
    held: dict[tuple[int, int], np.ndarray] = {}
    if network.tensors:  # TFLM dies of a model that has none
        with tempfile.TemporaryDirectory(prefix="arena-codegen-") as folder:
            held = _run(network, vectors, wanted, Path(folder))
    return tuple(
        Golden(vector, tuple(held.get((invocation, flat)) for flat in range(len(network.tensors))))
        for invocation, vector in enumerate(vectors)
    )


def _run(
    network: Network, vectors: Sequence[Vector], wanted: Sequence[int], folder: Path
) -> dict[tuple[int, int], np.ndarray]:
    """What each wanted tensor held, by invocation and tensor; TFLM runs in a process of its own."""
    (folder / tflm.MODEL).write_bytes(_without_plan(network.model.data))
    np.savez(folder / tflm.INPUTS, **_inputs(network, vectors, wanted))
    command = [sys.executable, "-P", tflm.__file__, str(folder)]
    ended = tools.run(command, timeout=TIMEOUT)
    if ended.code or ended.timed_out:
        _explain(network, ended)
    with np.load(folder / tflm.TENSORS) as found:
        return {
            (invocation, flat): found[f"{invocation}_{place}"]
            for invocation in range(len(vectors))
            for place, flat in enumerate(wanted)
        }


def _without_plan(data: bytes) -> bytes:
    """The model, with no plan of its own that TFLM would find: preserved tensors lie where no plan has them."""
    name = OFFLINE_PLAN.encode()
    return data.replace(name, name.lower())


def _inputs(network: Network, vectors: Sequence[Vector], wanted: Sequence[int]) -> dict[str, Any]:
    tensors, graph = network.tensors, network.model.subgraphs[0]
    room = ARENA_ROOM + 2 * sum(tensor.bytes + 256 for tensor in tensors)
    given: dict[str, Any] = {
        "places": np.array([(tensors[flat].subgraph, tensors[flat].index) for flat in wanted], np.int64).reshape(-1, 2),
        "arena": np.array(room),
        "count": np.array(len(vectors)),
    }
    for invocation, vector in enumerate(vectors):
        for number, index in enumerate(graph.inputs):
            if not graph.tensors[index].is_constant:
                name = f"{invocation}_{number}"
                given[name] = values(graph.tensors[index], vector.fill, vector.seed + number)
    return given


def _explain(network: Network, ended: tools.Ended) -> None:
    """Raises what TFLM's failure means to the user."""
    said = [line for line in ended.errors.splitlines() if line.strip()]
    detail = said[0] if said else "it says nothing"
    if ended.code == tflm.NOT_INSTALLED:
        raise ToolError(Finding(f"the Python package tflite-micro cannot be imported: {detail}", hint=EXTRA))
    what = {tflm.LOADS_NOT: "TFLM does not load the model", tflm.RUNS_NOT: "TFLM does not run the model"}.get(
        ended.code, f"TFLM {'took too long' if ended.timed_out else f'stopped with code {ended.code}'}"
    )
    hint = "what TFLM does not run cannot be compared with it"
    raise ModelError(Finding(f"{what}: {detail}", network.model.file, hint))


def _is_written(tensor: Tensor) -> bool:
    """True for what operators or the caller write, and TFLM can show."""
    is_kept = tensor.is_constant or tensor.is_variable or tensor.dtype.name == "RESOURCE"
    return not is_kept and tensor.dtype.bytes is not None and tensor.bytes > 0
