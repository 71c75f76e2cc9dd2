"""exp, logistic and tanh in fixed point, to the bit as gemmlowp computes them for TFLite's kernels.

F3. A number with k integer bits is a 32-bit integer over 2^(31 − k); ONE is all but 1. Source: gemmlowp's
fixedpoint/fixedpoint.h. Everything is computed once for all values of a byte, so that the device looks it up.
"""

from __future__ import annotations

ONE = 2**31 - 1
LOWEST = -(2**31)

_EXP_OF_POWERS = (
    (-2, 1672461947),
    (-1, 1302514674),
    (0, 790015084),
    (1, 290630308),
    (2, 39332535),
    (3, 720401),
    (4, 242),
)
"""exp(−2^n) for n."""


def high_mul(a: int, b: int) -> int:
    """The high half of 2ab, rounded to nearest, half away from zero."""
    if a == b == LOWEST:
        return ONE
    product = a * b
    nudged = product + (1 << 30 if product >= 0 else 1 - (1 << 30))
    return nudged >> 31 if nudged >= 0 else -(-nudged >> 31)


def shift_right(value: int, exponent: int) -> int:
    """value / 2^exponent, rounded to nearest, half away from zero."""
    mask = (1 << exponent) - 1
    return (value >> exponent) + ((value & mask) > (mask >> 1) + (value < 0))


def shift_left(value: int, exponent: int) -> int:
    """value · 2^exponent, saturating."""
    return max(LOWEST, min(ONE, value << exponent))


def scaled(value: int, multiplier: int, shift: int) -> int:
    """value · multiplier · 2^(shift − 31), rounded twice (MultiplyByQuantizedMultiplier)."""
    return shift_right(high_mul(_wrapped(value << max(shift, 0)), multiplier), max(-shift, 0))


def _wrapped(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31


def exp(value: int, integer_bits: int) -> int:
    """exp of a number ≤ 0 with so many integer bits (at most 5); the result has none."""
    if value == 0:
        return ONE
    fraction_bits = 31 - integer_bits
    quarter = 1 << (fraction_bits - 2)
    near = (value & (quarter - 1)) - quarter
    result = _exp_near_zero(shift_left(near, integer_bits))
    rest = near - value
    for power, factor in _EXP_OF_POWERS:
        if integer_bits > power and rest & 1 << (fraction_bits + power):
            result = high_mul(result, factor)
    return result


def _exp_near_zero(value: int) -> int:
    """exp between −1/4 and 0 by its series around −1/8."""
    x = value + (1 << 28)
    x2 = high_mul(x, x)
    x3, x4 = high_mul(x2, x), high_mul(x2, x2)
    rest = shift_right(high_mul(shift_right(x4, 2) + x3, 715827883) + x2, 1)
    return 1895147668 + high_mul(1895147668, x + rest)


def _over_one_plus(value: int) -> int:
    """1 / ((1 + x) / 2) with two integer bits, for x from 0 to 1 with none: three steps of Newton and Raphson."""
    total = value + ONE
    half_denominator = (total + 1) // 2
    x = 1515870810 + high_mul(half_denominator, -1010580540)
    for _ in range(3):
        x += shift_left(high_mul(x, (1 << 29) - high_mul(half_denominator, x)), 2)
    return x


def logistic(value: int, integer_bits: int) -> int:
    """1 / (1 + exp(−x)); the result has no integer bits."""
    if value == 0:
        return 1 << 30
    positive = shift_left(_over_one_plus(exp(-abs(value), integer_bits)), 1)
    return positive if value > 0 else ONE - positive


def tanh(value: int, integer_bits: int) -> int:
    """tanh; the result has no integer bits."""
    if value == 0:
        return 0
    size = shift_left(_over_one_plus(exp(-abs(value), integer_bits + 1)) - (1 << 29), 2)
    return size if value > 0 else -size


def narrowed(multiplier: int) -> int:
    """A multiplier of 16 bits (DownScaleInt32ToInt16Multiplier)."""
    return 32767 if multiplier >= 2**31 - 1 - (1 << 15) else (multiplier + (1 << 15)) >> 16


def high_mul_16(a: int, b: int) -> int:
    """The high half of 2ab of 16-bit numbers, rounded to nearest, half away from zero."""
    if a == b == -32768:
        return 32767
    product = a * b
    nudged = product + (1 << 14 if product >= 0 else 1 - (1 << 14))
    return nudged >> 15 if nudged >= 0 else -(-nudged >> 15)


def gate_16(value: int, multiplier: int, shift: int) -> int:
    """HARD_SWISH's gate: from −3 … 3 to 0 … 1 with 15 bits of fraction; it saturates beyond."""
    if shift > 0:
        value = _short(value << (shift - 1))
    value = high_mul_16(value, multiplier)
    if shift > 0:
        value = _short(value << 1)
    if shift < 0:
        value = shift_right(value, -shift)
    return (value + (1 << 15)) >> 1


def _short(value: int) -> int:
    return max(-32768, min(32767, value))
