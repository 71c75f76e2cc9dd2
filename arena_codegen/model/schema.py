"""F1. What the `tflite` package knows about the file format, as plain data: tables, operators and element types.

The accessors of the generated classes are asked, once for each class, which slot they read and as what; reading itself
is `flat.py`'s work. So no slot number is written down here, and `OperatorCode.BuiltinCode()`, which tflite 2.18.0
patches to return the deprecated byte for codes below 127, gives its raw field like any other.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import tflite

from arena_codegen.model.flat import Field, Layout, reader
from arena_codegen.model.types import DType

IDENTIFIER = b"TFL3"
VERSION = 3


class _Probe:
    """Stands in for a flatbuffers table, and notes what an accessor asks of it."""

    Pos = 0
    Bytes = b""

    def __init__(self, present: bool) -> None:
        self.present = present
        self.slot: int | None = None
        self.kind = ""
        self.many = False

    def Offset(self, slot: int) -> int:
        self.slot = self.slot or slot // 2
        return int(self.present)

    def Vector(self, _: int) -> int:
        self.many = True
        return 0

    def VectorLen(self, _: int) -> int:
        self.many = True
        return 0

    def Get(self, flags: Any, _: int) -> int:
        self.kind = self.kind or flags.packer_type.format
        return 0

    def String(self, _: int) -> bytes:
        self.kind = "string"
        return b""

    def Indirect(self, _: int) -> int:
        self.kind = "table"
        return 0

    def Union(self, *_: Any) -> None:
        self.kind = "table"


def _ask(cls: type, name: str, present: bool) -> tuple[_Probe, Any]:
    """What the accessor `name` did to a probe, and what it returned."""
    instance, probe = cls(), _Probe(present)
    instance._tab = probe
    accessor = getattr(instance, name)
    takes_index = accessor.__func__.__code__.co_argcount == 2
    return probe, accessor(0) if takes_index else accessor()


_NO_FIELD = re.compile(r"GetRootAs|Init$|.*(AsNumpy|Length|IsNone|HasIdentifier)$|_")


@cache
def layout(cls: type) -> Layout:
    """Every field of a table of the schema, in the order of the schema."""
    fields = []
    for name, member in vars(cls).items():
        if _NO_FIELD.match(name) or not callable(member):
            continue
        probe, _ = _ask(cls, name, present=True)
        default = () if probe.many else _ask(cls, name, present=False)[1]
        read = reader(probe.kind, probe.many)
        fields.append(Field(_snake(name), probe.slot or 0, probe.kind, probe.many, default, read))
    return tuple(fields)


def fields(cls: type, *names: str) -> Layout:
    """Some fields of a table, in the given order."""
    known = {field.name: field for field in layout(cls)}
    return tuple(known[name] for name in names)


def _snake(name: str) -> str:
    """`DilationWFactor` → `dilation_w_factor`, `PotScaleInt16` → `pot_scale_int16`."""
    return re.sub(r"(?<=.)([A-Z])", r"_\1", name).lower()


MODEL = fields(
    tflite.Model, "version", "operator_codes", "subgraphs", "description", "buffers", "metadata", "signature_defs"
)
OPERATOR_CODE = fields(tflite.OperatorCode, "deprecated_builtin_code", "custom_code", "version", "builtin_code")
BUFFER = fields(tflite.Buffer, "data", "offset", "size")
METADATA = fields(tflite.Metadata, "name", "buffer")
SIGNATURE = fields(tflite.SignatureDef, "inputs", "outputs", "signature_key", "subgraph_index")
TENSOR_MAP = fields(tflite.TensorMap, "name", "tensor_index")
SUBGRAPH = fields(tflite.SubGraph, "tensors", "inputs", "outputs", "operators", "name")
TENSOR = fields(
    tflite.Tensor, "shape", "type", "buffer", "name", "quantization", "is_variable", "sparsity", "shape_signature"
)
QUANTIZATION = fields(tflite.QuantizationParameters, "scale", "zero_point", "quantized_dimension")
OPERATOR = fields(
    tflite.Operator,
    "opcode_index",
    "inputs",
    "outputs",
    "intermediates",
    "builtin_options_type",
    "builtin_options",
    "builtin_options2_type",
    "builtin_options2",
    "custom_options",
    "large_custom_options_offset",
    "large_custom_options_size",
)

CUSTOM = tflite.BuiltinOperator.CUSTOM

_OPERATORS: dict[int, str] = {
    code: name for name, code in vars(tflite.BuiltinOperator).items() if isinstance(code, int) and code != 127
}
OPERATOR_NAMES = frozenset(_OPERATORS.values())

# What TFLM's TfLiteTypeSizeOf says (memory_helpers.cc); the last four are in newer schemas than tflite 2.18.0's.
_SIZES = {
    **{"FLOAT32": 4, "FLOAT16": 2, "INT32": 4, "UINT8": 1, "INT64": 8, "BOOL": 1, "INT16": 2, "COMPLEX64": 8},
    **{"INT8": 1, "FLOAT64": 8, "COMPLEX128": 16, "UINT64": 8, "RESOURCE": 4, "UINT32": 4, "UINT16": 2, "INT4": 1},
    **{"BFLOAT16": 2},
}
_TYPES = {code: name for name, code in vars(tflite.TensorType).items() if isinstance(code, int)}
_TYPES |= {19: "INT2", 20: "UINT4", 21: "FLOAT8_E4M3FN", 22: "FLOAT8_E5M2"}
DTYPES = {code: DType(name, code, _SIZES.get(name)) for code, name in _TYPES.items()}

# Operators whose options do not bear their name.
_OPTIONS = {
    "L2_NORMALIZATION": "L2NormOptions",
    "CONV_3D_TRANSPOSE": "Conv3DOptions",
    "UNIDIRECTIONAL_SEQUENCE_RNN": "SequenceRNNOptions",
    **dict.fromkeys(("AVERAGE_POOL_2D", "MAX_POOL_2D", "L2_POOL_2D"), "Pool2DOptions"),
    **dict.fromkeys(("MINIMUM", "MAXIMUM"), "MaximumMinimumOptions"),
    **dict.fromkeys(
        ("MEAN", "SUM", "REDUCE_PROD", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_ANY", "REDUCE_ALL"), "ReducerOptions"
    ),
    **dict.fromkeys(("RANDOM_STANDARD_NORMAL", "RANDOM_UNIFORM", "MULTINOMIAL"), "RandomOptions"),
}
_UNIONS = (tflite.BuiltinOptions, tflite.BuiltinOptions2)
_CLASSES = {name.lower(): name for union in _UNIONS for name in vars(union) if name.endswith("Options")}


def operator_name(code: int) -> str:
    """`CONV_2D`, or `BUILTIN_999` for a code that the schema does not have."""
    return _OPERATORS.get(code, f"BUILTIN_{code}")


@cache
def options_layout(operator: str) -> tuple[tuple[int, int], Layout] | None:
    """Which member of which options union (1 or 2) an operator takes, and its scalar fields and vectors of scalars.

    None for operators without options, custom and unknown ones.
    """
    name = _OPTIONS.get(operator) or _CLASSES.get(operator.replace("_", "").lower() + "options")
    if name is None:
        return None
    number = 1 if hasattr(tflite.BuiltinOptions, name) else 2
    member = getattr(_UNIONS[number - 1], name)
    return (number, member), tuple(field for field in layout(getattr(tflite, name)) if field.kind != "table")
