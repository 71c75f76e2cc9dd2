"""What is learned from the `tflite` package."""

from __future__ import annotations

import pytest
import tflite

from arena_codegen.model import schema


def test_fields_are_found_with_their_slots_and_kinds() -> None:
    known = {field.name: (field.slot, field.kind, field.many, field.default) for field in schema.layout(tflite.Tensor)}
    assert known["shape"] == (2, "<i", True, ())
    assert known["type"] == (3, "<b", False, 0)
    assert known["name"] == (5, "string", False, None)
    assert known["quantization"] == (6, "table", False, None)
    assert known["is_variable"] == (7, "?", False, False)


def test_the_code_of_an_operator_is_the_raw_field_and_not_the_patched_accessors() -> None:
    known = {field.name: (field.slot, field.kind, field.default) for field in schema.OPERATOR_CODE}
    assert known["builtin_code"] == (5, "<i", 0)
    assert known["deprecated_builtin_code"] == (2, "<b", 0)


def test_defaults_that_are_not_zero_are_kept() -> None:
    known = {field.name: field.default for field in schema.layout(tflite.Conv2DOptions)}
    assert (known["stride_w"], known["dilation_w_factor"]) == (0, 1)


@pytest.mark.parametrize("name", sorted(schema.OPERATOR_NAMES))
def test_the_options_of_every_operator_can_be_read(name: str) -> None:
    found = schema.options_layout(name)
    assert found is None or all(field.slot >= 2 and field.read for field in found[1])


@pytest.mark.parametrize(
    ("operator", "union", "first"),
    [
        ("CONV_2D", 1, "padding"),
        ("MAX_POOL_2D", 1, "padding"),
        ("MEAN", 1, "keep_dims"),
        ("L2_NORMALIZATION", 1, "fused_activation_function"),
        ("UNIDIRECTIONAL_SEQUENCE_RNN", 1, "time_major"),
        ("CONV_3D_TRANSPOSE", 1, "padding"),
        ("MULTINOMIAL", 1, "seed"),
        ("STABLEHLO_SLICE", 2, "start_indices"),
    ],
)
def test_operators_find_the_table_of_their_options(operator: str, union: int, first: str) -> None:
    found = schema.options_layout(operator)
    assert found is not None
    assert (found[0][0], found[1][0].name) == (union, first)


def test_element_sizes_are_tflms() -> None:
    sizes = {dtype.name: dtype.bytes for dtype in schema.DTYPES.values()}
    assert sizes["INT4"] == 1
    assert (sizes["BFLOAT16"], sizes["COMPLEX128"], sizes["RESOURCE"]) == (2, 16, 4)
    assert all(sizes[name] is None for name in ("STRING", "VARIANT", "INT2", "UINT4", "FLOAT8_E5M2"))
