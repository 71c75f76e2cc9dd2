"""Arrays of constants as C."""

from __future__ import annotations

import math
import struct

import pytest

from arena_codegen.emit.c_array import Array, c_array, c_number, words


def test_bytes_stand_four_in_a_word_and_the_last_is_filled_up() -> None:
    array = words("w", bytes([1, 2, 3, 4, 255]), 1)
    assert (array.ctype, array.values) == ("uint32_t", (0x04030201, 0xFF))


@pytest.mark.parametrize(("width", "ctype"), [(2, "uint16_t"), (4, "uint32_t"), (8, "uint64_t")])
def test_elements_keep_their_width(width: int, ctype: str) -> None:
    assert words("w", bytes(range(16)), width).ctype == ctype


def test_floats_are_read_back_to_the_bit() -> None:
    values = (0.1, -1.5, 3.4028234663852886e38, 1.401298464324817e-45, -0.0)
    array = words("w", struct.pack("<5f", *values), 4, is_float=True)
    for value in array.values:
        assert float.fromhex(c_number(value).removesuffix("f")) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [(math.inf, "__builtin_inff()"), (-math.inf, "-__builtin_inff()"), (-(2**31), "(-2147483647 - 1)")],
)
def test_what_c_cannot_write_is_spelled(value: float, text: str) -> None:
    assert c_number(value) == text


def test_an_array_is_aligned_constant_and_never_empty() -> None:
    assert c_array(Array("a", "int32_t", (1, -2))) == (
        "__attribute__((aligned(16))) static const int32_t a[] = {\n    1, -2\n};"
    )
    assert c_array(Array("a", "int32_t", ())).endswith("{\n    0\n};")
