"""CMSIS-NN as TFLM pins it: the scratch that its kernels need, and what TFLM's glue keeps for them.

F2. TFLM's glue is tensorflow/lite/micro/kernels/cmsis_nn of TFLM 90b983c2; sizes come from the arm_*_get_buffer_size
functions, compiled by GCC: "plain" for cores without the DSP extension (Cortex-M0, M3), "dsp" (M4, M7, M33), "mve"
(M55). Operators without a file there run the reference kernels.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from arena_codegen.kernels import reference
from arena_codegen.kernels.call import Call, Unknown, dim, dims, elements, scales
from arena_codegen.kernels.steps import INT, KernelTable
from arena_codegen.planning.problem import align_up

PINNED = "CMSIS-NN 4ab83cc3, as TFLM 90b983c2 pins it"
ISAS = MappingProxyType({"m0": "plain", "m3": "plain", "m4": "dsp", "m7": "dsp", "m33": "dsp", "m55": "mve"})
CHANNELS_PER_BLOCK = 124
"""CH_IN_BLOCK_MVE (arm_nnsupportfunctions.h)."""
REVERSE_ABOVE = 16
"""REVERSE_TCOL_EFFICIENT_THRESHOLD (arm_nnsupportfunctions.h)."""


@dataclass(frozen=True, slots=True)
class Window:
    """A convolution as CMSIS-NN gets it: sizes in pixels and channels, pads as TFLM computes them."""

    batch: int
    in_h: int
    in_w: int
    in_ch: int
    kernel_h: int
    kernel_w: int
    filter_ch: int
    out_w: int
    out_ch: int
    stride_h: int
    stride_w: int
    dilation_h: int
    dilation_w: int
    pad_h: int
    pad_w: int

    @property
    def column(self) -> int:
        """Elements of one output pixel's patch (im2col): over all input channels, of a grouped convolution too."""
        return self.kernel_h * self.kernel_w * self.in_ch

    @property
    def is_dilated(self) -> bool:
        return (self.dilation_h, self.dilation_w) != (1, 1)

    @property
    def is_pointwise(self) -> bool:
        return (self.kernel_h, self.kernel_w, self.pad_h, self.pad_w) == (1, 1, 0, 0) and not self.is_dilated


def window(call: Call) -> Window:
    """The window of CONV_2D or DEPTHWISE_CONV_2D. Raises Unknown."""
    batch, in_h, in_w, in_ch = dims(call.input(0), 4)
    _, kernel_h, kernel_w, filter_ch = dims(call.input(1), 4)
    _, _, out_w, out_ch = dims(call.output(), 4)
    stride_h, stride_w = call.positive("stride_h"), call.positive("stride_w")
    dilation_h, dilation_w = call.positive("dilation_h_factor"), call.positive("dilation_w_factor")
    return Window(
        *(batch, in_h, in_w, in_ch, kernel_h, kernel_w, filter_ch, out_w, out_ch),
        *(stride_h, stride_w, dilation_h, dilation_w),
        call.padding(stride_h, kernel_h, dilation_h, in_h),
        call.padding(stride_w, kernel_w, dilation_w, in_w),
    )


def _requests(size: int) -> tuple[int, ...]:
    """TFLM's glue asks for nothing where the library says 0."""
    return (size,) if size else ()


def convolve_s8(isa: str, w: Window) -> int:
    """arm_convolve_wrapper_s8_get_buffer_size, pinned version (arm_convolve_get_buffer_sizes_s8.c)."""
    if w.is_pointwise and w.in_ch == w.filter_ch:
        return 0  # armclang alone asks for 4 · in_ch at stride 1 with the DSP extension
    if isa != "mve":
        return 4 * align_up(w.column, 4)
    one_row = w.in_h == 1 and w.dilation_w == 1 and w.kernel_h == 1
    if one_row and w.stride_w * w.in_ch % 4 == 0 and w.in_ch == w.filter_ch:
        return _one_row_mve(w)
    return 4 * align_up(w.column, 16)


def _one_row_mve(w: Window) -> int:
    """arm_convolve_1_x_n_s8_get_buffer_size_mve; the remainder has the sign of its dividend, as in C."""
    total = (w.out_w - 1) * w.stride_w + w.kernel_w - w.in_w
    uneven = abs(total) % 2 * (1 if total > 0 else -1)
    right = max(1, (w.pad_w + uneven + w.stride_w - 1) // w.stride_w) if w.pad_w + uneven else 0
    left = max(1, (w.pad_w + w.stride_w - 1) // w.stride_w) if w.pad_w else 0
    if right + max(w.out_w - (right + left), 0) + left != w.out_w:
        return 4 * align_up(w.column, 16)
    padded_right = right * w.in_ch if uneven else w.pad_w * w.in_ch
    return max((w.kernel_w + w.pad_w) * w.in_ch, (w.kernel_w - 1) * w.in_ch + padded_right)


def conv(call: Call) -> tuple[int, ...]:
    """CONV_2D; an int4 filter takes the same road (conv.cc)."""
    kind = call.input(0).dtype.name
    if kind == "INT8":
        return _requests(convolve_s8(call.isa, window(call)))
    if kind == "INT16":  # arm_convolve_get_buffer_sizes_s16.c, pointwise too
        column = window(call).column
        return _requests(8 * align_up(column, 8) if call.isa == "mve" else 4 * column)
    return ()


def conv_channels(call: Call) -> tuple[int, ...]:
    """Unlike the reference kernel, floats need no multipliers and shifts (conv.cc)."""
    return reference.per_channel(0)(call) if call.input(0).dtype.name in ("INT8", "INT16") else ()


def depthwise(call: Call) -> tuple[int, ...]:
    """DEPTHWISE_CONV_2D, int8 inputs only (depthwise_conv.cc; arm_depthwise_conv_get_buffer_sizes_s8.c, _s4.c)."""
    if call.input(0).dtype.name != "INT8":
        return ()
    w = window(call)
    is_int4 = call.input(1).dtype.name == "INT4"
    if call.isa == "mve" and not is_int4 and w.in_ch == 1 and w.out_ch > 1:
        return _requests(_depthwise_as_convolution(w))
    if w.in_ch != w.out_ch or w.batch != 1 or w.is_dilated:
        return ()
    if call.isa == "mve":
        return _requests(4 * CHANNELS_PER_BLOCK * w.kernel_h * w.kernel_w)
    is_3x3 = w.kernel_h == w.kernel_w == 3 and w.pad_h <= 1 and w.pad_w <= 1
    if not is_int4 and (is_3x3 or call.isa == "plain"):
        return ()
    return _requests(2 * w.column)


def _depthwise_as_convolution(w: Window) -> int:
    """One input channel runs as a convolution with a transposed filter.

    Not known where the size depends on a stride that TFLM's Prepare leaves unset in dw_conv_params.
    """
    filter_bytes = w.out_ch * w.kernel_h * w.kernel_w
    if w.is_pointwise:
        return filter_bytes
    if w.in_h == 1 and w.dilation_w == 1 and w.kernel_h == 1:
        raise Unknown("arm_depthwise_conv_wrapper_s8_get_buffer_size reads a stride that TFLM does not set")
    return 4 * align_up(w.kernel_h * w.kernel_w, 16) + filter_bytes


def depthwise_channels(call: Call) -> tuple[int, ...]:
    return reference.per_channel(3)(call) if call.input(0).dtype.name in ("INT8", "INT16") else ()


def average_pool(call: Call) -> tuple[int, ...]:
    """arm_avgpool_get_buffer_sizes_s8.c, _s16.c: sums of all channels, with the DSP extension only."""
    if call.isa != "dsp" or call.input(0).dtype.name not in ("INT8", "INT16"):
        return ()
    return _requests(INT * dims(call.input(0), 4)[3])


def _is_s8(call: Call) -> bool:
    return call.input(0).dtype.name == "INT8" and call.input(1).dtype.name != "INT4"


def _takes_conv_1x1(call: Call) -> bool:
    """Outputs of rank 3 and more whose depth is a multiple of 4 run as a pointwise convolution (fully_connected.cc)."""
    return len(call.output().shape) > 2 and dim(call.input(1), -1) % 4 == 0


def fc_quantization(call: Call) -> tuple[int, ...]:
    """Multipliers and shifts of all channels, which the pointwise convolution wants and a per-tensor filter lacks."""
    if not (_is_s8(call) and _takes_conv_1x1(call)) or scales(call.input(1)) > 1:
        return ()
    return (2 * INT * dim(call.output(), -1),)


def _kernel_sums(call: Call) -> int:
    """arm_fully_connected_s8_get_buffer_size: with MVE, a sum an output channel."""
    return INT * dim(call.output(), -1) if call.isa == "mve" and _is_s8(call) and not _takes_conv_1x1(call) else 0


def _has_constant_sums(call: Call) -> bool:
    bias = call.find_input(2)
    return call.input(1).is_constant and (bias is None or bias.is_constant)


def fc_sums(call: Call) -> tuple[int, ...]:
    """Sums of constant filters are computed once and kept (KERNELS_OPTIMIZED_FOR_SPEED)."""
    return _requests(_kernel_sums(call)) if _has_constant_sums(call) else ()


def fc_scratch_sums(call: Call) -> tuple[int, ...]:
    return () if _has_constant_sums(call) else _requests(_kernel_sums(call))


def svdf_sums(call: Call) -> tuple[int, ...]:
    """arm_svdf_s8_get_buffer_size: with MVE, a sum a filter, computed once and kept (svdf.cc)."""
    return (INT * dim(call.input(1), 0),) if call.isa == "mve" and call.input(0).dtype.name == "INT8" else ()


def matmul_sums(call: Call) -> tuple[int, ...]:
    """arm_fully_connected_s8_get_buffer_size with MVE (batch_matmul.cc)."""
    return (INT * dim(call.output(), -1),) if call.isa == "mve" and call.input(0).dtype.name == "INT8" else ()


def matmul_quantization(call: Call) -> tuple[int, ...]:
    """After the operands, unlike the reference kernel (batch_matmul.cc)."""
    return () if "FLOAT32" in (call.input(0).dtype.name, call.input(1).dtype.name) else (28,)


def transpose_conv(call: Call) -> tuple[int, ...]:
    """int8 asks twice, also for 0 bytes (transpose_conv.cc; arm_transpose_conv_get_buffer_sizes_s8.c)."""
    if call.input(2).dtype.name != "INT8":
        return (8 * elements(call.output()),) if call.input(2).dtype.name == "INT16" else ()
    _, _, in_w, in_ch = dims(call.input(2), 4)
    out_ch, kernel_h, kernel_w, _ = dims(call.input(1), 4)
    stride_h, stride_w = call.positive("stride_h"), call.positive("stride_w")
    if stride_h <= 2 and stride_w <= 2 and in_ch > REVERSE_ABOVE:
        column = kernel_h * kernel_w * in_ch
        return (4 * align_up(column, 16 if call.isa == "mve" else 4), column * out_ch)
    columns = ((in_w - 1) * stride_w + max(kernel_w, stride_h)) * out_ch  # stride_h, as the library has it
    return (INT * columns * max(kernel_h, stride_h), 0)


def _lstm_kind(call: Call) -> str:
    """What the quantised kernel takes, "" for floats (unidirectional_sequence_lstm.cc)."""
    kind = call.input(0).dtype.name
    return kind if kind in ("INT8", "INT16") and call.input(19).dtype.name == "INT16" else ""


def lstm(call: Call) -> tuple[int, ...]:
    return (2 * reference.lstm_state(call),) * 3 if _lstm_kind(call) else reference.lstm(call)


def lstm_sums(call: Call) -> tuple[int, ...]:
    """Eight sums of weights, in the type of the bias (CMSIS_NN_PortOpData)."""
    size = {"INT8": 4, "INT16": 8}.get(_lstm_kind(call))
    return (size * dim(call.input(18), 1),) * 8 if size else ()


PINNED_TABLE = KernelTable(
    reference.OP_DATA
    | {
        **dict.fromkeys(("CONV_2D", "DEPTHWISE_CONV_2D", "ADD"), 60),
        **dict.fromkeys(("AVERAGE_POOL_2D", "MAX_POOL_2D", "BATCH_MATMUL"), 36),
        "FULLY_CONNECTED": 72,
        "SOFTMAX": 64,
        "SVDF": 40,
        "TRANSPOSE_CONV": 76,
        "UNIDIRECTIONAL_SEQUENCE_LSTM": 912,
    },
    reference.TABLE.init,
    reference.PREPARE
    | {
        "AVERAGE_POOL_2D": "i0 o0 i0 o0 S.average_pool",
        "BATCH_MATMUL": "i0 i1 o0 P.lhs P.rhs P.output_dims P.matmul_quantization S.matmul_sums",
        "CONV_2D": "i0 i1 o0 P.conv_channels i0 i1 i2 o0 S.conv",
        "DEPTHWISE_CONV_2D": "i0 i1 o0 P.depthwise_channels i0 i1 i2 o0 S.depthwise",
        "FULLY_CONNECTED": "i0 i1 i2 o0 P.fc_channels S.fc_quantization P.fc_sums S.fc_scratch_sums",
        "SVDF": "i0 i1 i2 i3 i4 o0 S.svdf P.svdf_sums",
        "UNIDIRECTIONAL_SEQUENCE_LSTM": "i0+ o0 P.lstm_sums S.lstm",
    },
    reference.FORMULAS
    | {
        "accumulators": transpose_conv,
        "average_pool": average_pool,
        "conv": conv,
        "conv_channels": conv_channels,
        "depthwise": depthwise,
        "depthwise_channels": depthwise_channels,
        "fc_quantization": fc_quantization,
        "fc_scratch_sums": fc_scratch_sums,
        "fc_sums": fc_sums,
        "lstm": lstm,
        "lstm_sums": lstm_sums,
        "matmul_quantization": matmul_quantization,
        "matmul_sums": matmul_sums,
        "svdf_sums": svdf_sums,
    },
)
