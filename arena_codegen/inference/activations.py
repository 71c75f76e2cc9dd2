"""Operators of one input, element by element: of a byte they are a table of 256 values.

F3. Sources: TFLM's kernels/activations.cc, leaky_relu_common.cc, logistic_common.cc, tanh.cc, hard_swish_common.cc,
quantize_common.cc.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from arena_codegen.inference import nonlinear
from arena_codegen.inference.call import Describe, KernelCall, Table, Unsupported
from arena_codegen.inference.fixed_point import RANGES, float32, quantize_multiplier, round_away, scale, zero_point
from arena_codegen.kernels.call import Call
from arena_codegen.model.types import Tensor

BYTES = ("INT8", "UINT8")
INTEGER_BITS = 4
"""Of the argument of LOGISTIC and TANH."""

ROUNDED_UP = 0x800000000000000000000000000000800011009020440005C0467BAEFA7BD110
"""Bit n is set where TFLite's table of the logistic curve is one above the nearest whole number."""


def byte_table(source: Tensor, output: Tensor, function: Callable[[int], int]) -> KernelCall:
    """A call that looks up function(q), clamped to the output's range, for every value q of a byte."""
    low, high = RANGES[output.dtype.name]
    first, last = RANGES[source.dtype.name]
    values = {value & 255: max(low, min(high, function(value))) & 255 for value in range(first, last + 1)}
    return KernelCall(
        "lookup", {"count": output.elements, "table": Table("uint8_t", [values[at] for at in range(256)])}
    )


def relu(call: Call) -> KernelCall:
    """RELU rescales."""
    source, output = call.input(0), call.output()
    kinds = _kinds(source, output)
    if kinds == ("FLOAT32", "FLOAT32"):
        return _float(call, "relu")
    if kinds not in (("INT8", "INT8"), ("INT16", "INT16")):
        raise Unsupported(" to ".join(kinds))
    multiplier, shift = quantize_multiplier(scale(source) / scale(output))
    low = max(RANGES[kinds[1]][0], zero_point(output))
    return _requantized(call, multiplier, shift, -zero_point(source), zero_point(output), low, RANGES[kinds[1]][1])


def relu6(call: Call) -> KernelCall:
    """RELU6 clamps what it gets, in the input's scale."""
    source, output = call.input(0), call.output()
    kinds = _kinds(source, output)
    if kinds == ("FLOAT32", "FLOAT32"):
        return _float(call, "relu6")
    if kinds not in (("INT8", "INT8"), ("INT16", "INT16")):
        raise Unsupported(" to ".join(kinds))
    six = zero_point(source) + round_away(float32(6.0 / scale(source)))
    return _requantized(call, 1 << 30, 1, 0, 0, zero_point(source), min(six, RANGES[kinds[0]][1]))


def _requantized(
    call: Call, multiplier: int, shift: int, input_offset: int, output_offset: int, low: int, high: int
) -> KernelCall:
    source, output = call.input(0), call.output()
    if source.dtype.name == "INT8":
        return byte_table(
            source,
            output,
            lambda value: max(
                low, min(high, nonlinear.scaled(value + input_offset, multiplier, shift) + output_offset)
            ),
        )
    params = {
        "count": output.elements, "from": "ELEMENT_S16", "to": "ELEMENT_S16", "input_offset": input_offset,
        "scale": {"multiplier": multiplier, "shift": shift}, "output_offset": output_offset,
        "lowest": low, "highest": high,
    }  # fmt: skip
    return KernelCall("quantize", params)


def leaky_relu(call: Call) -> KernelCall:
    source, output = call.input(0), call.output()
    kinds = _kinds(source, output)
    alpha = call.operator.options.get("alpha")
    if not isinstance(alpha, float | int):
        raise Unsupported("no alpha")
    if kinds == ("FLOAT32", "FLOAT32"):
        return _float(call, "leaky_relu", float(alpha))
    if kinds not in (("INT8", "INT8"), ("INT16", "INT16")):
        raise Unsupported(" to ".join(kinds))
    above = quantize_multiplier(scale(source) / scale(output))
    below = quantize_multiplier(abs(scale(source) * float32(alpha) / scale(output)))
    sign = -1 if alpha < 0 else 1
    offset, zero = zero_point(source), zero_point(output)
    if kinds[0] == "INT8":

        def value(quantized: int) -> int:
            centred = quantized - offset
            return zero + (
                nonlinear.scaled(centred, *above) if centred >= 0 else sign * nonlinear.scaled(centred, *below)
            )

        return byte_table(source, output, value)
    params = {
        "count": output.elements, "input_offset": -offset, "output_offset": zero,
        "above": {"multiplier": above[0], "shift": above[1]}, "below": {"multiplier": below[0], "shift": below[1]},
        "sign_below": sign,
    }  # fmt: skip
    return KernelCall("leaky_relu_s16", params, header="leaky_relu", params_type="leaky_relu_s16")


def hard_swish(call: Call) -> KernelCall:
    source, output = call.input(0), call.output()
    kinds = _kinds(source, output)
    if kinds == ("FLOAT32", "FLOAT32"):
        return _float(call, "hard_swish")
    if kinds != ("INT8", "INT8"):
        raise Unsupported(" to ".join(kinds))
    fine = float32(scale(source) / 128)
    out_multiplier, out_shift = quantize_multiplier(fine / scale(output))
    gate_multiplier, gate_shift = quantize_multiplier(fine / float32(3.0 / 32768))
    if out_shift > 0:
        raise Unsupported("an output scale that is too small")
    offset, zero = zero_point(source), zero_point(output)

    def value(quantized: int) -> int:
        lifted = (quantized - offset) * 128
        out = nonlinear.high_mul_16(lifted, nonlinear.narrowed(out_multiplier))
        gate = nonlinear.gate_16(lifted, nonlinear.narrowed(gate_multiplier), gate_shift)
        product = nonlinear.shift_right(int(gate * out / (1 << 15)), -out_shift)
        return product + zero

    return byte_table(source, output, value)


def logical_not(call: Call) -> KernelCall:
    if _kinds(call.input(0), call.output()) != ("BOOL", "BOOL"):
        raise Unsupported(" to ".join(_kinds(call.input(0), call.output())))
    return KernelCall("lookup", {"count": call.output().elements, "table": Table("uint8_t", [1] + [0] * 255)})


def of_float(function: str) -> Describe:
    """A function that there is for floats alone; `function` is a constant of the kernel."""

    def describe(call: Call) -> KernelCall:
        if _kinds(call.input(0), call.output()) != ("FLOAT32", "FLOAT32"):
            raise Unsupported(" to ".join(_kinds(call.input(0), call.output())))
        params = {"count": call.output().elements, "function": function}
        return KernelCall("function_f32", params, header="function", params_type="function_f32")

    return describe


def _float(call: Call, name: str, slope: float = 0.0) -> KernelCall:
    """The kernel of floats of an operator that has others too."""
    params = {"count": call.output().elements, "slope": float32(slope)}
    return KernelCall(f"{name}_f32", params, header=name, params_type="activation_f32")


def _s16_curve(call: Call, name: str, powers: tuple[int, ...]) -> KernelCall:
    """A curve of 16 bits in units of 1/12288; `powers`: shifts for which scales that are powers of two are exact."""
    source = call.input(0)
    fraction, exponent = math.frexp(scale(source))
    left = 12 + exponent - 1
    if fraction == 0.5 and left in powers:
        multiplier, right = 3 << left, 0
    else:
        real, right = scale(source) * 4096.0 * 3.0, 0
        while real <= 32767.0 / 2.0 and right <= 30:
            real, right = real * 2.0, right + 1
        multiplier = int(real)
    params = {
        "count": call.output().elements, "multiplier": multiplier, "right_shift": right,
        "logistic": Table("uint16_t", logistic_table()),
    }  # fmt: skip
    return KernelCall(f"{name}_s16", params, header=name, params_type="curve_s16")


def logistic_table() -> list[int]:
    """65536 / (1 + exp(−n / 24)) for n from 0 to 255, rounded as TFLite's own table is: sometimes one up."""
    return [min(round_away(65536 / (1 + math.exp(-n / 24))) + (ROUNDED_UP >> n & 1), 65535) for n in range(256)]


def logistic(call: Call) -> KernelCall:
    source, output = call.input(0), call.output()
    if _kinds(source, output) == ("FLOAT32", "FLOAT32"):
        return _float(call, "logistic")
    if _kinds(source, output) == ("INT16", "INT16"):
        return _s16_curve(call, "logistic", (0,))
    if _kinds(source, output) != ("INT8", "INT8"):
        raise Unsupported(" to ".join(_kinds(source, output)))
    return byte_table(
        source, output, _curve(source, nonlinear.logistic, lambda value: nonlinear.shift_right(value, 23) - 128)
    )


def tanh(call: Call) -> KernelCall:
    source, output = call.input(0), call.output()
    if _kinds(source, output) == ("FLOAT32", "FLOAT32"):
        return _float(call, "tanh")
    if _kinds(source, output) == ("INT16", "INT16"):
        return _s16_curve(call, "tanh", (0, 1))
    if _kinds(source, output) != ("INT8", "INT8"):
        raise Unsupported(" to ".join(_kinds(source, output)))
    return byte_table(source, output, _curve(source, nonlinear.tanh, lambda value: nonlinear.shift_right(value, 24)))


def _curve(source: Tensor, function: Callable[[int, int], int], narrow: Callable[[int], int]) -> Callable[[int], int]:
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


_CASTS = {"BOOL": "U8", "INT8": "S8", "INT16": "S16", "INT32": "S32", "UINT32": "U32", "FLOAT32": "F32"}


def cast(call: Call) -> KernelCall:
    source, output = _kinds(call.input(0), call.output())
    if source not in _CASTS or output not in _CASTS or output == "BOOL":
        raise Unsupported(f"{source} to {output}")
    params = {"count": call.output().elements, "from": f"CAST_{_CASTS[source]}", "to": f"CAST_{_CASTS[output]}"}
    return KernelCall("cast", params)


_SIGNS = {"INT8": "S8", "UINT8": "U8", "INT16": "S16", "INT32": "S32"}


def _kinds(source: Tensor, output: Tensor) -> tuple[str, str]:
    return source.dtype.name, output.dtype.name
