"""Which operators the firmware can compute, and how each is called. A row is all that a new operator needs here."""

from __future__ import annotations

from collections.abc import Mapping

from arena_codegen.inference import activations, blocks, dense, means, moves, pairs, recurrent, signal, softmax, windows
from arena_codegen.inference.call import Describe

OPERATORS: Mapping[str, Describe] = {
    "ABS": activations.absolute,
    "ADD": pairs.add,
    "ASSIGN_VARIABLE": moves.assign_variable,
    "AVERAGE_POOL_2D": windows.average_pool_2d,
    "CALL_ONCE": moves.nothing,
    "CAST": activations.cast,
    "CONCATENATION": blocks.concatenation,
    "CONV_2D": windows.conv_2d,
    "DEPTHWISE_CONV_2D": windows.depthwise_conv_2d,
    "DEQUANTIZE": activations.dequantize,
    "DIV": pairs.div,
    "EQUAL": pairs.comparison("COMPARE_EQUAL"),
    "EXPAND_DIMS": moves.reshape,
    "FULLY_CONNECTED": dense.fully_connected,
    "GREATER": pairs.comparison("COMPARE_GREATER"),
    "GREATER_EQUAL": pairs.comparison("COMPARE_GREATER | COMPARE_EQUAL"),
    "HARD_SWISH": activations.hard_swish,
    "IF": moves.nothing,
    "LEAKY_RELU": activations.leaky_relu,
    "LESS": pairs.comparison("COMPARE_LESS"),
    "LESS_EQUAL": pairs.comparison("COMPARE_LESS | COMPARE_EQUAL"),
    "LOGISTIC": activations.logistic,
    "MAXIMUM": pairs.maximum,
    "MAX_POOL_2D": windows.max_pool_2d,
    "MEAN": means.mean,
    "MINIMUM": pairs.minimum,
    "MUL": pairs.mul,
    "NEG": activations.negation,
    "NOT_EQUAL": pairs.comparison("COMPARE_LESS | COMPARE_GREATER"),
    "PACK": blocks.pack,
    "PAD": blocks.pad,
    "PADV2": blocks.pad,
    "QUANTIZE": activations.quantize,
    "READ_VARIABLE": moves.reshape,
    "RELU": activations.relu,
    "RELU6": activations.relu6,
    "RESHAPE": moves.reshape,
    "RESIZE_NEAREST_NEIGHBOR": blocks.resize_nearest_neighbor,
    "SHAPE": blocks.shape,
    "SLICE": blocks.slice_,
    "SOFTMAX": softmax.softmax,
    "SPLIT": blocks.split,
    "SPLIT_V": blocks.split_v,
    "SQUEEZE": moves.reshape,
    "STRIDED_SLICE": blocks.strided_slice,
    "SUB": pairs.sub,
    "SVDF": recurrent.svdf,
    "TANH": activations.tanh,
    "TRANSPOSE": blocks.transpose,
    "TRANSPOSE_CONV": windows.transpose_conv,
    "UNIDIRECTIONAL_SEQUENCE_LSTM": recurrent.lstm,
    "UNPACK": blocks.unpack,
    "VAR_HANDLE": moves.nothing,
    "WHILE": moves.nothing,
}

CUSTOM: Mapping[str, Describe] = {
    "SignalEnergy": signal.energy,
    "SignalFftAutoScale": signal.fft_auto_scale,
    "SignalFilterBank": signal.filter_bank,
    "SignalFilterBankLog": signal.filter_bank_log,
    "SignalFilterBankSpectralSubtraction": signal.filter_bank_spectral_subtraction,
    "SignalFilterBankSquareRoot": signal.filter_bank_square_root,
    "SignalPCAN": signal.pcan,
    "SignalRfft": signal.rfft,
    "SignalWindow": signal.window,
}
"""TFLM's own operators, which have names instead of numbers."""
