"""Fixtures that tests of several folders use."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import Command


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out tests over files beside a developer's checkout, where there are none: nothing is skipped then."""
    empty = [item for item in items if any(map(_has_no_cases, item.iter_markers("skip")))]
    if empty:
        config.hook.pytest_deselected(items=empty)
        items[:] = [item for item in items if item not in empty]


def _has_no_cases(mark: pytest.Mark) -> bool:
    return "got empty parameter set" in str(mark.kwargs.get("reason", ""))


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command line in this process, in an empty folder, without colour and 100 columns wide."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("LC_ALL", "LC_CTYPE", "LANG", "PYTHONUTF8", "PYTHONIOENCODING", "ARENA_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return Command(tmp_path, capsys)
