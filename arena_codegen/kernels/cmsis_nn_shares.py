"""CMSIS-NN as TFLM pins it: which output may take over which input, and how far it may trail.

F2. Derived from the sources of CMSIS-NN 4ab83cc3 and TFLM's glue (tensorflow/lite/micro/kernels/cmsis_nn of 90b983c2);
operators and types without a kernel there run the reference kernels. What differs between cores without DSP extension,
with it, and with MVE is said where it does; a road that was not derived is disjoint.
"""

from __future__ import annotations

from types import MappingProxyType

from arena_codegen.kernels import reference_shares as reference
from arena_codegen.kernels.base import ShareRule
from arena_codegen.kernels.call import Call
from arena_codegen.kernels.cmsis_nn import Window, window
from arena_codegen.kernels.share_copies import pad, pad_by_rows
from arena_codegen.kernels.share_windows import Sweep, sweep
from arena_codegen.kernels.sharing import OVERLAP, Apart, ShareTable, Sharing, apart, binary, consumed, unary

POINTWISE = "CMSIS-NN reads all pixels for each output channel"


def conv(call: Call) -> tuple[ShareRule, ...]:
    """CONV_2D: two pixels (MVE: four) are unfolded into scratch, then written; 1×1 with a stride goes row by row."""
    kind = call.input(0).dtype.name
    if kind not in ("INT8", "INT16"):
        return reference.conv(call)
    w = window(call)
    if call.input(1).dtype.name == "INT4":
        raise Apart("nobody has derived in which order CMSIS-NN's int4 convolutions read and write")
    if w.in_ch != w.filter_ch:
        raise Apart("CMSIS-NN's grouped convolution goes over all pixels once for each group")
    windows = _sweep(call, w)
    if kind == "INT16":
        return _unfolded(call, windows, "arm_convolve_s16.c, arm_convolve_s16")
    if w.is_pointwise:
        return pointwise(call, w, windows)
    if call.isa == "mve" and w.in_h == w.kernel_h == w.dilation_w == 1:
        raise Apart("nobody has derived in which order arm_convolve_1_x_n_s8 reads and writes with MVE")
    return _unfolded(call, windows, "arm_convolve_s8.c, arm_convolve_s8")


def pointwise(call: Call, w: Window, windows: Sweep) -> tuple[ShareRule, ...]:
    """A 1×1 convolution is one matrix product, or, with a stride, one for each row."""
    if (w.stride_h, w.stride_w) == (1, 1):
        raise Apart(f"{POINTWISE} (arm_convolve_1x1_s8_fast.c, arm_nn_mat_mult_nt_t_s8)")
    if call.isa == "mve":
        raise Apart("nobody has derived in which order arm_convolve_1x1_s8 reads and writes with MVE")
    why = "reads a row of pixels for each output channel, then the next row (arm_convolve_1x1_s8.c)"
    return (ShareRule(0, 0, OVERLAP, windows.by_rows(), why),)


def _unfolded(call: Call, windows: Sweep, source: str) -> tuple[ShareRule, ...]:
    pixels = 4 if call.isa == "mve" else 2
    why = f"unfolds the windows of {pixels} pixels into scratch, then writes these ({source})"
    return (ShareRule(0, 0, OVERLAP, windows.by_several(pixels), why),)


def depthwise(call: Call) -> tuple[ShareRule, ...]:
    """DEPTHWISE_CONV_2D: pixel by pixel and channel by channel; not with MVE, which goes by blocks of channels."""
    kind = call.input(0).dtype.name
    if kind not in ("INT8", "INT16"):
        return reference.depthwise(call)
    w = window(call)
    multiplier = call.positive("depth_multiplier")
    if call.input(1).dtype.name == "INT4" or w.in_ch * multiplier != w.out_ch:
        raise Apart("nobody has derived in which order this depthwise convolution reads and writes")
    if call.isa == "mve" and kind == "INT8":
        raise Apart("CMSIS-NN with MVE goes over all pixels once for each block of channels")
    windows = _sweep(call, w)
    if kind == "INT16":
        source, at_once = "arm_depthwise_conv_s16.c, depthwise_conv_s16_generic_s16", 1
    elif multiplier == 1 and w.batch == 1 and not w.is_dilated:
        source, at_once = "arm_depthwise_conv_wrapper_s8.c, arm_depthwise_conv_3x3_s8, arm_depthwise_conv_s8_opt", 1
    elif multiplier % 4 == 0 and w.batch == 1 and not w.is_dilated:
        source, at_once = "arm_depthwise_conv_s8.c, depthwise_conv_s8_mult_4", 4
    else:
        source, at_once = "arm_depthwise_conv_s8.c, depthwise_conv_s8_generic", 1
    why = f"writes a channel when its windows were read, pixel by pixel ({source})"
    return (ShareRule(0, 0, OVERLAP, windows.by_element(w.in_ch, at_once), why),)


def average_pool(call: Call) -> tuple[ShareRule, ...]:
    """AVERAGE_POOL_2D: sums of a pixel's channels, then the pixel, or one channel after the other."""
    if call.input(0).dtype.name not in ("INT8", "INT16"):
        return reference.pool(call)
    windows = _pool_sweep(call)
    why = "writes a pixel when its window was summed up (arm_avgpool_s8.c, arm_avgpool_s16.c)"
    return (ShareRule(0, 0, OVERLAP, windows.by_pixels(), why),)


def max_pool(call: Call) -> tuple[ShareRule, ...]:
    """MAX_POOL_2D: memcpy puts the first tap where the pixel will be, the others are compared with it."""
    if call.input(0).dtype.name not in ("INT8", "INT16"):
        return reference.pool(call)
    windows = _pool_sweep(call)
    why = "copies a pixel's first tap to its place, then compares (arm_max_pool_s8.c, arm_max_pool_s16.c)"
    return (ShareRule(0, 0, OVERLAP, windows.by_pixels(ahead=1), why),)


def _pool_sweep(call: Call) -> Sweep:
    windows = sweep(call, (call.positive("filter_height"), call.positive("filter_width")))
    if windows.in_ch != windows.out_ch:
        raise Apart("a pool that changes the number of channels")
    return windows


def _sweep(call: Call, w: Window) -> Sweep:
    return sweep(call, (w.kernel_h, w.kernel_w), (w.dilation_h, w.dilation_w))


def padding(call: Call) -> tuple[ShareRule, ...]:
    """PAD of int8 is CMSIS-NN's, of other types the reference kernel's."""
    return pad_by_rows(call) if call.input(0).dtype.name == "INT8" else pad(call)


def transpose_conv(call: Call) -> tuple[ShareRule, ...]:
    """int8 is CMSIS-NN's, of which the order was not derived; other types run the reference kernel."""
    if call.input(2).dtype.name == "INT8":
        raise Apart("nobody has derived in which order CMSIS-NN's transposed convolutions read and write")
    return reference.transpose_conv(call)


RULES: MappingProxyType[str, Sharing] = MappingProxyType(
    reference.RULES
    | {
        "ADD": binary("arm_elementwise_add_s8.c, arm_elementwise_add_s16.c; add.h, BroadcastAdd6DSlow"),
        "MUL": binary("arm_elementwise_mul_s8.c, arm_elementwise_mul_s16.c; mul.h, BroadcastMul6DSlow"),
        "MAXIMUM": binary("arm_maximum_s8.c, arm_max_no_broadcast_s8", broadcast=False),
        "MINIMUM": binary("arm_minimum_s8.c, arm_min_no_broadcast_s8", broadcast=False),
        "SOFTMAX": unary("arm_nn_softmax_common_s8.c, arm_softmax_s16.c; row by row"),
        "SVDF": consumed("arm_svdf_s8.c, arm_svdf_state_s16_s8.c; svdf_common.cc, EvalFloatSvdfReference"),
        "CONV_2D": conv,
        "DEPTHWISE_CONV_2D": depthwise,
        "AVERAGE_POOL_2D": average_pool,
        "MAX_POOL_2D": max_pool,
        "PAD": padding,
        "PADV2": padding,
        "TRANSPOSE_CONV": transpose_conv,
        "FULLY_CONNECTED": apart("each output element reads the whole input row (arm_fully_connected_s8.c)"),
    }
)

TABLE = ShareTable(RULES)
