"""What people call the things of a layout.

F4. For messages and reports; long names lose their middle.
"""

from __future__ import annotations

from arena_codegen.errors import place
from arena_codegen.layout.types import BufferRow, Layout, TailItem, used_bytes
from arena_codegen.names import shorten
from arena_codegen.planning.problem import align_up

NAME_LENGTH = 60
PIN_LENGTH = 40


def peak_place(layout: Layout) -> str:
    """The operator of the peak step, as messages name a place; the model alone where no operator decides."""
    if layout.peak_operator is None or deciding_pin(layout) is not None:
        return layout.model.file
    row = layout.operators[layout.peak_operator]
    return place(layout.model.file, f"subgraph {row.subgraph}", f"op {row.index} {row.name}")


def peak_step(layout: Layout) -> str:
    """When the peak is: `when op 2 CONV_2D runs (step 3)`."""
    if layout.peak_operator is not None:
        row = layout.operators[layout.peak_operator]
        return f"when op {numbered(row.subgraph, row.index)} {row.name} runs (step {layout.peak_scope})"
    return "before the first operator runs" if layout.peak_scope == 0 else "where tensors lie that no operator uses"


def deciding_pin(layout: Layout) -> tuple[str, int] | None:
    """The --pin that makes the head as large as it is, where no step fills the head, and where its buffer ends.

    `input_1@1048576`, long names without their middle; None where a step decides.
    """
    pins = layout.options.get("pin", ())
    if not pins or used_bytes(layout.buffers, layout.end_scope).get(layout.peak_scope) == layout.peak:
        return None
    for wish in pins:
        tensor, _, offset = str(wish).rpartition("@")
        for row in layout.buffers:
            meant = row.tensor is not None and tensor in (row.name, str(row.tensor), f"{row.subgraph}:{row.tensor}")
            if meant and str(row.offset) == offset and align_up(row.end, layout.alignment) == layout.peak:
                return f"--pin {shorten(tensor, PIN_LENGTH)}@{offset}", row.end
    return None


def kernel_tables(layout: Layout) -> tuple[TailItem, ...]:
    """The parts of TFLM's tail in which kernels keep what they computed from constants: multipliers and shifts."""
    return tuple(item for item in layout.tail.items if item.what == "per-channel arrays") if layout.tail else ()


def named(row: BufferRow) -> str:
    """`tensor 17 'conv1/out'`, or the scratch's name."""
    if row.tensor is None:
        return row.name
    number = numbered(row.subgraph, row.tensor)
    return f"tensor {number} {shorten(row.name, NAME_LENGTH)!r}" if row.name else f"tensor {number}"


def numbered(subgraph: int, index: int | None) -> str:
    """The number of a tensor or an operator as the command line takes it: `17`, `1:17` in subgraph 1; `-` for none."""
    if index is None:
        return "-"
    return f"{subgraph}:{index}" if subgraph else str(index)
