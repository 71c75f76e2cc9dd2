"""TFLM's reference kernels: which output may take over which input, and how far it may trail.

F2. Derived from tensorflow/lite/micro/kernels and tensorflow/lite/kernels/internal/reference of TFLM 90b983c2; the
functions are named. All loops there go from the first output element to the last, except where it says otherwise.
"""

from __future__ import annotations

from types import MappingProxyType

from arena_codegen.kernels.base import ShareRule
from arena_codegen.kernels.call import Call, Unknown, dims
from arena_codegen.kernels.share_copies import pad, slice_, strided_slice
from arena_codegen.kernels.share_windows import sweep
from arena_codegen.kernels.sharing import (
    OVERLAP,
    Apart,
    ShareTable,
    Sharing,
    anywhere,
    apart,
    binary,
    consumed,
    elementwise,
    several,
    unary,
    view,
)


def conv(call: Call) -> tuple[ShareRule, ...]:
    """One output element at a time, each of which reads its window again."""
    _, kernel_h, kernel_w, filter_ch = dims(call.input(1), 4)
    dilation = (call.positive("dilation_h_factor"), call.positive("dilation_w_factor"))
    windows = sweep(call, (kernel_h, kernel_w), dilation)
    groups = windows.in_ch // filter_ch
    if groups * filter_ch != windows.in_ch or windows.out_ch % groups:
        raise Unknown(f"{filter_ch} channels of the filter do not divide {windows.in_ch}")
    why = "each element reads its window, windows move upwards (conv.h, reference_ops::Conv, ConvPerChannel)"
    return (ShareRule(0, 0, OVERLAP, windows.by_element(groups), why),)


def depthwise(call: Call) -> tuple[ShareRule, ...]:
    """One output element at a time, which reads one channel of its window."""
    _, kernel_h, kernel_w, _ = dims(call.input(1), 4)
    dilation = (call.positive("dilation_h_factor"), call.positive("dilation_w_factor"))
    windows = sweep(call, (kernel_h, kernel_w), dilation)
    if windows.in_ch * call.positive("depth_multiplier") != windows.out_ch:
        raise Unknown("depth_multiplier does not fit the shapes")
    why = "each element reads one channel of its window (depthwise_conv.h, DepthwiseConvPerChannel; DepthwiseConv)"
    return (ShareRule(0, 0, OVERLAP, windows.by_element(windows.in_ch), why),)


def pool(call: Call) -> tuple[ShareRule, ...]:
    """One output element at a time, which reads one channel of its window."""
    windows = sweep(call, (call.positive("filter_height"), call.positive("filter_width")))
    if windows.in_ch != windows.out_ch:
        raise Unknown("a pool that changes the number of channels")
    why = "each element reads one channel of its window (pooling.h, AveragePool, MaxPool, L2Pool)"
    return (ShareRule(0, 0, OVERLAP, windows.by_element(windows.in_ch), why),)


def softmax(call: Call) -> tuple[ShareRule, ...]:
    """Rows are read for their maximum and their sum before their first element is written."""
    return elementwise(call, 0, "softmax.h, reference_ops::Softmax, SoftmaxInt16; row by row")


def transpose_conv(call: Call) -> tuple[ShareRule, ...]:
    """Integers are summed up in a scratch buffer, floats in the output."""
    if call.input(2).dtype.name not in ("INT8", "INT16"):
        raise Apart("for floats it clears the output first, and adds to it")
    return (anywhere(call, 2, "integer_ops/transpose_conv.h, reference_integer_ops::TransposeConv"),)


def _each(sharing: Sharing, names: str) -> dict[str, Sharing]:
    return dict.fromkeys(names.split(), sharing)


RULES: MappingProxyType[str, Sharing] = MappingProxyType(
    {
        "RESHAPE": view("reshape.cc, EvalReshapeReference"),
        "SQUEEZE": view("squeeze.cc, SqueezeEval"),
        "EXPAND_DIMS": view("expand_dims.cc, ExpandDimsEval"),
        "CAST": unary("cast.cc, copyCast"),
        "DEQUANTIZE": unary("dequantize.h, reference_ops::Dequantize"),
        "ELU": unary("elu.cc, EvalUsingLookupTable; elu.h, reference_ops::Elu"),
        "HARD_SWISH": unary("hard_swish.h, reference_ops::HardSwish"),
        "L2_NORMALIZATION": unary("l2normalization.h, L2Normalization; row by row"),
        "LEAKY_RELU": unary("leaky_relu.h, LeakyRelu, QuantizeLeakyRelu"),
        "LOGISTIC": unary("logistic.h, Logistic"),
        "LOG_SOFTMAX": unary("log_softmax.h, reference_ops::LogSoftmax; row by row"),
        "QUANTIZE": unary("quantize.h, AffineQuantize; requantize.h, Requantize"),
        "SOFTMAX": softmax,
        "TANH": unary("tanh.h, Tanh"),
        **_each(unary("activations_common.cc, ReluQuantized, ReluFloat, Relu6Quantized, Relu6Float"), "RELU RELU6"),
        **_each(unary("elementwise.cc, EvalImpl"), "ABS COS LOG LOGICAL_NOT RSQRT SIN SQRT SQUARE"),
        **_each(unary("ceil.h, exp.h, floor.h, neg.h, round.h"), "CEIL EXP FLOOR NEG ROUND"),
        "ADD": binary("add.h, Add, BroadcastAdd6DSlow"),
        "DIV": binary("div.h, Div, BroadcastDivSlow"),
        "MUL": binary("mul.h, Mul, BroadcastMul6DSlow"),
        "PRELU": binary("prelu.h, BroadcastPrelu4DSlow"),
        "SQUARED_DIFFERENCE": binary("squared_difference.cc, BinaryFunction, BroadcastBinaryFunction4DSlow"),
        "SUB": binary("sub.h, Sub, SubWithActivation, BroadcastSubSlow"),
        **_each(binary("maximum_minimum.h, MaximumMinimumBroadcastSlow", broadcast=False), "MAXIMUM MINIMUM"),
        **_each(binary("binary_function.h, BinaryFunction"), "FLOOR_DIV FLOOR_MOD LOGICAL_AND LOGICAL_OR"),
        **_each(
            binary("comparisons.h, ComparisonImpl, BroadcastComparison4DSlowImpl"),
            "EQUAL GREATER GREATER_EQUAL LESS LESS_EQUAL NOT_EQUAL",
        ),
        "ADD_N": several("add_n.h, reference_ops::AddN"),
        "CONV_2D": conv,
        "DEPTHWISE_CONV_2D": depthwise,
        **_each(pool, "AVERAGE_POOL_2D L2_POOL_2D MAX_POOL_2D"),
        "PAD": pad,
        "PADV2": pad,
        "SLICE": slice_,
        "STRIDED_SLICE": strided_slice,
        "SVDF": consumed("svdf_common.cc, EvalIntegerSvdfReference, EvalFloatSvdfReference"),
        "TRANSPOSE_CONV": transpose_conv,
        "BATCH_MATMUL": apart("each output element reads a whole row and a whole column"),
        "CONCATENATION": apart("it copies its inputs in turns"),
        "FULLY_CONNECTED": apart("each output element reads the whole input row"),
        "TRANSPOSE": apart("it reads in another order than it writes"),
        "UNIDIRECTIONAL_SEQUENCE_LSTM": apart("its gates read the input and the output of the step before"),
        **_each(apart("it reads the input in the order of its axes"), "MEAN SUM REDUCE_ALL REDUCE_MAX REDUCE_MIN"),
        **_each(apart("it copies between one tensor and several"), "PACK SPLIT SPLIT_V UNPACK"),
        **_each(apart("it reads pixels again and again"), "RESIZE_BILINEAR RESIZE_NEAREST_NEIGHBOR"),
        **_each(apart("it calls other operators"), "CALL_ONCE IF WHILE"),
    }
)

TABLE = ShareTable(RULES)
