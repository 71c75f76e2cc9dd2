"""The dependency file, as text and as Make and Ninja read it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from arena_codegen.emit.depfile import render_depfile
from arena_codegen.errors import UsageError
from tests.support.tools import need_tool

HOSTILE = [
    "with space.tflite",
    "dollar$x",
    "#hash",
    "per%cent",
    "grün",
    "a\\b",
    "tail\\ space",
    "c:olon",
    "~tilde",
    "[x]",
]


def test_the_target_stands_before_its_inputs_in_their_order() -> None:
    assert render_depfile("out/plan.h", ["m.tflite", "log.txt"]) == b"out/plan.h: m.tflite \\\n  log.txt\n"


def test_an_input_that_was_read_twice_stands_once() -> None:
    assert render_depfile("o", ["m", "m"]) == b"o: m\n"


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("with space", rb"with\ space"),
        ("tab\tbed", b"tab\\\tbed"),
        ("a#b", rb"a\#b"),
        ("a$b", rb"a$$b"),
        ("a\\b", rb"a\b"),
        ("a\\ b", rb"a\\\ b"),
        ("a\\#b", rb"a\\\#b"),
        ("per%cent:colon", rb"per%cent:colon"),
        ("grün", "grün".encode()),
        ("latin-\udce9", b"latin-\xe9"),
    ],
)
def test_signs_that_make_reads_are_escaped(path: str, written: bytes) -> None:
    assert render_depfile(path, [path]) == written + b": " + written + b"\n"


def test_a_path_with_a_line_break_is_refused() -> None:
    with pytest.raises(UsageError) as caught:
        render_depfile("plan.h", ["a\nb"])
    (finding,) = caught.value.findings
    assert (finding.what, finding.where) == ("a depfile cannot name a path with a line break", r"'a\nb'")


@pytest.mark.parametrize("name", ["with space.tflite", "dollar$x", "#hash", "per%cent", "grün", "a\\b"])
def test_make_rebuilds_when_the_input_changes_and_only_then(tmp_path: Path, name: str) -> None:
    make = need_tool("make", "gmake")
    (tmp_path / name).write_bytes(b"model")
    (tmp_path / "out.d").write_bytes(render_depfile("out", [name]))
    (tmp_path / "Makefile").write_text("out:\n\t@touch out; echo built\n-include out.d\n", encoding="utf-8")

    def built() -> bool:
        done = subprocess.run([make, "-s", "out"], cwd=tmp_path, capture_output=True, text=True, check=True)
        return "built" in done.stdout

    assert built()
    os.utime(tmp_path / name, (1, 1))
    assert not built()
    os.utime(tmp_path / name, (4e9, 4e9))
    assert built()


@pytest.mark.parametrize("name", HOSTILE)
def test_ninja_reads_back_the_path_that_was_meant(tmp_path: Path, name: str) -> None:
    ninja = need_tool("ninja")
    (tmp_path / "seed.d").write_bytes(render_depfile("out", [name]))
    (tmp_path / name).write_bytes(b"model")
    text = "rule r\n command = cp seed.d out.d && touch out\n depfile = out.d\n deps = gcc\nbuild out: r\n"
    (tmp_path / "build.ninja").write_text(text, encoding="utf-8")
    subprocess.run([ninja, "out"], cwd=tmp_path, capture_output=True, check=True)
    shown = subprocess.run(
        [ninja, "-t", "deps", "out"], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    assert shown.splitlines()[1:] == [f"    {name}", ""]
