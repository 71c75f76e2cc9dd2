"""Convolutions and fully connected layers of 16 bits, with weights of 8 bits and sums of 64: one kernel for all.

F3. Sources: TFLM's kernels/conv.cc, depthwise_conv.cc, fully_connected.cc for int16. Sums of 32 bits, which TFLM makes
where a bias has them, are another thing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena_codegen.inference.call import KernelCall, Table, Unsupported
from arena_codegen.inference.fixed_point import activation_range, zero_point
from arena_codegen.kernels.call import Call

KINDS = ("INT16", "INT8", "INT16")
"""Element types of input, filter and output."""

MOST_SHIFT = 7
"""To the left, of a sum of 64 bits (MultiplyByQuantizedMultiplier)."""


def is_wide(call: Call) -> bool:
    return (call.input(0).dtype.name, call.input(1).dtype.name, call.output().dtype.name) == KINDS


def conv_2d_s16(
    call: Call, window: Mapping[str, int], filter_c: int, steps: tuple[int, int], scales: Sequence[tuple[int, int]]
) -> KernelCall:
    """`steps`: weights from one output channel, and from one pixel of the window, to the next; `scales`: a multiplier
    and a shift for every output channel."""
    bias = call.find_input(2)
    if bias is not None and bias.dtype.name != "INT64":
        raise Unsupported(f"INT16 with a bias of {bias.dtype.name}")
    if any(zero_point(tensor) for tensor in (call.input(0), call.input(1), call.output())):
        raise Unsupported("INT16 with a zero point")
    if max(shift for _, shift in scales) > MOST_SHIFT:
        raise Unsupported("an output scale that is too small")
    low, high = activation_range(call.option("fused_activation_function"), call.output())
    params = {
        "window": window,
        "filter_c": filter_c,
        **{"channel_step": steps[0], "pixel_step": steps[1]},
        **{"lowest": low, "highest": high},
        "multipliers": Table("int32_t", [multiplier for multiplier, _ in scales]),
        "shifts": Table("int32_t", [shift for _, shift in scales]),
    }
    return KernelCall("conv_2d_s16", params)
