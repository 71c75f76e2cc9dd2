"""What these tests share: the tools, and compiled parts that are kept for the whole run."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_codegen.verify import firmware
from tests.support.tools import need_tool


@pytest.fixture(scope="session")
def arm_gcc() -> str:
    return need_tool("arm-none-eabi-gcc")


@pytest.fixture(scope="session")
def qemu() -> str:
    return need_tool("qemu-system-arm")


@pytest.fixture(scope="session")
def stub_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("stub")


@pytest.fixture
def board(arm_gcc: str, qemu: str, stub_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The board can be used, and does not write to the user's cache."""
    monkeypatch.setattr("arena_codegen.verify.pattern.cache_folder", lambda: stub_cache)
    assert firmware.stub_sources()
