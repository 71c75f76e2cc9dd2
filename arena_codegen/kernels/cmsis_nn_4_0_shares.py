"""CMSIS-NN 4.0.0 and the firmware stub: which output may take over which input, and how far it may trail.

F2. Derived from the sources of CMSIS-NN 4.0.0 (git ca5dc343) for int8 convolutions and pools on cores with the DSP
extension; its pools know one batch. Element-wise operators and views are the stub's own (firmware_stub/kernels, a file
each), whose loops go from the first element to the last. All else was not derived, so it is disjoint."""

from __future__ import annotations

from types import MappingProxyType

from arena_codegen.kernels import cmsis_nn_shares as pinned
from arena_codegen.kernels import reference_shares as reference
from arena_codegen.kernels.base import ShareRule
from arena_codegen.kernels.call import Call
from arena_codegen.kernels.sharing import Apart, ShareTable, Sharing, binary, consumed, unary, view


def only_dsp(sharing: Sharing) -> Sharing:
    """The pinned version's rule, whose loops 4.0.0 has too, where these were compared: int8, DSP extension."""

    def permit(call: Call) -> tuple[ShareRule, ...]:
        if call.isa != "dsp" or call.input(0).dtype.name != "INT8":
            raise Apart("only int8 kernels of CMSIS-NN 4.0.0 with the DSP extension were derived")
        return sharing(call)

    return permit


def one_batch(sharing: Sharing) -> Sharing:
    """Pools of 4.0.0 compute the first batch alone."""

    def permit(call: Call) -> tuple[ShareRule, ...]:
        if call.input(0).shape[:1] != (1,):
            raise Apart("pools of CMSIS-NN 4.0.0 know one batch")
        return sharing(call)

    return permit


def _own(source: str) -> str:
    return f"firmware_stub/kernels/{source}"


ACTIVATIONS = "ABS HARD_SWISH LEAKY_RELU LOGISTIC NEG RELU RELU6 TANH"
COMPARISONS = "EQUAL GREATER GREATER_EQUAL LESS LESS_EQUAL NOT_EQUAL"
DISJOINT = "FULLY_CONNECTED MEAN TRANSPOSE CONCATENATION BATCH_MATMUL CALL_ONCE IF WHILE"

RULES: MappingProxyType[str, Sharing] = MappingProxyType(
    {name: reference.RULES[name] for name in DISJOINT.split()}
    | dict.fromkeys(ACTIVATIONS.split(), unary(_own("lookup.c, activation.h")))
    | dict.fromkeys(COMPARISONS.split(), binary(_own("compare.c")))
    | dict.fromkeys(("MAXIMUM", "MINIMUM"), binary(_own("choose.c"), broadcast=False))
    | dict.fromkeys(("ADD", "SUB"), binary(_own("add.c")))
    | dict.fromkeys(("RESHAPE", "SQUEEZE", "EXPAND_DIMS"), view(_own("reshape.c")))
    | {
        "CAST": unary(_own("cast.c")),
        "DEQUANTIZE": unary(_own("dequantize.c")),
        "DIV": binary(_own("div.c")),
        "MUL": binary(_own("mul.c")),
        "QUANTIZE": unary(_own("quantize.c")),
        "SOFTMAX": unary(_own("softmax.c, run_row; row by row")),
        "SVDF": consumed(_own("svdf.c"), "INT8"),
        "CONV_2D": only_dsp(pinned.conv),
        "DEPTHWISE_CONV_2D": only_dsp(pinned.depthwise),
        "AVERAGE_POOL_2D": only_dsp(one_batch(pinned.average_pool)),
        "MAX_POOL_2D": only_dsp(one_batch(pinned.max_pool)),
    }
)

TABLE = ShareTable(RULES)
