from __future__ import annotations

import re

import pytest

from arena_codegen.errors import UsageError
from arena_codegen.names import PREFIX_LIMIT, RESERVED, c_comment, c_prefix, check_prefix, shorten

HOSTILE = [
    "*/ #error broken out /*",
    "/* nested",
    "a // b /// c",
    "ends in a backslash \\",
    "??/ trigraph ??= ???/",
    "line\nbreak\r\nand\ttab\0",
    "bidi \u202e\u2066 and \u00fcml\u00e4ut and \U0001f600",
    "* /",
    "*",
    "/",
    "\ud800 lone surrogate",
    "\"quotes\" 'and' %s {{ jinja }} {% if %} {# #}",
]


@pytest.mark.parametrize(
    ("file", "prefix"),
    [
        ("kws.tflite", "kws"),
        ("models/KWS-v2.1.tflite", "KWS_v2_1"),
        ("C:\\models\\kws.TFLITE", "kws"),
        ("kws", "kws"),
        ("__kws__.tflite", "kws"),
        ("_Kws.tflite", "Kws"),
        ("a__b--c.tflite", "a_b_c"),
        ("3d.tflite", "model_3d"),
        ("int.tflite", "int_model"),
        ("co_await.tflite", "co_await_model"),
        ("été.tflite", "ete"),
        ("", "model"),
        (".tflite", "model"),
        ("*/.tflite", "model"),
    ],
)
def test_a_file_name_becomes_a_prefix(file: str, prefix: str) -> None:
    assert c_prefix(file) == prefix


@pytest.mark.parametrize("file", ["語.tflite", "---.tflite", "x" * 300 + ".tflite", *HOSTILE, *sorted(RESERVED)])
def test_every_prefix_that_is_made_is_one_that_is_accepted(file: str) -> None:
    prefix = c_prefix(file)
    assert check_prefix(prefix) == prefix
    assert len(prefix) <= PREFIX_LIMIT


def test_long_names_and_names_without_ascii_keep_apart() -> None:
    assert c_prefix("x" * 100 + "1.tflite") != c_prefix("x" * 100 + "2.tflite")
    assert c_prefix("語.tflite") != c_prefix("文.tflite")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "model"),
        ("3d", "model_3d"),
        ("my-model", "my_model"),
        ("int", "int_model"),
        ("_kws", "kws"),
        ("__kws", "kws"),
        ("kws_", "kws"),
        ("a__b", "a_b"),
        ("kws plan", "kws_plan"),
        ("kws\n", "kws"),
        ("µ", "model_"),
        ("kws;", "kws"),
    ],
)
def test_a_prefix_that_is_no_identifier_is_refused_with_one_that_is(text: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        check_prefix(text)
    assert f"--prefix {hint}" in caught.value.findings[0].hint
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("text", ["kws", "K", "a1_B2", "main", "arena", "integer"])
def test_an_identifier_is_taken_as_it_stands(text: str) -> None:
    assert check_prefix(text) == text


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("limit", [None, 5, 16, 64])
def test_a_comment_has_nothing_that_ends_it_or_splices_lines(text: str, limit: int | None) -> None:
    safe = c_comment(text, limit)
    assert re.fullmatch(r"[ -~]*", safe)
    for mark in ("*", "/*", "//", "??"):
        assert mark not in safe
    assert not safe.endswith("\\")
    assert limit is None or len(safe) <= limit


def test_text_without_marks_is_left_alone() -> None:
    assert c_comment("model/conv2d_1/Relu;bn>2:0") == "model/conv2d_1/Relu;bn>2:0"


def test_different_texts_stay_different_in_comments() -> None:
    assert c_comment("a*") == "a\\x2a"
    assert c_comment("a\\x2a") == "a\\x5cx2a"


def test_typographic_signs_become_plain_ones() -> None:
    assert c_comment("kws.tflite · op −1 → 2 ≥ 1…") == "kws.tflite - op -1 -> 2 >= 1..."


def test_a_long_text_keeps_both_ends() -> None:
    assert c_comment("begin" + "-" * 100 + "end", 16) == "begin--...---end"
    assert shorten("begin" + "-" * 100 + "end", 16) == "begin--...---end"


def test_an_escape_is_never_cut_in_two() -> None:
    for limit in range(3, 40):
        rest = re.sub(r"\\u202e", "", c_comment("\u202e" * 20, limit))
        assert rest in ("", "...")
