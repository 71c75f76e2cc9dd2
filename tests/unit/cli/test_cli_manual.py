"""The manual pages, and what a start loads."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from arena_codegen.cli.main import COMMANDS
from tests.support.commands import Command
from tests.support.golden import check_golden
from tests.support.tools import ROOT

HEAVY = ("numpy", "jinja2", "tflite", "flatbuffers", "pydantic", "rich")


@pytest.mark.parametrize("words", [(), *((name,) for name in COMMANDS)])
def test_every_command_has_a_page_that_fits(
    command: Command, monkeypatch: pytest.MonkeyPatch, words: tuple[str]
) -> None:
    for columns in (60, 80, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        done = command(*words, "--help")
        assert (done.code, done.err) == (0, "")
        assert max(map(len, done.out.splitlines())) <= min(columns, 100)
        assert done.out.startswith("NAME\n    arena-codegen")
        assert "\nEXIT STATUS\n" in done.out
        assert command(*words, "-h").out == done.out


def test_golden_manual(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    check_golden("manual", {"arena-codegen.txt": command("--help").out})


def test_the_page_of_plan_is_the_page_of_the_tool(command: Command) -> None:
    assert command("plan", "--help").out == command("--help").out


def test_the_page_names_every_command_and_every_exit_code(command: Command) -> None:
    page = command("--help").out
    assert all(f"\n    {name} " in page for name in COMMANDS)
    codes = [int(line.split()[0]) for line in page.split("EXIT STATUS\n")[1].split("\n\n")[0].splitlines()]
    assert codes == [0, 1, 2, 3, 4, 5, 6, 70, 130]


@pytest.mark.parametrize("word", ["--help", "--version", "--cmake-dir"])
def test_help_and_version_load_typer_and_nothing_else(word: str) -> None:
    code = f"""
import json, sys, typer
before = set(sys.modules)
from arena_codegen.cli.main import run
assert run([{word!r}]) == 0
print()
print(json.dumps([name for name in {HEAVY!r} if name in set(sys.modules) - before]))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == []


def test_a_plan_does_not_load_pydantic_to_read_its_words() -> None:
    code = """
import sys, typer
before = set(sys.modules)
from arena_codegen.cli.main import run
assert run(["no.tflite", "-o", "plan.h", "--keep", "a", "--align", "8", "--no-in-place"]) == 3
assert not {"pydantic", "rich"} & (set(sys.modules) - before)
"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
