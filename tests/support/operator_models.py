"""A model of one operator for each operator of TFLM, in the types and shapes that decide what its kernel asks for.

A tensor is written `INT8 1,8,8,4`: element type and shape. `=` in front makes a constant, `:1,2` behind gives its
values (zeros without), `@0.5,-128` scale and zero point, `*8/3` eight scales along axis 3. INT8 and INT16 have the
scale 0.5 where nothing is said; `-` is an absent optional input.
"""

from __future__ import annotations

import re

import numpy as np

from tests.support.model_builder import Graph, build

_TENSOR = re.compile(r"(=?)(\w+) ([\d,]*|-)(?:@([\d.e-]+),(-?\d+))?(?:\*(\d+)/(\d))?(?::([\d,.-]+))?")
_NUMPY = {"INT8": "i1", "UINT8": "u1", "INT16": "<i2", "INT32": "<i4", "INT64": "<i8", "FLOAT32": "<f4", "BOOL": "?"}
_WIDTHS = {"INT4": 0.5}

SIGMOID, TANH = "@0.00390625,-128", "@0.0078125,0"
SAME, VALID = 0, 1


def one(name: str, inputs: list[str], outputs: list[str], custom: bytes | None = None, **options: object) -> bytes:
    """A model of one operator; its inputs that are no constants are the model's inputs, its outputs the model's."""
    g = Graph()
    reads = [_add(g, f"in{index}", text) for index, text in enumerate(inputs)]
    writes = [_add(g, f"out{index}", text) for index, text in enumerate(outputs)]
    g.inputs = [tensor for tensor, text in zip(reads, inputs, strict=True) if text != "-" and not text.startswith("=")]
    g.outputs = list(writes)
    more = {} if custom is None else {"custom": True, "custom_options": custom}
    g.op(name, reads, writes, **more, **options)
    return build(g)


def _add(g: Graph, name: str, text: str) -> int:
    if text == "-":
        return -1
    found = _TENSOR.fullmatch(text)
    assert found, text
    constant, dtype, dims, scale, zero, count, axis, values = found.groups()
    shape = tuple(int(size) for size in dims.split(",")) if dims else ()
    if scale is None and dtype in ("INT8", "INT16", "INT4", "UINT8"):
        scale, zero = "0.5", "0"
    quantization = {}
    if scale is not None:
        many = int(count or 1)
        quantization = {"scale": [float(scale)] * many, "zero_point": [int(zero)] * many, "axis": int(axis or 0)}
    data = _data(dtype, shape, values) if constant else None
    return g.tensor(name, shape, dtype, data=data, **quantization)


def _data(dtype: str, shape: tuple[int, ...], values: str | None) -> bytes:
    count = int(np.prod(shape, dtype=int))
    if dtype in _WIDTHS:
        return bytes((count + 1) // 2)
    numbers = [float(number) for number in values.split(",")] if values else [0] * count
    return np.asarray(numbers, _NUMPY[dtype]).tobytes()


def _conv(
    name: str, x: str, w: str, bias: str, y: str, stride: int = 1, dilation: int = 1, multiplier: int = 1
) -> bytes:
    more = {"depth_multiplier": multiplier} if name == "DEPTHWISE_CONV_2D" else {}
    return one(
        name,
        [x, w, bias],
        [y],
        padding=SAME,
        stride_w=stride,
        stride_h=stride,
        dilation_w_factor=dilation,
        dilation_h_factor=dilation,
        **more,
    )


def _pool(name: str, dtype: str) -> bytes:
    return one(
        name, [f"{dtype} 1,8,8,3"], [f"{dtype} 1,4,4,3"],
        padding=VALID, stride_w=2, stride_h=2, filter_width=2, filter_height=2,
    )  # fmt: skip


def _transpose_conv(dtype: str, channels: int, stride: int, bias: str, kernel: int = 3) -> bytes:
    size = 4 * stride
    weights = "FLOAT32" if dtype == "FLOAT32" else "INT8"
    scales = "" if dtype == "FLOAT32" else "@0.1,0*8/0"
    shape = f"=INT32 4:1,{size},{size},8"
    taps = f"={weights} 8,{kernel},{kernel},{channels}{scales}"
    inputs, outputs = [shape, taps, f"{dtype} 1,4,4,{channels}", bias], [f"{dtype} 1,{size},{size},8"]
    return one("TRANSPOSE_CONV", inputs, outputs, padding=SAME, stride_w=stride, stride_h=stride)


def _reduce(name: str, dtype: str) -> bytes:
    return one(name, [f"{dtype} 1,6,6,5", "=INT32 2:1,2"], [f"{dtype} 1,1,1,5"], keep_dims=True)


def _matmul(dtype: str, adj_x: bool, adj_y: bool) -> bytes:
    x = "2,5,4" if adj_x else "2,4,5"
    y = "2,3,5" if adj_y else "2,5,3"
    return one("BATCH_MATMUL", [f"{dtype} {x}", f"{dtype} {y}"], [f"{dtype} 2,4,3"], adj_x=adj_x, adj_y=adj_y)


def _elementwise(models: dict[str, bytes]) -> None:
    unary = "ABS CEIL COS EXP FLOOR LOG NEG ROUND RSQRT SIN SQRT SQUARE ZEROS_LIKE RELU RELU6 ELU"
    quantized = "ABS RELU RELU6 ELU HARD_SWISH LEAKY_RELU QUANTIZE"
    binary = "ADD SUB MUL DIV MAXIMUM MINIMUM SQUARED_DIFFERENCE PRELU"
    for name in unary.split():
        models[name] = one(name, ["FLOAT32 1,5,6"], ["FLOAT32 1,5,6"])
    for name in quantized.split():
        models[f"{name} int8"] = one(name, ["INT8 1,5,6"], ["INT8 1,5,6"])
    for name in f"{binary} FLOOR_DIV FLOOR_MOD".split():
        models[name] = one(name, ["FLOAT32 1,5,6", "FLOAT32 1,5,6"], ["FLOAT32 1,5,6"])
    for name in binary.split():
        models[f"{name} int8"] = one(name, ["INT8 1,5,6", "INT8 1,5,6"], ["INT8 1,5,6"])
    for name in ["EQUAL", "NOT_EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL"]:
        models[name] = one(name, ["INT8 1,5,6", "INT8 1,5,6"], ["BOOL 1,5,6"])
    for name in ["LOGICAL_AND", "LOGICAL_OR"]:
        models[name] = one(name, ["BOOL 1,5", "BOOL 1,5"], ["BOOL 1,5"])
    models["LOGICAL_NOT"] = one("LOGICAL_NOT", ["BOOL 1,5"], ["BOOL 1,5"])
    models["LOGISTIC int8"] = one("LOGISTIC", ["INT8 1,5,6"], [f"INT8 1,5,6{SIGMOID}"])
    models["TANH int8"] = one("TANH", ["INT8 1,5,6"], [f"INT8 1,5,6{TANH}"])
    models["SOFTMAX int8"] = one("SOFTMAX", ["INT8 1,5,6"], [f"INT8 1,5,6{SIGMOID}"], beta=1.0)
    models["SOFTMAX int16"] = one("SOFTMAX", ["INT16 1,30"], ["INT16 1,30@0.000030517578125,0"], beta=1.0)
    models["SOFTMAX"] = one("SOFTMAX", ["FLOAT32 1,30"], ["FLOAT32 1,30"], beta=1.0)
    models["LOG_SOFTMAX"] = one("LOG_SOFTMAX", ["FLOAT32 1,30"], ["FLOAT32 1,30"])
    models["LOG_SOFTMAX int8"] = one("LOG_SOFTMAX", ["INT8 1,30"], ["INT8 1,30@0.0625,127"])
    models["DEQUANTIZE"] = one("DEQUANTIZE", ["INT8 1,5,6"], ["FLOAT32 1,5,6"])
    models["QUANTIZE"] = one("QUANTIZE", ["FLOAT32 1,5,6"], ["INT8 1,5,6"])
    models["CAST"] = one("CAST", ["INT8 1,5,6"], ["FLOAT32 1,5,6"], in_data_type=9, out_data_type=0)
    models["ADD_N"] = one("ADD_N", ["FLOAT32 1,5"] * 3, ["FLOAT32 1,5"])
    models["ADD_N int8"] = one("ADD_N", ["INT8 1,5"] * 3, ["INT8 1,5"])
    models["CUMSUM"] = one("CUMSUM", ["FLOAT32 1,5,6", "=INT32 1:1"], ["FLOAT32 1,5,6"])
    models["CUMSUM int8"] = one("CUMSUM", ["INT8 1,5,6", "=INT32 1:1"], ["INT8 1,5,6"])
    models["L2_NORMALIZATION"] = one("L2_NORMALIZATION", ["FLOAT32 1,5"], ["FLOAT32 1,5"])
    models["SELECT_V2"] = one("SELECT_V2", ["BOOL 1,5", "FLOAT32 1,5", "FLOAT32 1,5"], ["FLOAT32 1,5"])


def _convolutions(models: dict[str, bytes]) -> None:
    x, bias, y = "INT8 1,9,8,4", "=INT32 8", "INT8 1,9,8,8"
    conv, depthwise = "CONV_2D", "DEPTHWISE_CONV_2D"
    models["CONV_2D 3x3"] = _conv(conv, x, "=INT8 8,3,3,4@0.1,0*8/0", bias, y)
    models["CONV_2D 3x3 no bias"] = _conv(conv, x, "=INT8 8,3,3,4@0.1,0*8/0", "-", y)
    models["CONV_2D per tensor"] = _conv(conv, x, "=INT8 8,3,3,4@0.1,0", bias, y)
    models["CONV_2D 1x1"] = _conv(conv, x, "=INT8 8,1,1,4@0.1,0*8/0", bias, y)
    models["CONV_2D 1x1 stride 2"] = _conv(conv, x, "=INT8 8,1,1,4@0.1,0*8/0", bias, "INT8 1,5,4,8", stride=2)
    models["CONV_2D odd patch"] = _conv(conv, "INT8 1,9,8,3", "=INT8 8,3,3,3@0.1,0*8/0", bias, y)
    models["CONV_2D dilated"] = _conv(conv, x, "=INT8 8,3,3,4@0.1,0*8/0", bias, y, dilation=2)
    models["CONV_2D grouped"] = _conv(conv, x, "=INT8 8,3,3,2@0.1,0*8/0", bias, y)
    models["CONV_2D grouped 1x1"] = _conv(conv, x, "=INT8 8,1,1,2@0.1,0*8/0", bias, y)
    models["CONV_2D row"] = _conv(conv, "INT8 1,1,16,4", "=INT8 8,1,3,4@0.1,0*8/0", bias, "INT8 1,1,16,8")
    models["CONV_2D int4"] = _conv(conv, x, "=INT4 8,3,3,4@0.1,0*8/0", bias, y)
    models["CONV_2D int16"] = _conv(conv, "INT16 1,9,8,4", "=INT8 8,3,3,4@0.1,0*8/0", "=INT64 8", "INT16 1,9,8,8")
    models["CONV_2D int16 1x1"] = _conv(conv, "INT16 1,9,8,4", "=INT8 8,1,1,4@0.1,0*8/0", "=INT64 8", "INT16 1,9,8,8")
    models["CONV_2D float"] = _conv(conv, "FLOAT32 1,9,8,4", "=FLOAT32 8,3,3,4", "=FLOAT32 8", "FLOAT32 1,9,8,8")
    one_each, bias = "INT8 1,9,8,4", "=INT32 4"
    models["DEPTHWISE 3x3"] = _conv(depthwise, x, "=INT8 1,3,3,4@0.1,0*4/3", bias, one_each)
    models["DEPTHWISE 5x5"] = _conv(depthwise, x, "=INT8 1,5,5,4@0.1,0*4/3", bias, one_each)
    models["DEPTHWISE dilated"] = _conv(depthwise, x, "=INT8 1,5,5,4@0.1,0*4/3", bias, one_each, dilation=2)
    models["DEPTHWISE batch 2"] = _conv(depthwise, "INT8 2,9,8,4", "=INT8 1,5,5,4@0.1,0*4/3", bias, "INT8 2,9,8,4")
    models["DEPTHWISE doubled"] = _conv(depthwise, x, "=INT8 1,5,5,8@0.1,0*8/3", "=INT32 8", y, multiplier=2)
    models["DEPTHWISE int4"] = _conv(depthwise, x, "=INT4 1,3,3,4@0.1,0*4/3", bias, one_each)
    models["DEPTHWISE int16"] = _conv(
        depthwise, "INT16 1,9,8,4", "=INT8 1,3,3,4@0.1,0*4/3", "=INT64 4", "INT16 1,9,8,4"
    )
    models["DEPTHWISE float"] = _conv(depthwise, "FLOAT32 1,9,8,4", "=FLOAT32 1,3,3,4", "=FLOAT32 4", "FLOAT32 1,9,8,4")
    models["TRANSPOSE_CONV"] = _transpose_conv("INT8", 4, 2, "=INT32 8")
    models["TRANSPOSE_CONV deep"] = _transpose_conv("INT8", 20, 2, "=INT32 8")
    models["TRANSPOSE_CONV stride 3"] = _transpose_conv("INT8", 20, 3, "=INT32 8", kernel=2)
    models["TRANSPOSE_CONV int16"] = _transpose_conv("INT16", 4, 2, "=INT64 8")
    models["TRANSPOSE_CONV float"] = _transpose_conv("FLOAT32", 4, 2, "=FLOAT32 8")


def _dense(models: dict[str, bytes]) -> None:
    fc = "FULLY_CONNECTED"
    models["FULLY_CONNECTED"] = one(fc, ["INT8 1,12", "=INT8 5,12@0.1,0", "=INT32 5@0.05,0"], ["INT8 1,5"])
    models["FULLY_CONNECTED no bias"] = one(fc, ["INT8 1,12", "=INT8 5,12@0.1,0", "-"], ["INT8 1,5"])
    models["FULLY_CONNECTED per channel"] = one(
        fc, ["INT8 1,12", "=INT8 5,12@0.1,0*5/0", "=INT32 5@0.05,0"], ["INT8 1,5"]
    )
    models["FULLY_CONNECTED int4"] = one(fc, ["INT8 1,12", "=INT4 5,12@0.1,0", "=INT32 5@0.05,0"], ["INT8 1,5"])
    models["FULLY_CONNECTED int16"] = one(fc, ["INT16 1,12", "=INT8 5,12@0.1,0", "=INT64 5@0.05,0"], ["INT16 1,5"])
    models["FULLY_CONNECTED float"] = one(fc, ["FLOAT32 1,12", "=FLOAT32 5,12", "=FLOAT32 5"], ["FLOAT32 1,5"])
    models["FULLY_CONNECTED rank 3 per channel"] = one(
        fc, ["INT8 1,3,12", "=INT8 5,12@0.1,0*5/0", "=INT32 5@0.05,0"], ["INT8 1,3,5"], keep_num_dims=True
    )
    models["FULLY_CONNECTED rank 3 odd"] = one(
        fc, ["INT8 1,3,11", "=INT8 5,11@0.1,0", "=INT32 5@0.05,0"], ["INT8 1,3,5"], keep_num_dims=True
    )
    for dtype in ("FLOAT32", "INT8", "INT16"):
        for adj_x, adj_y in ((False, False), (True, False), (False, True), (True, True)):
            models[f"BATCH_MATMUL {dtype} {'x' * adj_x}{'y' * adj_y}".strip()] = _matmul(dtype, adj_x, adj_y)
    models["EMBEDDING_LOOKUP"] = one("EMBEDDING_LOOKUP", ["INT32 3", "=FLOAT32 7,5"], ["FLOAT32 3,5"])


def _pools(models: dict[str, bytes]) -> None:
    for dtype in ("INT8", "INT16", "FLOAT32"):
        models[f"AVERAGE_POOL_2D {dtype}"] = _pool("AVERAGE_POOL_2D", dtype)
        models[f"MAX_POOL_2D {dtype}"] = _pool("MAX_POOL_2D", dtype)
        models[f"MEAN {dtype}"] = _reduce("MEAN", dtype)
        models[f"SUM {dtype}"] = _reduce("SUM", dtype)
    models["L2_POOL_2D"] = _pool("L2_POOL_2D", "FLOAT32")
    for name in ("REDUCE_MAX", "REDUCE_MIN"):
        models[name] = _reduce(name, "INT8")
        models[f"{name} float"] = _reduce(name, "FLOAT32")
    models["REDUCE_ALL"] = _reduce("REDUCE_ALL", "BOOL")
    for name in ("ARG_MAX", "ARG_MIN"):
        models[name] = one(name, ["INT8 1,5,6", "=INT32 1:2"], ["INT32 1,5"], output_type=2)


def _moves(models: dict[str, bytes]) -> None:
    models["RESHAPE"] = one("RESHAPE", ["INT8 1,5,6", "=INT32 2:1,30"], ["INT8 1,30"])
    models["SQUEEZE"] = one("SQUEEZE", ["INT8 1,5,6"], ["INT8 5,6"], squeeze_dims=[0])
    models["EXPAND_DIMS"] = one("EXPAND_DIMS", ["INT8 5,6", "=INT32 1:0"], ["INT8 1,5,6"])
    models["SHAPE"] = one("SHAPE", ["INT8 1,5,6"], ["INT32 3"], out_type=2)
    models["CONCATENATION"] = one("CONCATENATION", ["INT8 1,5", "INT8 1,6", "INT8 1,7"], ["INT8 1,18"], axis=1)
    models["PACK"] = one("PACK", ["INT8 5", "INT8 5"], ["INT8 2,5"], axis=0, values_count=2)
    models["UNPACK"] = one("UNPACK", ["INT8 2,5"], ["INT8 5", "INT8 5"], axis=0, num=2)
    models["SPLIT"] = one("SPLIT", ["=INT32 :1", "INT8 1,6"], ["INT8 1,3", "INT8 1,3"], num_splits=2)
    models["SPLIT_V"] = one(
        "SPLIT_V", ["INT8 1,6", "=INT32 2:2,4", "=INT32 :1"], ["INT8 1,2", "INT8 1,4"], num_splits=2
    )
    models["PAD"] = one("PAD", ["INT8 1,5,6,2", "=INT32 4,2:0,0,1,1,2,2,0,0"], ["INT8 1,7,10,2"])
    models["PADV2"] = one("PADV2", ["INT8 1,5", "=INT32 2,2:0,0,1,1", "=INT8 1"], ["INT8 1,7"])
    models["MIRROR_PAD"] = one("MIRROR_PAD", ["INT8 1,5", "=INT32 2,2:0,0,1,1"], ["INT8 1,7"], mode=0)
    models["TRANSPOSE"] = one("TRANSPOSE", ["INT8 1,5,6", "=INT32 3:0,2,1"], ["INT8 1,6,5"])
    models["SLICE"] = one("SLICE", ["INT8 1,5,6", "=INT32 3:0,1,1", "=INT32 3:1,2,3"], ["INT8 1,2,3"])
    models["STRIDED_SLICE"] = one(
        "STRIDED_SLICE",
        ["INT8 1,5,6", "=INT32 3:0,1,1", "=INT32 3:1,3,4", "=INT32 3:1,1,1"],
        ["INT8 1,2,3"],
    )
    models["GATHER"] = one("GATHER", ["FLOAT32 5,6", "=INT32 3:0,1,2"], ["FLOAT32 3,6"])
    models["GATHER_ND"] = one("GATHER_ND", ["FLOAT32 5,6", "=INT32 3,1:0,1,2"], ["FLOAT32 3,6"])
    models["FILL"] = one("FILL", ["=INT32 2:3,4", "FLOAT32 "], ["FLOAT32 3,4"])
    models["BROADCAST_TO"] = one("BROADCAST_TO", ["FLOAT32 1,4", "=INT32 2:3,4"], ["FLOAT32 3,4"])
    models["BROADCAST_ARGS"] = one("BROADCAST_ARGS", ["INT32 2", "INT32 2"], ["INT32 2"])
    models["REVERSE_V2"] = one("REVERSE_V2", ["FLOAT32 1,5", "=INT32 1:1"], ["FLOAT32 1,5"])
    models["DYNAMIC_UPDATE_SLICE"] = one(
        "DYNAMIC_UPDATE_SLICE", ["FLOAT32 4,5", "FLOAT32 2,2", "INT32 2"], ["FLOAT32 4,5"]
    )
    models["DEPTH_TO_SPACE"] = one("DEPTH_TO_SPACE", ["INT8 1,2,2,8"], ["INT8 1,4,4,2"], block_size=2)
    models["SPACE_TO_DEPTH"] = one("SPACE_TO_DEPTH", ["INT8 1,4,4,2"], ["INT8 1,2,2,8"], block_size=2)
    blocks = ["=INT32 2:2,2", "=INT32 2,2"]
    models["SPACE_TO_BATCH_ND"] = one("SPACE_TO_BATCH_ND", ["INT8 1,4,4,2", *blocks], ["INT8 4,2,2,2"])
    models["BATCH_TO_SPACE_ND"] = one("BATCH_TO_SPACE_ND", ["INT8 4,2,2,2", *blocks], ["INT8 1,4,4,2"])
    for name in ("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR"):
        models[name] = one(name, ["INT8 1,4,4,2", "=INT32 2:8,8"], ["INT8 1,8,8,2"])


def operator_models() -> dict[str, bytes]:
    """All of them, by a name that says the operator and the case."""
    models: dict[str, bytes] = {}
    for add in (_elementwise, _convolutions, _dense, _pools, _moves):
        add(models)
    return models
