"""Programs are found, run, and ended."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena_codegen.errors import ToolError
from arena_codegen.verify.tools import COMPILER, Tool, find, run

NOTHING = Tool("no-such-program-anywhere", "no-such-package", "ARENA_NOTHING")


def test_a_missing_program_is_named_with_its_package_and_its_variable() -> None:
    with pytest.raises(ToolError) as error:
        find(NOTHING)
    (finding,) = error.value.findings
    assert finding.what == "no-such-program-anywhere is not installed"
    assert finding.hint == "apt install no-such-package, or set ARENA_NOTHING to its path"


def test_a_variable_overrides_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(COMPILER.variable, sys.executable)
    assert find(COMPILER) == sys.executable


def test_a_variable_that_names_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(COMPILER.variable, "/no/such/gcc")
    with pytest.raises(ToolError, match="ARENA_CC names no program: /no/such/gcc"):
        find(COMPILER)


def test_output_errors_and_code_are_kept_apart() -> None:
    ended = run(
        [sys.executable, "-c", "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"], timeout=30
    )
    assert (ended.code, ended.output, ended.errors, ended.timed_out) == (3, "out\n", "err\n", False)


def test_what_was_said_before_the_time_was_up_is_kept() -> None:
    ended = run([sys.executable, "-uc", "print('said'); import time; time.sleep(60)"], timeout=1.0)
    assert ended.timed_out
    assert ended.output == "said\n"


def test_bytes_that_are_no_text_do_not_matter() -> None:
    ended = run([sys.executable, "-c", "import os; os.write(1, bytes([255, 10]))"], timeout=30)
    assert ended.output == "\ufffd\n"


def test_a_program_that_cannot_be_started_is_said(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("not a program")
    with pytest.raises(ToolError, match="cannot be started"):
        run([str(path)], timeout=1.0)


def test_a_relative_path_holds_in_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gcc").write_text("#!/bin/sh\n")
    (tmp_path / "gcc").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(COMPILER.variable, "./gcc")
    assert find(COMPILER) == str(tmp_path / "gcc")
