"""What can be asked of a plan: sizes, tensors and names as people write them, and what is said of the rest."""

from __future__ import annotations

from typing import Any

import pytest

from arena_codegen.errors import UsageError
from arena_codegen.options import PlanOptions, parse_size, plan_options


def refused(**wishes: Any) -> list[tuple[str, str]]:
    with pytest.raises(UsageError) as caught:
        plan_options(**wishes)
    return [(finding.what, finding.hint) for finding in caught.value.findings]


@pytest.mark.parametrize(
    ("text", "size"),
    [("0", 0), ("98304", 98304), ("48K", 49152), ("48k", 49152), ("2M", 2097152), ("1m", 1048576), ("0x18000", 98304),
     ("0X10K", 16384), ("007", 7), (123, 123)],
)  # fmt: skip
def test_a_size_is_bytes_or_takes_k_and_m(text: str | int, size: int) -> None:
    assert parse_size(text, "--max-arena") == size


@pytest.mark.parametrize(
    "text", ["", "K", "-1", "+1", "1.5K", "48KB", "48 K", " 48K", "1G", "4_8", "٤٨", "0x", "1e3", None]
)
def test_what_is_no_size_is_refused(text: Any) -> None:
    with pytest.raises(UsageError) as caught:
        parse_size(text, "--max-arena")
    (finding,) = caught.value.findings
    assert finding.what == f"--max-arena is {text!r}, not a size"
    assert finding.hint == "bytes such as 98304, 48K, 1M or 0x18000"


def test_no_wishes_are_the_defaults() -> None:
    assert plan_options() == PlanOptions()
    assert plan_options(strategy=None, keep=None, align=None) == PlanOptions()


@pytest.mark.parametrize("text", ["m7", "cortex-m7", "Cortex-M7", "CORTEX-M7"])
def test_a_target_may_be_called_by_its_full_name(text: str) -> None:
    assert plan_options(target=text).target == "m7"


@pytest.mark.parametrize(("text", "core"), [("cortex-m4f", "m4"), ("M4F", "m4"), ("cortex-m0+", "m0")])
def test_a_target_may_be_called_as_shops_and_compilers_call_it(text: str, core: str) -> None:
    assert plan_options(target=text).target == core


def test_tensors_may_be_given_as_one_as_several_and_as_numbers() -> None:
    assert plan_options(keep="in").keep == ("in",)
    assert plan_options(keep=17).keep == ("17",)
    assert plan_options(keep=["in", 17, "1:17"]).keep == ("in", "17", "1:17")


def test_pins_and_shapes_may_be_a_mapping_pairs_or_texts() -> None:
    expected = (("in", 0), ("17", 4096))
    assert plan_options(pins={"in": 0, 17: 4096}).pins == expected
    assert plan_options(pins=[("in", 0), (17, "4K")]).pins == expected
    assert plan_options(pins=["in@0", "17@0x1000"]).pins == expected
    shapes = (("in", (1, 49, 10)),)
    assert plan_options(shapes={"in": (1, 49, 10)}).shapes == shapes
    assert plan_options(shapes=["in=1,49,10"]).shapes == shapes
    assert plan_options(shapes="in=1, 49, 10").shapes == shapes


def test_a_tensor_name_may_hold_the_sign_that_ends_it() -> None:
    assert plan_options(pins=["a@b@16"]).pins == (("a@b", 16),)
    assert plan_options(shapes=["a=b=1,2"]).shapes == (("a=b", (1, 2)),)
    assert plan_options(keep=["a b/c;d"]).keep == ("a b/c;d",)


@pytest.mark.parametrize("text", ["plan", "tflm", "96K"])
def test_the_arena_is_a_word_or_a_size(text: str) -> None:
    assert plan_options(arena=text).arena == {"96K": 98304}.get(text, text)


@pytest.mark.parametrize(
    ("wishes", "what", "hint"),
    [
        ({"strategy": "magic"}, "--strategy is 'magic'", "one of best, exact, greedy, linear, naive"),
        ({"effort": "10"}, "--effort is '10'", "one of quick, normal, thorough"),
        ({"kernels": "esp-nn"}, "--kernels is 'esp-nn'", "one of cmsis-nn, cmsis-nn-4.0, reference, none"),
        ({"target": "cortex-a53"}, "--target is 'a53'", "one of m0, m3, m4, m7, m33, m55"),
        ({"target": 4}, "--target is 4", "one of m0, m3, m4, m7, m33, m55"),
        ({"align": "3"}, "--align is 3", "one of 1, 2, 4, 8, 16, 32, 64"),
        ({"align": "128"}, "--align is 128", "one of 1, 2, 4, 8, 16, 32, 64"),
        ({"align": "sixteen"}, "--align is 'sixteen'", "one of 1, 2, 4, 8, 16, 32, 64"),
        ({"align": "-4"}, "--align is '-4'", "one of 1, 2, 4, 8, 16, 32, 64"),
        ({"align": "٤"}, "--align is '٤'", "one of 1, 2, 4, 8, 16, 32, 64"),
        ({"align": 16.0}, "--align is 16.0", "one of 1, 2, 4, 8, 16, 32, 64"),
        ({"align": True}, "--align is True", "one of 1, 2, 4, 8, 16, 32, 64"),
        ({"segment": "all"}, "--segment is 'all'", "one of io"),
        ({"arena": "big"}, "--arena is 'big'", "plan, tflm, or a size such as 64K"),
        ({"arena": "3G"}, "--arena is '3G'", "plan, tflm, or a size such as 64K"),
        ({"arena": "4096M"}, "--arena is 4294967296", "from 0 bytes to 2 GiB"),
        ({"max_arena": -1}, "--max-arena is -1", "from 0 bytes to 2 GiB"),
        ({"max_arena": "4096M"}, "--max-arena is 4294967296", "from 0 bytes to 2 GiB"),
        ({"pins": ["in"]}, "--pin is 'in'", "--pin TENSOR@OFFSET"),
        ({"pins": ["@16"]}, "--pin is '@16'", "--pin TENSOR@OFFSET"),
        ({"pins": ["in@"]}, "--pin is 'in@'", "--pin TENSOR@OFFSET"),
        ({"pins": ["in@x"]}, "--pin in@ is 'x', not a size", "bytes such as 98304, 48K, 1M or 0x18000"),
        ({"shapes": ["in"]}, "--shape is 'in'", "--shape TENSOR=1,49,10,64"),
        ({"shapes": ["in=1,-1"]}, "--shape in= is '1,-1', not a shape", "dimensions such as 1,49,10,64"),
        ({"shapes": ["in=1,,2"]}, "--shape in= is '1,,2', not a shape", "dimensions such as 1,49,10,64"),
        ({"shapes": ["in=99999999999"]}, "--shape in= is '99999999999', not a shape", "dimensions such as 1,49,10,64"),
    ],
)
def test_a_wish_that_nobody_can_fulfil_is_named(wishes: dict[str, Any], what: str, hint: str) -> None:
    assert refused(**wishes) == [(what, hint)]


@pytest.mark.parametrize("name", ["in_place", "overlap", "honor_plan"])
def test_a_flag_is_true_or_false_and_not_a_word(name: str) -> None:
    with pytest.raises(UsageError, match=f"--{name.replace('_', '-')} is 'no'"):
        plan_options(**{name: "no"})


def test_all_faults_are_named_at_once() -> None:
    found = refused(strategy="x", align=3, max_arena="y", pins=["z"], shapes=["a=b"])
    assert [what.split(" ")[0] for what, _ in found] == ["--pin", "--shape", "--max-arena", "--strategy", "--align"]


def test_a_word_that_is_no_option_is_a_mistake_of_the_program() -> None:
    with pytest.raises(TypeError, match="stratgy"):
        plan_options(stratgy="best")


@pytest.mark.parametrize(
    ("wishes", "shares"),
    [
        ({}, True),
        ({"in_place": False}, False),
        ({"in_place": False, "overlap": True}, True),
        ({"strategy": "greedy"}, False),
        ({"strategy": "naive", "overlap": True}, False),
    ],
)
def test_only_searching_strategies_share_bytes(wishes: dict[str, Any], shares: bool) -> None:
    assert plan_options(**wishes).shares is shares
