"""Findings as text, in colour or without, in whatever the locale can show."""

from __future__ import annotations

import io

import pytest

from arena_codegen.cli import console
from arena_codegen.errors import Finding


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_CTYPE", "LANG", "NO_COLOR", "TERM", "PYTHONUTF8", "PYTHONIOENCODING"):
        monkeypatch.delenv(name, raising=False)


def shown(capsys: pytest.CaptureFixture[str], kind: str, *findings: Finding) -> list[str]:
    console.report(kind, findings)
    out, err = capsys.readouterr()
    assert out == ""
    return err.splitlines()


def test_a_finding_is_what_where_and_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, "error", Finding("it is bad", "m.tflite · op 3", "make it good")) == [
        "error: it is bad",
        "  at   m.tflite · op 3",
        "  hint make it good",
    ]
    assert shown(capsys, "note", Finding("it is so")) == ["note: it is so"]


def test_a_hint_may_have_several_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, "error", Finding("bad", hint="one\n  two")) == ["error: bad", "  hint one", "  hint   two"]


def test_equal_findings_list_their_places_under_one_head(capsys: pytest.CaptureFixture[str]) -> None:
    found = [Finding("unused", f"tensor {index}", "remove it") for index in range(3)]
    assert shown(capsys, "warning", *found, Finding("other")) == [
        "warning: unused",
        "  at   tensor 0",
        "  at   tensor 1",
        "  at   tensor 2",
        "  hint remove it",
        "warning: other",
    ]


def test_findings_that_differ_in_a_number_share_their_hint(capsys: pytest.CaptureFixture[str]) -> None:
    found = [Finding(f"{size} bytes unused", f"tensor {size}", "remove it") for size in (16, 32)]
    assert shown(capsys, "warning", *found) == [
        "warning: 16 bytes unused",
        "  at   tensor 16",
        "warning: 32 bytes unused",
        "  at   tensor 32",
        "  hint remove it",
    ]


@pytest.mark.parametrize(
    ("count", "last"), [(8, "  at   7"), (9, "  and  1 more like these"), (50, "  and  42 more like these")]
)
def test_eight_of_a_kind_are_shown_and_the_rest_is_counted(
    capsys: pytest.CaptureFixture[str], count: int, last: str
) -> None:
    lines = shown(capsys, "warning", *(Finding("unused", str(index)) for index in range(count)))
    assert len(lines) == 1 + min(count, 8) + (count > 8)
    assert lines[-1] == last


def test_a_hostile_name_cannot_speak_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, "error", Finding("a\x1b[2J", "b\nerror: fake")) == [
        r"error: a\x1b[2J",
        r"  at   b\nerror: fake",
    ]


def test_a_terminal_gets_colour_unless_it_wants_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert console.painted("error:", "error", Terminal()) == "\x1b[1;31merror:\x1b[0m"
    assert console.painted("error:", "error", io.StringIO()) == "error:"
    monkeypatch.setenv("NO_COLOR", "1")
    assert console.painted("error:", "error", Terminal()) == "error:"
    monkeypatch.setenv("NO_COLOR", "")
    monkeypatch.setenv("TERM", "dumb")
    assert console.painted("error:", "error", Terminal()) == "error:"


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [("utf-8", "a · b … ü 卷"), ("latin-1", "a - b ... ü \\u5377"), ("ascii", "a - b ... \\xfc \\u5377")],
)
def test_what_the_locale_lacks_is_spelled_out(encoding: str, expected: str) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    assert console.fitting("a · b … ü 卷", stream) == expected


@pytest.mark.parametrize("name", ["LC_ALL", "LC_CTYPE", "LANG"])
def test_the_c_locale_gets_ascii_though_python_would_write_utf_8(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    monkeypatch.setenv(name, "C")
    assert console.fitting("a · ü", stream) == "a - \\xfc"
    monkeypatch.setenv("PYTHONUTF8", "1")
    assert console.fitting("a · ü", stream) == "a · ü"


def test_a_file_name_that_is_no_text_is_shown() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    assert console.fitting("latin-\udce9", stream) == "latin-\\udce9"
