"""F1. The tables of a file, one by one, into values; indices are not followed yet.

A table that cannot be read is a fault with its place, and reading goes on with the next one, so that a file shows all
that is wrong with it.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from arena_codegen.errors import place
from arena_codegen.model import schema
from arena_codegen.model.faults import Faults
from arena_codegen.model.flat import Broken, Exhausted, Flat
from arena_codegen.model.operators import Code, decode_code, decode_operator
from arena_codegen.model.types import (
    MOST_DIMENSIONS,
    DType,
    Metadata,
    Model,
    Quantization,
    Signature,
    Subgraph,
    Tensor,
    shown,
)

T = TypeVar("T")
DAMAGED = "the file is damaged or was cut short: copy or convert it again"
_UNREADABLE = memoryview(b"")
"""Stands for the bytes of a constant that cannot be had: a fault, of which no other shall follow."""
_BITS_IN_FILE = {"INT4": 4, "UINT4": 4, "INT2": 2}


@dataclass(frozen=True, slots=True)
class Decoded:
    """A model whose indices were not checked yet, and whether it is complete.

    A subgraph of which any part could not be read is empty: positions inside it would mean nothing.
    """

    model: Model
    complete: bool


@dataclass(frozen=True, slots=True)
class Source:
    """What every table of one file is read with. `buffers` are views of the file, None where there are no bytes."""

    flat: Flat
    faults: Faults
    codes: tuple[Code | None, ...] = ()
    buffers: tuple[memoryview | None, ...] = ()

    def each(
        self, kind: str, where: str, positions: Sequence[int], read: Callable[[int, int], T | None]
    ) -> list[T | None]:
        """The values of a vector of tables; None, and a fault, where one cannot be read."""
        values: list[T | None] = []
        for index, at in enumerate(positions):
            try:
                values.append(read(index, at))
            except Broken as error:
                hint = "" if self.faults else DAMAGED
                self.faults.add(f"{kind} cannot be read: {error}", place(where, f"{kind} {index}"), hint)
                values.append(None)
                if isinstance(error, Exhausted):
                    self.faults.stop_if_any()
        return values


def decode(data: bytes, file: str, faults: Faults) -> Decoded:
    """The file as values; raises `ModelError` where not even the root table can be read."""
    flat = Flat(data)
    try:
        version, codes, subgraphs, description, buffers, metadata, signatures = flat.read(schema.MODEL, flat.root())
    except Broken as error:
        faults.add(f"model cannot be read: {error}", hint=DAMAGED)
        faults.stop_if_any()
    if version != schema.VERSION:
        faults.add(f"schema version is {version}, not {schema.VERSION}")
    if not subgraphs:
        faults.add("model has no subgraph")
    source = Source(flat, faults)
    contents = source.each("buffer", file, buffers, partial(_buffer, source))
    read_codes = source.each("operator code", file, codes, partial(decode_code, flat))
    source = Source(
        flat,
        faults,
        tuple(read_codes),
        tuple(_UNREADABLE if content is None else content or None for content in contents),
    )
    graphs = source.each("subgraph", file, subgraphs, partial(_subgraph, source))
    model = Model(
        file=file,
        data=data,
        sha256=hashlib.sha256(data).hexdigest(),
        crc32=zlib.crc32(data),
        description=description or "",
        subgraphs=tuple(graph or Subgraph(index, "", (), (), (), ()) for index, graph in enumerate(graphs)),
        metadata=_present(source.each("metadata", file, metadata, partial(_metadata, source))),
        signatures=_present(source.each("signature", file, signatures, partial(_signature, source))),
        external=flat.external,
    )
    return Decoded(model, complete=None not in graphs)


def _present(values: list[T | None]) -> tuple[T, ...]:
    return tuple(value for value in values if value is not None)


def _buffer(source: Source, index: int, at: int) -> memoryview:
    """The bytes of a buffer, inside the flatbuffer or behind it.

    An offset of 1 is a placeholder of writers that fill it in later, and means none.
    """
    data, offset, size = source.flat.read(schema.BUFFER, at)
    if len(data) or offset <= 1:
        return memoryview(data or b"")
    where = place(source.faults.file, f"buffer {index}")
    source.faults.warn("constant lies behind the flatbuffer; TFLM does not look for it there", where)
    try:
        return source.flat.outside(offset, size)
    except Broken as error:
        raise Broken(f"fields offset and size: {error}") from None


def _subgraph(source: Source, index: int, at: int) -> Subgraph | None:
    tensors, inputs, outputs, operators, name = source.flat.read(schema.SUBGRAPH, at)
    where = place(source.faults.file, f"subgraph {index}")
    read_tensors = source.each("tensor", where, tensors, partial(_tensor, source, index))
    read_operators = source.each(
        "op", where, operators, partial(decode_operator, source.flat, source.faults, source.codes, index)
    )
    if None in read_tensors or None in read_operators:
        return None
    return Subgraph(index, name or "", _present(read_tensors), _present(read_operators), inputs, outputs)


def _tensor(source: Source, subgraph: int, index: int, at: int) -> Tensor:
    flat = source.flat
    shape, code, buffer, name, quantization, is_variable, sparsity, signature = flat.read(schema.TENSOR, at)
    for field, sizes in (("shape", shape), ("shape_signature", signature)):
        if len(sizes) > MOST_DIMENSIONS:
            raise Broken(f"field {field}: {len(sizes)} dimensions, at most {MOST_DIMENSIONS} are supported")
    dtype = schema.DTYPES.get(code) or DType(f"TYPE_{code}", code, None)
    known = buffer < len(source.buffers)
    tensor = Tensor(
        subgraph=subgraph,
        index=index,
        name=name or "",
        dtype=dtype,
        shape=shape,
        signature=signature or None,
        buffer=buffer,
        data=source.buffers[buffer] if known else _UNREADABLE,
        is_variable=is_variable,
        quantization=_quantization(flat, quantization),
        stretched=-1 in shape,
    )
    _check_tensor(source, tensor, known, bool(sparsity))
    return tensor


def _check_tensor(source: Source, tensor: Tensor, buffer_exists: bool, sparse: bool) -> None:
    """What can be said of a tensor alone. TFLM reads as many bytes of a constant as its shape says."""
    faults: list[str] = []
    if not buffer_exists:
        faults.append(f"tensor names buffer {tensor.buffer}, the file has {len(source.buffers)} buffer(s)")
    if tensor.dtype.code not in schema.DTYPES:
        faults.append(f"element type {tensor.dtype.code} is not known")
    if tensor.data and tensor.is_variable:
        faults.append(f"variable tensor also has a constant value, buffer {tensor.buffer}")
    bits = _BITS_IN_FILE.get(tensor.dtype.name, 8 * (tensor.dtype.bytes or 0))
    missing = bool(tensor.data) and not sparse and 8 * len(tensor.data or b"") < tensor.elements * bits
    if not faults and not missing:
        return
    where = place(source.faults.file, f"subgraph {tensor.subgraph}", tensor.label)
    for fault in faults:
        source.faults.add(fault, where)
    if missing:
        needed = (tensor.elements * bits + 7) // 8
        source.faults.warn(f"constant has {len(tensor.data or b'')} bytes, its shape needs {needed}", where)


def _quantization(flat: Flat, at: int | None) -> Quantization | None:
    """As many zero points as scales.

    TFLM ignores scales without zero points, and repeats the first zero point where their counts differ
    (micro_allocator.cc, InitializeTfLiteTensorFromFlatbuffer).
    """
    if at is None:
        return None
    scales, zero_points, axis = flat.read(schema.QUANTIZATION, at)
    if not scales or not zero_points:
        return None
    if len(zero_points) != len(scales):
        zero_points = zero_points[:1] * len(scales)
    return Quantization(scales, zero_points, axis)


def _metadata(source: Source, index: int, at: int) -> Metadata | None:
    name, buffer = source.flat.read(schema.METADATA, at)
    if buffer >= len(source.buffers):
        where = place(source.faults.file, f"metadata {index} {shown(name or '')!r}")
        source.faults.add(f"metadata names buffer {buffer}, the file has {len(source.buffers)} buffer(s)", where)
        return None
    data = source.buffers[buffer]
    source.flat.charge(len(data or b""))
    return Metadata(name or "", buffer, bytes(data or b""))


def _signature(source: Source, _index: int, at: int) -> Signature:
    inputs, outputs, key, subgraph = source.flat.read(schema.SIGNATURE, at)

    def pairs(positions: tuple[int, ...]) -> tuple[tuple[str, int], ...]:
        return tuple((name or "", tensor) for name, tensor in (_tensor_map(source, at) for at in positions))

    return Signature(key or "", subgraph, pairs(inputs), pairs(outputs))


def _tensor_map(source: Source, at: int) -> Any:
    return source.flat.read(schema.TENSOR_MAP, at)
