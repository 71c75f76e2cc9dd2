"""One operator with its tensors, as kernels see them, without a file around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena_codegen.model.schema import DTYPES
from arena_codegen.model.types import DType, Operator, Quantization, Subgraph, Tensor

TYPES: dict[str, DType] = {dtype.name: dtype for dtype in DTYPES.values()}

Spec = tuple[Sequence[int], str] | tuple[Sequence[int], str, int] | None
"""Shape, element type, and how many scales; None for an absent optional input."""


def call(
    name: str, inputs: Sequence[Spec], outputs: Sequence[Spec], constants: Sequence[int] = (), **options: Any
) -> tuple[Subgraph, Operator]:
    """An operator `name` and the subgraph around it; `constants` are positions of constant inputs."""
    tensors: list[Tensor] = []

    def add(spec: Spec, constant: bool) -> int:
        if spec is None:
            return -1
        scales = spec[2] if len(spec) > 2 else 0
        tensors.append(
            Tensor(
                subgraph=0,
                index=len(tensors),
                name="",
                dtype=TYPES[spec[1]],
                shape=tuple(spec[0]),
                signature=None,
                buffer=0,
                data=memoryview(b"\0") if constant else None,
                quantization=Quantization((0.5,) * scales, (0,) * scales) if scales else None,
                stretched=-1 in spec[0],
            )
        )
        return len(tensors) - 1

    reads = tuple(add(spec, index in constants) for index, spec in enumerate(inputs))
    writes = tuple(add(spec, False) for spec in outputs)
    custom = options.pop("custom_options", None)
    operator = Operator(
        subgraph=0,
        index=0,
        code=0,
        name=name,
        version=1,
        inputs=reads,
        outputs=writes,
        is_custom=custom is not None,
        options=options,
        custom_options=custom or b"",
    )
    graph = Subgraph(0, "main", tuple(tensors), (operator,), reads[:1], writes)
    return graph, operator
