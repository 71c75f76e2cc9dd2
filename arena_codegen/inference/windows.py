"""CONV_2D, DEPTHWISE_CONV_2D, AVERAGE_POOL_2D, MAX_POOL_2D: windows that move over a picture.

F3. Sources: TFLM's kernels/conv_common.cc, depthwise_conv_common.cc, pooling_common.cc.
"""

from __future__ import annotations

from arena_codegen.inference.call import KernelCall, Table, Unsupported
from arena_codegen.inference.fixed_point import (
    activation_range,
    float_range,
    quantize_multiplier,
    scale,
    scales_of,
    zero_point,
)
from arena_codegen.inference.wide import conv_2d_s16, is_wide
from arena_codegen.kernels.call import Call, dims
from arena_codegen.model.types import Tensor


def conv_2d(call: Call) -> KernelCall:
    filter_c = dims(call.input(1), 4)[3]
    window = _window(call, *dims(call.input(1), 4)[1:3], dilated=True)
    if _all_are(call, "FLOAT32", 2):
        params = {"window": window, "filter_c": filter_c, **_float_range(call)}
        return KernelCall("conv_2d_f32", params, header="conv_2d", params_type="conv_2d_f32")
    if is_wide(call):
        steps = window["window_h"] * window["window_w"] * filter_c, filter_c
        return conv_2d_s16(call, window, filter_c, steps, _scales(call, dims(call.output(), 4)[3]))
    _need_int8(call, 2)
    params = {"window": window, **_quantized(call, dims(call.output(), 4)[3]), "filter_c": filter_c}
    if filter_c != dims(call.input(0), 4)[3]:
        return KernelCall("conv_2d_grouped", params, header="conv_2d")
    return KernelCall("conv_2d", params, scratch=1)


def depthwise_conv_2d(call: Call) -> KernelCall:
    in_c, out_c = dims(call.input(0), 4)[3], dims(call.output(), 4)[3]
    if in_c * (out_c // in_c) != out_c:
        raise Unsupported(f"{out_c} channels from {in_c}")
    window = _window(call, *dims(call.input(1), 4)[1:3], dilated=True)
    if _all_are(call, "FLOAT32", 2):
        params = {"window": window, "depth_multiplier": out_c // in_c, **_float_range(call)}
        return KernelCall(
            "depthwise_conv_2d_f32", params, header="depthwise_conv_2d", params_type="depthwise_conv_2d_f32"
        )
    if is_wide(call):
        return conv_2d_s16(call, window, 1, (1, out_c), _scales(call, out_c))
    _need_int8(call, 2)
    params = {"window": window, **_quantized(call, out_c), "depth_multiplier": out_c // in_c}
    return KernelCall("depthwise_conv_2d", params, scratch=1)


def transpose_conv(call: Call) -> KernelCall:
    """TRANSPOSE_CONV: shape, filter, picture, bias; its pads count from the output (kernels/transpose_conv.cc)."""
    filters, source, output = call.input(1), call.input(2), call.output()
    batch, in_h, in_w, in_c = dims(source, 4)
    _, out_h, out_w, out_c = dims(output, 4)
    _, window_h, window_w, _ = dims(filters, 4)
    stride_h, stride_w = call.positive("stride_h"), call.positive("stride_w")
    window = {
        "batch": batch,
        **{"in_h": in_h, "in_w": in_w, "in_c": in_c},
        **{"out_h": out_h, "out_w": out_w, "out_c": out_c},
        **{"window_h": window_h, "window_w": window_w},
        **{"stride_h": stride_h, "stride_w": stride_w},
        "pad_h": call.padding(stride_h, window_h, 1, out_h),
        "pad_w": call.padding(stride_w, window_w, 1, out_w),
        **{"dilation_h": 1, "dilation_w": 1},
    }
    kinds = source.dtype.name, filters.dtype.name, output.dtype.name
    if kinds == ("FLOAT32",) * 3:
        params = {"window": window, **_float_range(call)}
        return KernelCall("transpose_conv_f32", params, header="transpose_conv", params_type="transpose_conv_f32")
    if kinds not in (("INT8", "INT8", "INT8"), ("INT16", "INT8", "INT16")):
        raise Unsupported(f"{kinds[0]} by {kinds[1]}")
    bias = call.find_input(3)
    is_short = bias is not None and bias.dtype.name == "INT16"
    params = {
        "window": window,
        "element": "ELEMENT_S8" if kinds[0] == "INT8" else "ELEMENT_S16",
        "bias": "ELEMENT_S16" if is_short else "ELEMENT_S32",
        **_scaled(call, source, filters, out_c),
    }
    kernel = "transpose_conv" if kinds[0] == "INT8" else "transpose_conv_s16"
    return KernelCall(kernel, params, header="transpose_conv")


def average_pool_2d(call: Call) -> KernelCall:
    return _pool(call, "average_pool_2d", scratch=1)


def max_pool_2d(call: Call) -> KernelCall:
    return _pool(call, "max_pool_2d", scratch=0)


def _pool(call: Call, kernel: str, scratch: int) -> KernelCall:
    window = _window(call, call.positive("filter_height"), call.positive("filter_width"), dilated=False)
    if _all_are(call, "FLOAT32", 1):
        params = {"window": window, **_float_range(call)}
        return KernelCall(f"{kernel}_f32", params, header=kernel, params_type="pool_2d_f32")
    _need_int8(call, 1)
    low, high = activation_range(call.option("fused_activation_function"), call.output())
    params = {"window": window, "lowest": low, "highest": high}
    return KernelCall(kernel, params, params_type="pool_2d", scratch=scratch)


def _window(call: Call, window_h: int, window_w: int, *, dilated: bool) -> dict[str, int]:
    """A `kernel_window_t`."""
    batch, in_h, in_w, in_c = dims(call.input(0), 4)
    _, out_h, out_w, out_c = dims(call.output(), 4)
    stride_h, stride_w = call.positive("stride_h"), call.positive("stride_w")
    dilation_h, dilation_w = (1, 1)
    if dilated:
        dilation_h, dilation_w = call.positive("dilation_h_factor"), call.positive("dilation_w_factor")
    return {
        "batch": batch,
        **{"in_h": in_h, "in_w": in_w, "in_c": in_c},
        **{"out_h": out_h, "out_w": out_w, "out_c": out_c},
        **{"window_h": window_h, "window_w": window_w},
        **{"stride_h": stride_h, "stride_w": stride_w},
        "pad_h": call.padding(stride_h, window_h, dilation_h, in_h),
        "pad_w": call.padding(stride_w, window_w, dilation_w, in_w),
        **{"dilation_h": dilation_h, "dilation_w": dilation_w},
    }


def _scales(call: Call, channels: int) -> list[tuple[int, int]]:
    return channel_scales(call.input(0), call.input(1), call.output(), channels)


def _quantized(call: Call, channels: int) -> dict[str, int | Table]:
    """Offsets, activation range and a scale for every output channel."""
    return _scaled(call, call.input(0), call.input(1), channels)


def _scaled(call: Call, source: Tensor, filters: Tensor, channels: int) -> dict[str, int | Table]:
    output = call.output()
    low, high = activation_range(call.option("fused_activation_function"), output)
    pairs = channel_scales(source, filters, output, channels)
    return {
        "input_offset": -zero_point(source),
        "output_offset": zero_point(output),
        "lowest": low,
        "highest": high,
        "multipliers": Table("int32_t", [multiplier for multiplier, _ in pairs]),
        "shifts": Table("int32_t", [shift for _, shift in pairs]),
    }


def channel_scales(source: Tensor, filters: Tensor, output: Tensor, channels: int) -> list[tuple[int, int]]:
    """(multiplier, shift) for every output channel; one scale of the filter holds for all of them."""
    if filters.quantization is None or len(filters.quantization.scales) not in (1, channels):
        raise Unsupported(f"{filters.label} needs 1 or {channels} scales")
    scales = scales_of(filters)
    factors = scales * channels if len(scales) == 1 else scales
    return [quantize_multiplier(scale(source) * factor / scale(output)) for factor in factors]


def _float_range(call: Call) -> dict[str, float]:
    low, high = float_range(call.option("fused_activation_function"))
    return {"lowest": low, "highest": high}


def _all_are(call: Call, dtype: str, inputs: int) -> bool:
    return {tensor.dtype.name for tensor in (*map(call.input, range(inputs)), call.output())} == {dtype}


def _need_int8(call: Call, inputs: int) -> None:
    if not _all_are(call, "INT8", inputs):
        raise Unsupported(f"{call.input(0).dtype.name} in, {call.output().dtype.name} out")
