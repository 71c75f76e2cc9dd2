"""Layouts made by hand, for tests of what is made from a layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from arena_codegen.errors import Finding
from arena_codegen.layout.types import (
    Amount,
    BufferRow,
    GreedyTail,
    Layout,
    ModelInfo,
    OperatorRow,
    ShareRow,
    Tail,
    TailItem,
    TensorRow,
)
from arena_codegen.version import VERSION

OPTIONS = {
    "strategy": "best",
    "effort": "normal",
    "kernels": "cmsis-nn",
    "target": "m4",
    "align": 16,
    "in_place": True,
    "overlap": False,
}

TAIL = Tail(
    bytes=868,
    min_arena=1536,
    greedy=GreedyTail(bytes=916, arena_used=1484, min_arena=1856),
    tflm="TFLM 90b983c2",
    abi="arm-none-eabi-gcc, 32-bit Cortex-M",
    items=(TailItem("operators", 2, 868),),
)


def tensor_row(
    index: int, *, name: str | None = None, role: str = "intermediate", size: int = 0, **facts: Any
) -> BufferRow:
    """A buffer of tensor `index` of the main graph with `size` raw bytes; `facts` overwrite any field."""
    row = BufferRow(
        index=index,
        kind="tensor",
        subgraph=0,
        tensor=index,
        operator=None,
        name=f"t{index}" if name is None else name,
        role=role,
        dtype="INT8",
        shape=(1, size),
        bytes=size,
        size=-(-size // 16) * 16,
        first=index,
        last=index + 1,
        offset=0,
    )
    return replace(row, **facts)


def scratch_row(index: int, *, operator: int, size: int, offset: int) -> BufferRow:
    """A scratch buffer of one operator of the main graph."""
    scope = operator + 1
    return replace(
        tensor_row(index, size=size, offset=offset, first=scope, last=scope),
        kind="scratch",
        tensor=None,
        operator=operator,
        name=f"scratch 0 of op {operator} CONV_2D",
        role="scratch",
        dtype=None,
        shape=(),
    )


def layout(
    buffers: Sequence[BufferRow] = (),
    *,
    inputs: tuple[int, ...] = (),
    outputs: tuple[int, ...] = (),
    others: Sequence[TensorRow] = (),
    **facts: Any,
) -> Layout:
    """A layout with these buffers; peak and lifetimes follow from them, `facts` overwrite any field of the Layout.

    `others` are tensors without a buffer.
    """
    peak = -(-max((row.end for row in buffers), default=0) // 16) * 16
    end = max((row.last for row in buffers), default=0)
    values: dict[str, Any] = {
        "tool": f"arena-codegen {VERSION}",
        "model": ModelInfo("kws.tflite", "0123456789abcdef" * 4, 0xCBF43926, 9, 1, 2),
        "options": OPTIONS,
        "kernels": "CMSIS-NN 4ab83cc3, as TFLM 90b983c2 pins it",
        "profile": "ARENA_KERNELS_CMSIS_NN",
        "strategy": "best",
        "alignment": 16,
        "warnings": (),
        "peak": peak,
        "lower_bound": peak,
        "refuted": False,
        "naive": 4 * peak,
        "linear": 2 * peak,
        "greedy": peak,
        "fragmentation": 0.0,
        "peak_scope": 1,
        "peak_operator": 0,
        "end_scope": end,
        "steps": (-1, *range(end)),
        "arena_bytes": max(peak, 1),
        "tail": None,
        "peak_reason": "",
        "constants": Amount(100, 3),
        "weights": Amount(90, 2),
        "metadata": Amount(0, 0),
        "variables": Amount(0, 0),
        "unknown_scratch": (),
        "inputs": inputs,
        "outputs": outputs,
        "tensors": (*_tensors(buffers), *others),
        "buffers": tuple(buffers),
        "operators": tuple(OperatorRow(i, 0, "CONV_2D", i + 1, (i,), (i + 1,), 0) for i in range(end or 1)),
    }
    values |= facts
    return Layout(**{field.name: values[field.name] for field in fields(Layout)})


def _tensors(buffers: Sequence[BufferRow]) -> tuple[TensorRow, ...]:
    return tuple(
        TensorRow(
            row.subgraph, row.tensor, row.name, row.dtype or "", row.shape, row.role, row.bytes, None, (), row.index
        )
        for row in buffers
        if row.tensor is not None
    )


def homeless(tensor: int, *, role: str, name: str = "", size: int = 4) -> TensorRow:
    """A tensor of the main graph that has no place in the arena."""
    return TensorRow(0, tensor, name, "INT8", (size,), role, size, None, (), None)


def small() -> Layout:
    """Input (490 bytes), two intermediates, scratch, output (12 bytes): one of everything that is usual."""
    rows = [
        tensor_row(0, name="input_1", role="input", size=490, offset=256, shape=(1, 49, 10, 1)),
        tensor_row(1, name="conv/Relu", size=256, offset=0),
        tensor_row(2, name="dense/BiasAdd", size=12, offset=256),
        tensor_row(3, name="Identity", role="output", size=12, offset=0, last=3),
        scratch_row(4, operator=0, size=160, offset=752),
    ]
    return layout(rows, inputs=(0,), outputs=(3,))


def with_everything() -> Layout:
    """`small`, and all that is rare: tail, kept and missing inputs, shares, a subgraph, warnings, unknown scratch."""
    rows = list(small().buffers)
    rows[0] = replace(rows[0], last=3, offset=256)
    relu = ShareRow(1, "in-place", 0, "RELU reads an element before it writes it")
    rows[2] = replace(rows[2], offset=0, shares=(relu,))
    rows[3] = replace(rows[3], offset=0, shares=(ShareRow(2, "overlap", 0, "arm_softmax_s8 goes row by row"),))
    rows.insert(4, replace(tensor_row(4, name="branch", size=3, first=1, last=1, offset=912), subgraph=1, tensor=0))
    rows[5] = replace(rows[5], index=5)
    others = (homeless(4, role="variable", name="state", size=32), homeless(5, role="constant", name="bias"))
    others += (homeless(6, role="intermediate", name="nothing", size=0),)
    return layout(
        rows,
        inputs=(0, 4),
        outputs=(3, 5, 6, 0),
        others=others,
        arena_bytes=2048,
        options=OPTIONS | {"keep": ["input_1"], "pin": ["conv/Relu@0"], "arena": 2048},
        tail=TAIL,
        lower_bound=900,
        variables=Amount(32, 1),
        unknown_scratch=("MY_OP", "evil */ op"),
        warnings=(
            Finding("no operator uses this tensor, yet TFLM allocates it", "kws.tflite · subgraph 0", "remove it"),
            Finding("a note without a place"),
        ),
    )


def many(count: int) -> Layout:
    """A chain of `count` buffers."""
    rows = [tensor_row(i, size=1000 + i, offset=(i % 2) * 2048, name=f"block_{i}/conv2d/Relu") for i in range(count)]
    return layout(rows, inputs=(0,), outputs=(count - 1,))
