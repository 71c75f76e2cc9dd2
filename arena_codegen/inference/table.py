"""Which operators the firmware can compute, and how each is called. A row is all that a new operator needs here."""

from __future__ import annotations

from collections.abc import Mapping

from arena_codegen.inference import activations, dense, moves, pairs, softmax, windows
from arena_codegen.inference.call import Describe

OPERATORS: Mapping[str, Describe] = {
    "ADD": pairs.add,
    "ASSIGN_VARIABLE": moves.assign_variable,
    "AVERAGE_POOL_2D": windows.average_pool_2d,
    "CALL_ONCE": moves.nothing,
    "CONV_2D": windows.conv_2d,
    "DEPTHWISE_CONV_2D": windows.depthwise_conv_2d,
    "DEQUANTIZE": activations.dequantize,
    "EXPAND_DIMS": moves.reshape,
    "FULLY_CONNECTED": dense.fully_connected,
    "IF": moves.nothing,
    "LOGISTIC": activations.logistic,
    "MAX_POOL_2D": windows.max_pool_2d,
    "QUANTIZE": activations.quantize,
    "READ_VARIABLE": moves.reshape,
    "RESHAPE": moves.reshape,
    "SOFTMAX": softmax.softmax,
    "SQUEEZE": moves.reshape,
    "SUB": pairs.sub,
    "TANH": activations.tanh,
    "VAR_HANDLE": moves.nothing,
    "WHILE": moves.nothing,
}
