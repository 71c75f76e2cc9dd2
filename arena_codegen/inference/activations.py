"""Operators of one input, element by element: of a byte they are a table of 256 values.

F3. Sources: TFLM's kernels/activations.cc, leaky_relu_common.cc, logistic_common.cc, tanh.cc, hard_swish_common.cc,
quantize_common.cc.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from arena_codegen.inference import nonlinear
from arena_codegen.inference.call import KernelCall, Table, Unsupported
from arena_codegen.inference.fixed_point import RANGES, quantize_multiplier, round_away, scale, zero_point
from arena_codegen.kernels.call import Call
from arena_codegen.model.types import Tensor

BYTES = ("INT8", "UINT8")
INTEGER_BITS = 4
"""Of the argument of LOGISTIC and TANH."""


def byte_table(source: Tensor, output: Tensor, function: Callable[[int], int]) -> KernelCall:
    """A call that looks up function(q), clamped to the output's range, for every value q of a byte."""
    low, high = RANGES[output.dtype.name]
    first, last = RANGES[source.dtype.name]
    values = {value & 255: max(low, min(high, function(value))) & 255 for value in range(first, last + 1)}
    return KernelCall("lookup", {"count": output.elements, "table": Table("uint8_t", [values[at] for at in range(256)])})


def logistic(call: Call) -> KernelCall:
    source, output = call.input(0), call.output()
    if _kinds(source, output) != ("INT8", "INT8"):
        raise Unsupported(" to ".join(_kinds(source, output)))
    return byte_table(
        source, output, _curve(source, nonlinear.logistic, lambda value: nonlinear.shift_right(value, 23) - 128)
    )


def tanh(call: Call) -> KernelCall:
    source, output = call.input(0), call.output()
    if _kinds(source, output) != ("INT8", "INT8"):
        raise Unsupported(" to ".join(_kinds(source, output)))
    return byte_table(source, output, _curve(source, nonlinear.tanh, lambda value: nonlinear.shift_right(value, 24)))


def _curve(
    source: Tensor, function: Callable[[int, int], int], narrow: Callable[[int], int]
) -> Callable[[int], int]:
    """A curve of a byte; beyond the radius, which is where the argument would leave its integer bits, it is flat."""
    fraction, shift = math.frexp(scale(source) * 2 ** (31 - INTEGER_BITS))
    multiplier = round_away(fraction * 2**31)
    radius = math.floor(((1 << INTEGER_BITS) - 1) * 2 ** (31 - INTEGER_BITS) / 2**shift)

    def value(quantized: int) -> int:
        centred = quantized - zero_point(source)
        if abs(centred) >= radius:
            return 127 if centred > 0 else -128
        return narrow(function(nonlinear.scaled(centred, multiplier, shift), INTEGER_BITS))

    return value


def quantize(call: Call) -> KernelCall:
    source, output = call.input(0), call.output()
    kinds = _kinds(source, output)
    low, high = RANGES.get(kinds[1], (0, 0))
    if kinds[0] == "FLOAT32" and kinds[1] in ("INT8", "UINT8", "INT16"):
        params = {
            "count": output.elements, "element": f"ELEMENT_{_SIGNS[kinds[1]]}", "scale": scale(output),
            "zero_point": zero_point(output), "lowest": low, "highest": high,
        }  # fmt: skip
        return KernelCall("quantize_f32", params, header="quantize", params_type="quantize_f32")
    if kinds[0] not in _SIGNS or kinds[1] not in _SIGNS:
        raise Unsupported(" to ".join(kinds))
    multiplier, shift = quantize_multiplier(scale(source) / scale(output))
    offset, zero = zero_point(source), zero_point(output)
    if kinds[0] in BYTES and kinds[1] in BYTES:
        return byte_table(source, output, lambda value: nonlinear.scaled(value - offset, multiplier, shift) + zero)
    params = {
        "count": output.elements, "from": f"ELEMENT_{_SIGNS[kinds[0]]}", "to": f"ELEMENT_{_SIGNS[kinds[1]]}",
        "input_offset": -offset, "scale": {"multiplier": multiplier, "shift": shift}, "output_offset": zero,
        "lowest": low, "highest": high,
    }  # fmt: skip
    return KernelCall("quantize", params)


def dequantize(call: Call) -> KernelCall:
    source, output = call.input(0), call.output()
    kinds = _kinds(source, output)
    if kinds[1] != "FLOAT32" or kinds[0] not in ("INT8", "UINT8", "INT16"):
        raise Unsupported(" to ".join(kinds))
    params = {
        "count": output.elements, "element": f"ELEMENT_{_SIGNS[kinds[0]]}", "scale": scale(source),
        "zero_point": zero_point(source),
    }  # fmt: skip
    return KernelCall("dequantize", params)


_SIGNS = {"INT8": "S8", "UINT8": "U8", "INT16": "S16", "INT32": "S32"}


def _kinds(source: Tensor, output: Tensor) -> tuple[str, str]:
    return source.dtype.name, output.dtype.name
