"""Small `.tflite` files for tests, written from scratch, good ones and bad ones.

    g = Graph()
    x = g.input("in", (1, 8), scale=0.1)
    y = g.tensor("out", (1, 8), scale=0.1)
    g.op("RELU", [x], [y])
    g.outputs = [y]
    data = build(g)

Tensors are plain indices, so a test may write any index where one is expected. Options are given by their schema names
in snake case (`stride_w=2`). What a well-formed file would hold is the default, and each part can be overridden.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import flatbuffers
import numpy as np
import tflite

Shape = Sequence[int] | None
Numbers = float | Sequence[float] | None

_NUMPY = {"INT8": "i1", "UINT8": "u1", "INT16": "<i2", "INT32": "<i4", "INT64": "<i8", "FLOAT32": "<f4", "BOOL": "?"}
_OPTIONS = {
    **dict.fromkeys(("AVERAGE_POOL_2D", "MAX_POOL_2D", "L2_POOL_2D"), "Pool2DOptions"),
    **dict.fromkeys(("MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_ANY", "REDUCE_ALL"), "ReducerOptions"),
    **dict.fromkeys(("MINIMUM", "MAXIMUM"), "MaximumMinimumOptions"),
    "L2_NORMALIZATION": "L2NormOptions",
}
_CLASSES = {name.lower(): name for name in vars(tflite.BuiltinOptions) if name.endswith("Options")}
_CLASSES |= {name.lower(): name for name in vars(tflite.BuiltinOptions2) if name.endswith("Options")}


@dataclass
class TensorSpec:
    """`shape=None` leaves the vector out. `data` makes a constant; `external` puts it behind the flatbuffer.

    `buffer` overrides the buffer's index; `dtype` is a schema name or a raw code.
    """

    name: str | bytes | None
    shape: Shape
    dtype: str | int = "INT8"
    data: bytes | None = None
    scale: Numbers = None
    zero_point: Numbers = None
    axis: int = 0
    signature: Shape = None
    variable: bool = False
    buffer: int | None = None
    external: bool = False


@dataclass
class OpSpec:
    """`name` is a schema name, or any text with `custom`; `code` overrides the operator code.

    `form` says which fields hold the code: `both`, `old` (the byte alone) or `new` (the wide field alone).
    """

    name: str
    inputs: Sequence[int]
    outputs: Sequence[int]
    options: dict[str, Any] | None = field(default_factory=dict)
    custom: bool = False
    custom_options: bytes = b""
    intermediates: Sequence[int] = ()
    code: int | None = None
    form: str = "both"
    version: int = 1
    opcode_index: int | None = None

    @property
    def key(self) -> tuple[int, str, str, int]:
        """What makes an entry of the table of operator codes."""
        code = tflite.BuiltinOperator.CUSTOM if self.custom else getattr(tflite.BuiltinOperator, self.name, 0)
        return (self.code if self.code is not None else code, self.name if self.custom else "", self.form, self.version)


@dataclass
class Graph:
    """One subgraph; the methods append to it and return tensor indices."""

    name: str | None = "main"
    tensors: list[TensorSpec] = field(default_factory=list)
    ops: list[OpSpec] = field(default_factory=list)
    inputs: list[int] = field(default_factory=list)
    outputs: list[int] = field(default_factory=list)

    def tensor(self, name: str | bytes | None, shape: Shape, dtype: str | int = "INT8", **rest: Any) -> int:
        self.tensors.append(TensorSpec(name, shape, dtype, **rest))
        return len(self.tensors) - 1

    def input(self, name: str, shape: Shape, dtype: str | int = "INT8", **rest: Any) -> int:
        index = self.tensor(name, shape, dtype, **rest)
        self.inputs.append(index)
        return index

    def output(self, name: str, shape: Shape, dtype: str | int = "INT8", **rest: Any) -> int:
        index = self.tensor(name, shape, dtype, **rest)
        self.outputs.append(index)
        return index

    def constant(self, name: str, values: Any, dtype: str = "INT8", **rest: Any) -> int:
        """A constant from numbers; its shape is theirs unless `shape` says otherwise."""
        array = np.asarray(values, _NUMPY[dtype])
        return self.tensor(name, rest.pop("shape", array.shape), dtype, data=array.tobytes(), **rest)

    def op(self, name: str, inputs: Sequence[int], outputs: Sequence[int], **options: Any) -> int:
        """An operator; fields of `OpSpec` and options share the keywords, `options=None` leaves the table out."""
        if options.get("options", 0) is None:
            spec = options
        else:
            spec = {key: options.pop(key) for key in tuple(options) if key in OpSpec.__dataclass_fields__}
            spec["options"] = options
        self.ops.append(OpSpec(name, inputs, outputs, **spec))
        return len(self.ops) - 1


@dataclass
class Spec:
    """A whole file. `signatures` are (key, subgraph, {name: tensor}, {name: tensor}); `metadata` are (name, bytes).

    `buffers=False` leaves the vector of buffers out. A metadata value may be a number: the index of its buffer.
    """

    graphs: Sequence[Graph]
    metadata: Sequence[tuple[str | None, bytes | int]] = ()
    signatures: Sequence[tuple[str, int, dict[str, int], dict[str, int]]] = ()
    description: str | None = "built for a test"
    version: int = 3
    identifier: bytes = b"TFL3"
    buffers: bool = True


def build(*graphs: Graph, **rest: Any) -> bytes:
    """The bytes of a model with these subgraphs; keywords are the fields of `Spec`."""
    spec = Spec(graphs, **rest)
    externals = [t.data for g in graphs for t in g.tensors if t.external and t.data]
    if not externals:
        return _Writer(spec, 0).write()
    length = _up(len(_Writer(spec, 1 << 20).write()))
    data = _Writer(spec, length).write()
    for blob in externals:
        data = data.ljust(_up(len(data)), b"\0") + blob
    return data


def _up(size: int) -> int:
    return -(-size // 16) * 16


class _Writer:
    """Writes one file. `outside` is where the first constant behind the flatbuffer will lie."""

    def __init__(self, spec: Spec, outside: int) -> None:
        self.b = flatbuffers.Builder(1024)
        self.spec = spec
        self.outside = outside
        self.buffers = [self._table("Buffer")]
        self.codes: dict[tuple[int, str, str, int], int] = {}

    def write(self) -> bytes:
        spec = self.spec
        graphs = [self._graph(graph) for graph in spec.graphs]
        metadata = [self._metadata(name, value) for name, value in spec.metadata]
        signatures = [self._signature(*signature) for signature in spec.signatures]
        codes = [self._code(*key) for key in self.codes]
        parts = {
            "Description": self._string(spec.description),
            "OperatorCodes": self._offsets(codes),
            "Subgraphs": self._offsets(graphs),
            "Buffers": self._offsets(self.buffers) if spec.buffers else None,
            "Metadata": self._offsets(metadata),
            "SignatureDefs": self._offsets(signatures),
        }
        root = self._table("Model", Version=spec.version, **parts)
        self.b.Finish(root, file_identifier=spec.identifier)
        return bytes(self.b.Output())

    def _table(self, cls: str, **values: Any) -> int:
        """A table of the schema; None leaves a field out, numbers are written even where they are the default."""
        self.b.ForceDefaults(True)
        getattr(tflite, f"{cls}Start")(self.b)
        for name, value in values.items():
            if value is not None:
                getattr(tflite, f"{cls}Add{name}")(self.b, value)
        return getattr(tflite, f"{cls}End")(self.b)

    def _string(self, text: str | bytes | None) -> int | None:
        return None if text is None else self.b.CreateString(text)

    def _offsets(self, tables: Sequence[int]) -> int | None:
        if not tables:
            return None
        self.b.StartVector(4, len(tables), 4)
        for table in reversed(tables):
            self.b.PrependUOffsetTRelative(table)
        return self.b.EndVector()

    def _numbers(self, values: Shape | np.ndarray, dtype: str = "<i4") -> int | None:
        return None if values is None else self.b.CreateNumpyVector(np.asarray(values, dtype))

    def _bytes(self, data: bytes) -> int:
        """A vector of bytes that starts at a multiple of 16, as TFLite's converter has it."""
        self.b.StartVector(1, len(data), 16)
        self.b.head -= len(data)
        self.b.Bytes[self.b.head : self.b.head + len(data)] = data
        return self.b.EndVector()

    def _buffer(self, data: bytes, external: bool = False) -> int:
        if external:
            self.buffers.append(self._table("Buffer", Offset=self.outside, Size=len(data)))
            self.outside = _up(self.outside + len(data))
        else:
            self.buffers.append(self._table("Buffer", Data=self._bytes(data)))
        return len(self.buffers) - 1

    def _graph(self, graph: Graph) -> int:
        tensors = [self._tensor(tensor) for tensor in graph.tensors]
        ops = [self._op(op) for op in graph.ops]
        return self._table(
            "SubGraph",
            Tensors=self._offsets(tensors),
            Inputs=self._numbers(graph.inputs),
            Outputs=self._numbers(graph.outputs),
            Operators=self._offsets(ops),
            Name=self._string(graph.name),
        )

    def _tensor(self, t: TensorSpec) -> int:
        buffer = self._buffer(t.data, t.external) if t.data is not None else 0
        return self._table(
            "Tensor",
            Shape=self._numbers(t.shape),
            Type=getattr(tflite.TensorType, t.dtype) if isinstance(t.dtype, str) else t.dtype,
            Buffer=buffer if t.buffer is None else t.buffer,
            Name=self._string(t.name),
            Quantization=self._quantization(t),
            IsVariable=t.variable,
            ShapeSignature=self._numbers(t.signature),
        )

    def _quantization(self, t: TensorSpec) -> int | None:
        if t.scale is None:
            return None
        scales = np.atleast_1d(np.asarray(t.scale, "<f4"))
        zeros = np.zeros(len(scales)) if t.zero_point is None else np.atleast_1d(t.zero_point)
        return self._table(
            "QuantizationParameters",
            Scale=self._numbers(scales, "<f4"),
            ZeroPoint=self._numbers(zeros, "<i8"),
            QuantizedDimension=t.axis,
        )

    def _op(self, op: OpSpec) -> int:
        index = self.codes.setdefault(op.key, len(self.codes)) if op.opcode_index is None else op.opcode_index
        options = {} if op.custom else self._options(op)
        return self._table(
            "Operator",
            OpcodeIndex=index,
            Inputs=self._numbers(op.inputs),
            Outputs=self._numbers(op.outputs),
            Intermediates=self._numbers(op.intermediates or None),
            CustomOptions=self._bytes(op.custom_options) if op.custom_options else None,
            **options,
        )

    def _options(self, op: OpSpec) -> dict[str, int]:
        cls = _OPTIONS.get(op.name) or _CLASSES.get(op.name.replace("_", "").lower() + "options")
        if cls is None or op.options is None:
            assert not op.options, f"{op.name} takes no options"
            return {}
        suffix = "" if hasattr(tflite.BuiltinOptions, cls) else "2"
        union = getattr(tflite, f"BuiltinOptions{suffix}")
        values = {
            "".join(part.capitalize() for part in name.split("_")): (
                self._numbers(value)
                if isinstance(value, list | tuple)
                else self._string(value)
                if isinstance(value, str)
                else value
            )
            for name, value in op.options.items()
        }
        table = self._table(cls, **values)
        return {f"BuiltinOptions{suffix}Type": getattr(union, cls), f"BuiltinOptions{suffix}": table}

    def _code(self, code: int, custom: str, form: str, version: int) -> int:
        return self._table(
            "OperatorCode",
            DeprecatedBuiltinCode=min(code, 127) if form != "new" else None,
            CustomCode=self._string(custom) if custom else None,
            Version=version,
            BuiltinCode=code if form != "old" else None,
        )

    def _metadata(self, name: str | None, value: bytes | int) -> int:
        buffer = self._buffer(value) if isinstance(value, bytes) else value
        return self._table("Metadata", Name=self._string(name), Buffer=buffer)

    def _signature(self, key: str, subgraph: int, inputs: dict[str, int], outputs: dict[str, int]) -> int:
        def maps(pairs: dict[str, int]) -> int | None:
            tables = [self._table("TensorMap", Name=self._string(n), TensorIndex=i) for n, i in pairs.items()]
            return self._offsets(tables)

        return self._table(
            "SignatureDef",
            Inputs=maps(inputs),
            Outputs=maps(outputs),
            SignatureKey=self._string(key),
            SubgraphIndex=subgraph,
        )


def weights(seed: int, shape: Sequence[int], low: int = -127, high: int = 127) -> np.ndarray:
    """The same integers for the same seed, on every machine."""
    draw = random.Random(seed).random
    return np.array([low + int(draw() * (high - low + 1)) for _ in range(int(np.prod(shape)))]).reshape(shape)
