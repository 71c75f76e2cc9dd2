"""What a `.tflite` file says, as values that were checked once.

F1. Indices are positions in the file's vectors; nothing here depends on `tflite` or `flatbuffers`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from types import MappingProxyType
from typing import Any

from arena_codegen.errors import Finding, place

MOST_DIMENSIONS = 32
"""Of a tensor; TFLM's kernels know 8 at most."""


def shown(name: str) -> str:
    """A name as messages show it: of the longest only the beginning."""
    return name if len(name) <= 160 else f"{name[:159]}…"


@dataclass(frozen=True, slots=True)
class DType:
    """An element type: its name in the schema, its code there, and its bytes in TFLM's arena.

    `bytes` is what TFLM's `TfLiteTypeSizeOf` says (INT4 takes a whole byte there); None where an element has no fixed
    size there (strings, variants, types that TFLM does not know).
    """

    name: str
    code: int
    bytes: int | None


@dataclass(frozen=True, slots=True)
class Quantization:
    """Affine quantisation: real = scale · (q − zero_point), per tensor or per slice along `axis`."""

    scales: tuple[float, ...]
    zero_points: tuple[int, ...]
    axis: int = 0


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor of one subgraph. `shape` is () for a scalar; `signature` is None where the file has none.

    `data` are the bytes of a constant as they stand in the file, None for everything else (also for constants of 0
    bytes). `stretched` says that the file writes −1 into `shape`, for TFLM's Prepare to settle.
    """

    subgraph: int
    index: int
    name: str
    dtype: DType
    shape: tuple[int, ...]
    signature: tuple[int, ...] | None
    buffer: int
    data: memoryview | None = field(default=None, repr=False, compare=False)
    is_variable: bool = False
    quantization: Quantization | None = None
    stretched: bool = False

    @property
    def is_constant(self) -> bool:
        return self.data is not None

    @property
    def elements(self) -> int:
        return prod(self.shape)

    @property
    def bytes(self) -> int:
        """Bytes in TFLM's arena, not rounded up; a scalar counts one element."""
        return self.elements * (self.dtype.bytes or 0)

    @property
    def label(self) -> str:
        """`tensor 17 'conv1/out'`, or `tensor 17` without a name."""
        return f"tensor {self.index} {shown(self.name)!r}" if self.name else f"tensor {self.index}"


@dataclass(frozen=True, slots=True)
class Operator:
    """One operator call.

    `name` is the schema's (`CONV_2D`), `BUILTIN_999` for one from the future, or a custom operator's own code.

    `inputs` may hold −1 (absent optional input). `options` holds the builtin options by their schema names in snake
    case (`stride_w`, `padding`, `fused_activation_function`), as ints, floats, bools, or tuples. `callees` are the
    subgraphs that it calls, in the order in which TFLM walks them.
    """

    subgraph: int
    index: int
    code: int
    name: str
    version: int
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    intermediates: tuple[int, ...] = ()
    is_custom: bool = False
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    custom_options: bytes = b""
    callees: tuple[int, ...] = ()

    @property
    def label(self) -> str:
        """`op 3 CONV_2D`."""
        return f"op {self.index} {shown(self.name)}"


@dataclass(frozen=True, slots=True)
class Subgraph:
    index: int
    name: str
    tensors: tuple[Tensor, ...]
    operators: tuple[Operator, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Metadata:
    """A metadata entry; its buffer's bytes are kept as they are."""

    name: str
    buffer: int
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Signature:
    """A named entry point: its key, its subgraph, and (name, tensor) of its inputs and outputs."""

    key: str
    subgraph: int
    inputs: tuple[tuple[str, int], ...]
    outputs: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Model:
    """A whole file. `file` is its base name; `data` its bytes; `warnings` what was normal but worth knowing.

    `external` says whether any buffer lies behind the flatbuffer (Buffer.offset/size).
    """

    file: str
    data: bytes = field(repr=False)
    sha256: str
    crc32: int
    description: str
    subgraphs: tuple[Subgraph, ...]
    metadata: tuple[Metadata, ...] = ()
    signatures: tuple[Signature, ...] = ()
    external: bool = False
    warnings: tuple[Finding, ...] = ()

    @property
    def operators(self) -> int:
        return sum(len(subgraph.operators) for subgraph in self.subgraphs)

    def where(self, subgraph: int, operator: int | None = None, tensor: int | None = None) -> str:
        """The place of a tensor or an operator, as messages name it."""
        graph = self.subgraphs[subgraph]
        return place(
            self.file,
            f"subgraph {subgraph}",
            graph.operators[operator].label if operator is not None else "",
            graph.tensors[tensor].label if tensor is not None else "",
        )
