"""TFLM's reference kernels: what each Init and Prepare asks for.

F2. Read from tensorflow/lite/micro/kernels of TFLM 90b983c2, one source file an operator; the order of words is the
order of the calls there, since TFLM's allocator sees them in that order. OP_DATA is what Init keeps in user_data:
sizeof as arm-none-eabi-gcc has it for a 32-bit Cortex-M. Operators that TFLM does not have are in no table.
"""

from __future__ import annotations

from types import MappingProxyType

from arena_codegen.kernels import signal
from arena_codegen.kernels.call import Call, dim, dims, elements, scales, width
from arena_codegen.kernels.steps import INT, Formula, KernelTable, fixed

VERSION = "TFLM reference kernels 90b983c2"


def per_channel(axis: int, filter_input: int = 1) -> Formula:
    """Two int32 a channel of the filter (conv_common.cc, depthwise_conv_common.cc, transpose_conv.cc)."""
    return lambda call: (INT * dim(call.input(filter_input), axis),) * 2


def per_channel_fc(call: Call) -> tuple[int, ...]:
    """The same for FULLY_CONNECTED, only where the filter has several scales (fully_connected_common.cc)."""
    count = scales(call.input(1))
    return (INT * count,) * 2 if call.input(0).dtype.name != "FLOAT32" and count > 1 else ()


def unpacked_filter(call: Call) -> tuple[int, ...]:
    """An int4 filter is unpacked, a byte an element (conv_common.cc, depthwise_conv_common.cc, fully_connected.cc)."""
    return (elements(call.input(1)),) if call.input(1).dtype.name == "INT4" else ()


def output_dims(call: Call) -> tuple[int, ...]:
    """The shape of the output, copied to be written (kernel_util.cc, CreateWritableTensorDimsWithCopy)."""
    return (INT * (1 + len(call.output().shape)),)


def stretched_dims(call: Call) -> tuple[int, ...]:
    """RESHAPE copies the shape only where the file has a −1 in it (reshape_common.cc)."""
    return output_dims(call) if call.output().stretched else ()


def _reduced(call: Call) -> tuple[int, int]:
    return INT * len(call.input(0).shape), INT * elements(call.input(1))


def mean(call: Call) -> tuple[int, ...]:
    """Sums where the input is quantised, then the iterator and the axes (reduce_common.cc, PrepareMeanOrSumHelper)."""
    sums = (INT * elements(call.output()),) if call.input(0).dtype.name in ("INT8", "INT16") else ()
    return sums + _reduced(call)


def mirror_pad(call: Call) -> tuple[int, ...]:
    """Two arrays of the input's rank (mirror_pad.cc)."""
    return (INT * len(call.input(0).shape),) * 2


def pointers(call: Call) -> tuple[int, ...]:
    """A pointer an input (add_n.cc)."""
    return (INT * len(call.operator.inputs),) if call.output().dtype.name in ("FLOAT32", "INT8") else ()


def svdf(call: Call) -> tuple[int, ...]:
    """Filter outputs, and where quantised unit outputs, 32 bits each (svdf_common.cc)."""
    batch, filters = dim(call.input(0), 0), dim(call.input(1), 0)
    first = INT * batch * filters
    if call.input(0).dtype.name != "INT8":
        return (first,)
    return (first, INT * batch * (filters // call.positive("rank")))


def transpose_conv(call: Call) -> tuple[int, ...]:
    """Accumulators of the whole output, 32 bits for int8, 64 for int16 (transpose_conv.cc)."""
    size = {"INT8": 4, "INT16": 8}.get(call.input(2).dtype.name)
    return (size * elements(call.output()),) if size else ()


def converted_bias(call: Call) -> tuple[int, ...]:
    """An int16 bias of an int16 TRANSPOSE_CONV becomes int64 (transpose_conv.cc, CalculateOpData)."""
    bias = call.find_input(3)
    wide = call.input(2).dtype.name == "INT16" and bias is not None and bias.dtype.name == "INT16"
    return (8 * elements(bias),) if wide and bias is not None else ()


def lstm_state(call: Call) -> int:
    """Elements of the state: batch × state (lstm_shared.h; lstm_eval_common.cc, CreateLstmSizeInfo)."""
    batch = dims(call.input(0), 3)[1 if call.option("time_major") else 0]
    return batch * dim(call.input(18), 1)


def lstm(call: Call) -> tuple[int, ...]:
    """Four gates, in the type of the cell state (unidirectional_sequence_lstm.cc)."""
    return (lstm_state(call) * width(call.input(19)),) * 4


def transposed(call: Call, position: int) -> tuple[int, ...]:
    """A transposed copy of an operand: TfLiteEvalTensor, its shape, and all of its bytes (batch_matmul.cc)."""
    tensor = call.input(position)
    return (12, INT * (1 + len(tensor.shape)), elements(tensor) * width(tensor))


def transposed_lhs(call: Call) -> tuple[int, ...]:
    return transposed(call, 0) if call.option("adj_x") else ()


def transposed_rhs(call: Call) -> tuple[int, ...]:
    return () if call.option("adj_y") else transposed(call, 1)


def quantized_matmul(call: Call) -> tuple[int, ...]:
    """QuantizationOpDataBatchMatmul (batch_matmul.h)."""
    return (28,) if call.input(0).dtype.name in ("INT8", "INT16") else ()


def for_int8(size: int) -> Formula:
    """Op data that Prepare asks for where the input is INT8 (add_n.cc, cumsum.cc, log_softmax.cc)."""
    return lambda call: (size,) if call.input(0).dtype.name == "INT8" else ()


def resource(call: Call) -> tuple[int, ...]:
    """The value of a resource variable; the first ASSIGN_VARIABLE allocates it (micro_resource_variable.cc)."""
    return (elements(call.input(1)) * width(call.input(1)),)


def softmax_tables(call: Call) -> tuple[int, ...]:
    """Two tables of 513 int16 (softmax_common.cc, InitializeLutForInt16)."""
    return (1026, 1026) if call.input(0).dtype.name == "INT16" else ()


def _same(program: str, names: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), program)


PREPARE = MappingProxyType(
    {
        **_same("", "ARG_MAX ARG_MIN CALL_ONCE FLOOR LOGICAL_AND LOGICAL_OR MAXIMUM MINIMUM NEG PACK SHAPE UNPACK"),
        **_same("", "VAR_HANDLE WHILE"),
        **_same("i0", "IF READ_VARIABLE RELU6 SPLIT"),
        **_same(
            "i0 o0", "ABS AVERAGE_POOL_2D BATCH_TO_SPACE_ND CAST CEIL COS DEQUANTIZE ELU EXP HARD_SWISH LEAKY_RELU"
        ),
        **_same("i0 o0", "L2_NORMALIZATION LOGICAL_NOT LOGISTIC MAX_POOL_2D QUANTIZE RELU ROUND RSQRT SIN SQRT SQUARE"),
        **_same("i0 o0", "LOG SPACE_TO_BATCH_ND SQUEEZE ZEROS_LIKE"),
        **_same("i0 i1", "EQUAL GREATER GREATER_EQUAL LESS LESS_EQUAL NOT_EQUAL"),
        **_same("i0 i1 o0", "ADD BROADCAST_ARGS BROADCAST_TO DIV EXPAND_DIMS FILL FLOOR_DIV FLOOR_MOD MUL PRELU"),
        **_same("i0 i1 o0", "RESIZE_BILINEAR RESIZE_NEAREST_NEIGHBOR REVERSE_V2 SQUARED_DIFFERENCE SUB TRANSPOSE"),
        **_same("i0 i1 i2 o0", "DYNAMIC_UPDATE_SLICE PAD PADV2 SELECT_V2 SLICE"),
        **_same("i0 o0 i1 S.mean i0 i1 o0?i0=INT8", "MEAN SUM"),
        **_same("i0 i1 o0?i0=INT8 i0 o0 i1 S.reduce", "REDUCE_MAX REDUCE_MIN"),
        **_same("i0 o0 P.output_dims", "DEPTH_TO_SPACE SPACE_TO_DEPTH"),
        **_same("i0 i1 o0 P.output_dims", "GATHER GATHER_ND"),
        "ADD_N": "i0 o0 i1+ P.add_n S.pointers",
        "ASSIGN_VARIABLE": "i1 P.resource",
        "BATCH_MATMUL": "i0 i1 o0 P.quantized P.lhs P.rhs P.output_dims",
        "CONCATENATION": "i0 o0 i0+",
        "CONV_2D": "o0 i0 i1 P.conv_channels i0 i1 i2 o0 S.filter",
        "CUMSUM": "i0 i1 o0 P.cumsum",
        "DEPTHWISE_CONV_2D": "o0 i0 i1 P.depthwise_channels S.filter i0 i1 i2 o0",
        "EMBEDDING_LOOKUP": "i0 i1 o0 P.output_dims P.embedding",
        "FULLY_CONNECTED": "i0 i1 i2 o0 S.filter P.fc_channels",
        "L2_POOL_2D": "o0 i0 P.output_dims",
        "LOG_SOFTMAX": "i0 o0 P.log_softmax",
        "MIRROR_PAD": "i0 i1 o0 S.mirror_pad",
        "REDUCE_ALL": "i0 o0 i1 i0 i1 o0?i0=INT8 S.reduce",
        "RESHAPE": "i0 o0 P.stretched_dims",
        "SOFTMAX": "i0 o0 P.softmax_tables",
        "SPLIT_V": "i2",
        "STRIDED_SLICE": "i0 i1 i2 i3 o0",
        "SVDF": "i0 i1 i2 i3 i4 o0 S.svdf",
        "TANH": "i0 i0 o0",
        "TRANSPOSE_CONV": "o0 i2 i1 P.transpose_channels S.accumulators "
        "i2?i2!FLOAT32 i1?i2!FLOAT32 i3?i2!FLOAT32 o0?i2!FLOAT32 S.bias",
        "UNIDIRECTIONAL_SEQUENCE_LSTM": "i0+ o0 S.lstm",
    }
    | signal.PREPARE
)

FORMULAS = MappingProxyType(
    {
        "accumulators": transpose_conv,
        "add_n": for_int8(40),
        "bias": converted_bias,
        "conv_channels": per_channel(0),
        "cumsum": for_int8(36),
        "depthwise_channels": per_channel(3),
        "embedding": fixed(8),
        "fc_channels": per_channel_fc,
        "filter": unpacked_filter,
        "lhs": transposed_lhs,
        "log_softmax": for_int8(28),
        "lstm": lstm,
        "mean": mean,
        "mirror_pad": mirror_pad,
        "output_dims": output_dims,
        "pointers": pointers,
        "quantized": quantized_matmul,
        "reduce": _reduced,
        "resource": resource,
        "rhs": transposed_rhs,
        "softmax_tables": softmax_tables,
        "stretched_dims": stretched_dims,
        "svdf": svdf,
        "transpose_channels": per_channel(0),
    }
    | signal.FORMULAS
)

_SIZES = {
    1: "SELECT_V2",
    4: "L2_NORMALIZATION SPACE_TO_BATCH_ND VAR_HANDLE",
    8: "CALL_ONCE IF RELU6 WHILE",
    16: "BATCH_MATMUL LOGISTIC TANH",
    20: "HARD_SWISH MIRROR_PAD",
    24: "CONCATENATION LEAKY_RELU",
    28: "ABS DIV PRELU RELU RSQRT",
    32: "AVERAGE_POOL_2D DEQUANTIZE EQUAL GREATER GREATER_EQUAL LESS LESS_EQUAL MAX_POOL_2D NOT_EQUAL QUANTIZE",
    36: "MUL SVDF",
    44: "MEAN REDUCE_ALL REDUCE_MAX REDUCE_MIN SUM",
    48: "FULLY_CONNECTED",
    52: "SUB",
    56: "CONV_2D DEPTHWISE_CONV_2D PAD PADV2 SOFTMAX",
    60: "ADD",
    72: "TRANSPOSE_CONV",
    84: "STRIDED_SLICE",
    112: "SQUARED_DIFFERENCE",
    256: "ELU",
    688: "UNIDIRECTIONAL_SEQUENCE_LSTM",
}
OP_DATA = MappingProxyType({name: size for size, names in _SIZES.items() for name in names.split()} | signal.OP_DATA)

TABLE = KernelTable(OP_DATA, signal.INIT, PREPARE, FORMULAS)
