"""FULLY_CONNECTED.

F3. Source: TFLM's kernels/fully_connected_common.cc.
"""

from __future__ import annotations

from typing import Any

from arena_codegen.inference.call import KernelCall, Table, Unsupported
from arena_codegen.inference.fixed_point import (
    activation_range,
    float_range,
    quantize_multiplier,
    scale,
    zero_point,
)
from arena_codegen.inference.wide import KINDS, conv_2d_s16
from arena_codegen.inference.windows import channel_scales
from arena_codegen.kernels.call import Call, dims


def fully_connected(call: Call) -> KernelCall:
    source, filters, output = call.input(0), call.input(1), call.output()
    out_c, in_c = dims(filters, 2)
    shape = {"batches": output.elements // out_c, "in_c": in_c, "out_c": out_c}
    kinds = source.dtype.name, filters.dtype.name, output.dtype.name
    if kinds == ("FLOAT32",) * 3:
        low, high = float_range(call.option("fused_activation_function"))
        floats = {**shape, "lowest": low, "highest": high}
        return KernelCall("fully_connected_f32", floats, header="fully_connected", params_type="fully_connected_f32")
    if kinds not in (("INT8",) * 3, KINDS):
        raise Unsupported(f"{kinds[0]} by {kinds[1]}")
    low, high = activation_range(call.option("fused_activation_function"), output)
    per_channel = filters.quantization is not None and len(filters.quantization.scales) > 1
    if per_channel:
        pairs = channel_scales(source, filters, output, out_c)
    else:
        pairs = [quantize_multiplier(scale(source) * scale(filters) / scale(output))] * out_c
    if kinds == KINDS:
        return conv_2d_s16(call, _pixel(**shape), in_c, (in_c, in_c), pairs)
    is_plain = not per_channel and zero_point(filters) == 0
    pairs = pairs[:1] if is_plain else pairs
    params: dict[str, Any] = {
        **shape,
        "input_offset": -zero_point(source),
        "filter_offset": -zero_point(filters),
        "output_offset": zero_point(output),
        "lowest": low,
        "highest": high,
        "multipliers": Table("int32_t", [multiplier for multiplier, _ in pairs]),
        "shifts": Table("int32_t", [shift for _, shift in pairs]),
    }
    if is_plain:
        return KernelCall("fully_connected", params, scratch=1)
    return KernelCall("fully_connected_per_channel", params, header="fully_connected")


def _pixel(batches: int, in_c: int, out_c: int) -> dict[str, int]:
    """The layer as a convolution of pictures of one pixel."""
    ones = (
        "in_h",
        "in_w",
        "out_h",
        "out_w",
        "window_h",
        "window_w",
        "stride_h",
        "stride_w",
        "dilation_h",
        "dilation_w",
    )
    return {"batch": batches, "in_c": in_c, "out_c": out_c, "pad_h": 0, "pad_w": 0, **dict.fromkeys(ones, 1)}
