"""CMSIS-NN 4.0.0 (git ca5dc343): the version that the firmware stub builds with.

F2. Sizes of its arm_*_get_buffer_size functions, under the same glue as the pinned version's: asked for int8 and int16
CONV_2D, int8 DEPTHWISE_CONV_2D and AVERAGE_POOL_2D, nothing where the size is 0. It has no transposed, grouped or int4
convolution, no batched matrix product and no LSTM as TFLM has it; those but int4 run other kernels. TFLM of today does
not link with it, so there is no tail.
"""

from __future__ import annotations

from arena_codegen.kernels import reference
from arena_codegen.kernels.call import Call, Unknown
from arena_codegen.kernels.cmsis_nn import CHANNELS_PER_BLOCK, Window, average_pool, window
from arena_codegen.kernels.steps import KernelTable
from arena_codegen.planning.problem import align_up

VERSION = "CMSIS-NN 4.0.0"


def convolve_s8(isa: str, w: Window) -> int:
    """arm_convolve_wrapper_s8_get_buffer_size, and what it calls (arm_convolve_s8.c, arm_convolve_1_x_n_s8.c)."""
    if w.is_pointwise:
        return 0
    if isa != "mve":
        return 4 * w.column
    one_row = w.in_h == 1 and w.out_w % 4 == 0 and w.dilation_w == 1 and w.kernel_h == 1
    return 0 if one_row else 4 * align_up(w.column, 8)


def convolve_s16(isa: str, w: Window) -> int:
    """arm_convolve_wrapper_s16_get_buffer_size (arm_convolve_wrapper_s16.c, arm_convolve_fast_s16.c)."""
    return 4 * w.column if isa == "dsp" and w.column < 512 and not w.is_dilated else 0


def conv(call: Call) -> tuple[int, ...]:
    """CONV_2D; a grouped one runs the reference kernel, which needs nothing."""
    _refuse_int4(call)
    size = {"INT8": convolve_s8, "INT16": convolve_s16}.get(call.input(0).dtype.name)
    w = window(call)
    if size is None or w.in_ch != w.filter_ch:
        return ()
    return (size(call.isa, w),) if size(call.isa, w) else ()


def depthwise(call: Call) -> tuple[int, ...]:
    """DEPTHWISE_CONV_2D: 3×3 too (arm_depthwise_conv_wrapper_s8.c, arm_depthwise_conv_s8_opt.c)."""
    _refuse_int4(call)
    w = window(call)
    if call.input(0).dtype.name != "INT8" or w.in_ch != w.out_ch or w.batch != 1 or w.is_dilated:
        return ()
    if call.isa == "mve":
        return (4 * CHANNELS_PER_BLOCK * w.kernel_h * w.kernel_w,)
    return (2 * w.column,) if call.isa == "dsp" else ()


def fully_connected(call: Call) -> tuple[int, ...]:
    """Nothing: arm_fully_connected_s8_get_buffer_size and its s16 sibling say 0."""
    _refuse_int4(call)
    return ()


def lstm(call: Call) -> tuple[int, ...]:
    """Nothing: that of 4.0.0 has another interface, so the firmware stub computes it itself, in output and state."""
    return ()


def _refuse_int4(call: Call) -> None:
    if call.input(1).dtype.name == "INT4":
        raise Unknown("CMSIS-NN 4.0.0 has no int4 filters")


TABLE = KernelTable(
    {},
    {},
    reference.PREPARE
    | {
        "AVERAGE_POOL_2D": "S.average_pool",
        "CONV_2D": "S.conv",
        "DEPTHWISE_CONV_2D": "S.depthwise",
        "FULLY_CONNECTED": "S.fully_connected",
    },
    reference.FORMULAS
    | {
        "average_pool": average_pool,
        "conv": conv,
        "depthwise": depthwise,
        "fully_connected": fully_connected,
        "lstm": lstm,
    },
)
