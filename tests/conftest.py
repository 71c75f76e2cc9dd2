"""Fixtures that tests of several folders use."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import Command


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command line in this process, in an empty folder, without colour and 100 columns wide."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("LC_ALL", "LC_CTYPE", "LANG", "PYTHONUTF8", "PYTHONIOENCODING", "ARENA_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return Command(tmp_path, capsys)
