"""Operators: their codes, options and callees."""

from __future__ import annotations

import pytest

from arena_codegen.model.reader import parse_model
from arena_codegen.model.types import Operator
from tests.support import models
from tests.support.models import Graph, build


def one(name: str, **rest: object) -> Operator:
    g = Graph()
    g.op(name, [g.input("in", (1, 4))], [g.output("out", (1, 4))], **rest)
    return parse_model(build(g), "m.tflite").subgraphs[0].operators[0]


@pytest.mark.parametrize("form", ["old", "new", "both"])
def test_a_code_is_the_larger_of_its_two_fields(form: str) -> None:
    assert one("RELU", form=form).name == "RELU"


def test_a_code_beyond_the_old_byte_is_read_from_the_wide_field() -> None:
    assert (one("CUMSUM").code, one("CUMSUM").name) == (128, "CUMSUM")


def test_a_custom_operator_may_be_marked_in_the_wide_field_alone() -> None:
    operator = one("SignalRfft", custom=True, form="new")
    assert (operator.code, operator.name, operator.is_custom) == (32, "SignalRfft", True)


def test_an_operator_from_the_future_is_named_by_its_number() -> None:
    assert one("FUTURE", code=999).name == "BUILTIN_999"


def test_the_version_of_an_operator_is_kept() -> None:
    assert one("RELU", version=3).version == 3


def test_a_custom_operator_keeps_its_options_as_bytes() -> None:
    operator = parse_model(models.custom_op(), "m.tflite").subgraphs[0].operators[1]
    assert (operator.name, operator.custom_options, dict(operator.options)) == ("MyFilter", b"\1\2", {})


def test_a_custom_operator_cannot_pass_for_a_builtin_one() -> None:
    operator = one("CONV_2D", custom=True)
    assert (operator.name, operator.is_custom) == ("CUSTOM:CONV_2D", True)


def test_a_custom_code_cannot_carry_control_characters() -> None:
    assert one("a\x1b[31m\n\u202eb", custom=True).name == "a\\x1b[31m\\n\\u202eb"


def test_options_have_their_schema_names() -> None:
    operator = parse_model(models.depthwise_cnn(), "m.tflite").subgraphs[0].operators[1]
    assert dict(operator.options) == {
        "padding": 0,
        "stride_w": 2,
        "stride_h": 2,
        "depth_multiplier": 1,
        "fused_activation_function": 1,
        "dilation_w_factor": 1,
        "dilation_h_factor": 1,
    }


def test_options_that_the_file_leaves_out_have_the_schemas_defaults() -> None:
    operator = one("ADD", options=None)
    assert dict(operator.options) == {"fused_activation_function": 0, "pot_scale_int16": True}


def test_options_of_vectors_and_strings_are_tuples_and_text() -> None:
    assert one("SQUEEZE", squeeze_dims=[0, 2]).options["squeeze_dims"] == (0, 2)
    assert one("VAR_HANDLE", shared_name="state").options == {"container": "", "shared_name": "state"}


def test_operators_that_share_a_table_of_options_find_it() -> None:
    assert one("MAX_POOL_2D", filter_width=2).options["filter_width"] == 2
    assert one("MEAN", keep_dims=True).options["keep_dims"] is True


def test_the_second_union_of_options_is_read_too() -> None:
    assert one("STABLEHLO_CONCATENATE", dimension=2).options == {"dimension": 2}


def test_callees_are_in_the_order_in_which_tflm_walks_them() -> None:
    assert parse_model(models.if_model(), "m").subgraphs[0].operators[0].callees == (1, 2)
    assert parse_model(models.while_model(), "m").subgraphs[0].operators[0].callees == (1, 2)
    assert parse_model(models.call_once_model(), "m").subgraphs[0].operators[0].callees == (1,)


def test_a_call_that_tflm_does_not_walk_is_no_call_and_worth_a_warning() -> None:
    g = Graph()
    g.op("CALL", [], [], subgraph=1)
    model = parse_model(build(g, Graph("other")), "m.tflite")
    assert model.subgraphs[0].operators[0].callees == ()
    assert model.warnings[0].what == "CALL names subgraph 1; TFLM does not walk it, and neither does the plan"
