"""Findings as values, and errors as people print them."""

from __future__ import annotations

from arena_codegen.errors import Finding, ModelError


def test_an_error_as_text_says_what_where_and_what_to_do() -> None:
    place, hint = "kws.tflite · subgraph 0", "pass --shape\nor convert it again"
    error = ModelError([Finding("no fixed size", place, hint), Finding("x")])
    assert str(error).splitlines() == [
        "no fixed size",
        "  at   kws.tflite · subgraph 0",
        "  hint pass --shape",
        "  hint or convert it again",
        "x",
    ]
