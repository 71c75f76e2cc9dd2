"""Quantised multipliers and activation ranges, to the bit as TFLM's Prepare computes them.

F3. Sources: kernels/internal/quantization_util.cc (QuantizeMultiplier), kernels/kernel_util.cc
(CalculateActivationRangeQuantized). Scales are float32 in the file and double from there on,
also where the C++ of TFLM multiplies them as floats before it widens the product: so the wheel of real TFLM computes
them.
"""

from __future__ import annotations

import math
import struct

from arena_codegen.inference.call import Unsupported
from arena_codegen.model.types import Tensor

RANGES = {"INT8": (-128, 127), "UINT8": (0, 255), "INT16": (-32768, 32767), "INT32": (-(2**31), 2**31 - 1)}

NONE, RELU, RELU_N1_TO_1, RELU6 = 0, 1, 2, 3
"""Fused activations."""

SMALLEST = 2.0**-64
"""A scale below, 0 or one that is no number is a mistake, and TFLM's own result undefined."""


def float32(value: float) -> float:
    """The nearest number that a float holds."""
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


def round_away(value: float) -> int:
    """To the nearest whole number, halves away from zero: C's round()."""
    whole = math.floor(abs(value))
    whole += abs(value) - whole >= 0.5
    return int(math.copysign(whole, value))


def quantize_multiplier(real: float) -> tuple[int, int]:
    """(multiplier, shift) with real ≈ multiplier · 2^(shift − 31), multiplier in [2^30, 2^31), or both 0."""
    if real == 0.0:
        return 0, 0
    fraction, shift = math.frexp(real)
    multiplier = round_away(fraction * 2**31)
    if multiplier == 2**31:
        multiplier //= 2
        shift += 1
    return (multiplier, shift) if shift >= -31 else (0, 0)


def scale_fields(real: float) -> dict[str, int]:
    """A `fixed_scale_t` of the firmware."""
    multiplier, shift = quantize_multiplier(real)
    return {"multiplier": multiplier, "shift": shift}


def scale(tensor: Tensor) -> float:
    """The tensor's only scale."""
    scales = scales_of(tensor)
    if not scales:
        raise Unsupported(f"{tensor.label} has no scale")
    return scales[0]


def scales_of(tensor: Tensor) -> tuple[float, ...]:
    """All scales of a tensor, none for one without. Raises Unsupported for what no float arithmetic gets through."""
    scales = tensor.quantization.scales if tensor.quantization is not None else ()
    for number in scales:
        if not SMALLEST < number < 1.0 / SMALLEST:
            raise Unsupported(f"{tensor.label} has the scale {number}")
    return scales


def zero_point(tensor: Tensor) -> int:
    """The tensor's only zero point; 0 where the file has none."""
    if tensor.quantization is None or not tensor.quantization.zero_points:
        return 0
    return tensor.quantization.zero_points[0]


def activation_range(activation: int, output: Tensor) -> tuple[int, int]:
    """The quantised values that a fused activation leaves, for an output of whole numbers."""
    low, high = RANGES[output.dtype.name]
    if activation == NONE:
        return low, high
    if activation == RELU:
        return max(low, _quantized(0.0, output)), high
    if activation == RELU6:
        return max(low, _quantized(0.0, output)), min(high, _quantized(6.0, output))
    if activation == RELU_N1_TO_1:
        return max(low, _quantized(-1.0, output)), min(high, _quantized(1.0, output))
    raise Unsupported(f"fused activation {activation}")


def float_range(activation: int) -> tuple[float, float]:
    """The same for floating point."""
    largest = float32(3.4028234663852886e38)
    ranges = {NONE: (-largest, largest), RELU: (0.0, largest), RELU6: (0.0, 6.0), RELU_N1_TO_1: (-1.0, 1.0)}
    if activation not in ranges:
        raise Unsupported(f"fused activation {activation}")
    return ranges[activation]


def _quantized(real: float, output: Tensor) -> int:
    """TFLM divides in float32 and adds the zero point to the rounded quotient."""
    return zero_point(output) + round_away(float32(real / scale(output)))
