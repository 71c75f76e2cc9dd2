"""Tools and packages that some tests need: a missing one skips a test by name, or fails it where they are required."""

from __future__ import annotations

import importlib
import os
import shutil
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
"""Models and records that a developer may have beside the checkout; users have none."""

REQUIRED = os.environ.get("ARENA_REQUIRE_TOOLS") == "1"


def need_tool(*names: str) -> str:
    """The path of the first of these programs that is installed; skips, or fails where tools are required."""
    for name in names:
        if path := shutil.which(name):
            return path
    _missing(" or ".join(names))
    raise AssertionError


def need_package(name: str) -> ModuleType:
    """The imported package; skips, or fails where tools are required."""
    try:
        return importlib.import_module(name)
    except ImportError:
        _missing(f"the Python package {name}")
        raise


def need_path(path: Path, what: str) -> Path:
    """The path, which `make tools` fetches; skips, or fails where tools are required."""
    if not path.exists():
        _missing(what)
    return path


def need_cmsis() -> None:
    """CMSIS-NN, which `make tools` fetches, or which CMSIS_NN_DIR names; skips, or fails where tools are required."""
    if not os.environ.get("CMSIS_NN_DIR"):
        need_path(ROOT / "build" / "cmsis" / ".complete", "CMSIS-NN in the wheel bakenn")


def shared_models(*names: str) -> list[Path]:
    """The named models that lie beside the checkout, to run tests over: users have none, so none is missed."""
    return [path for name in names if (path := SHARED / "models" / f"{name}.tflite").exists()]


def _missing(what: str) -> None:
    message = f"{what} is not installed (make tools)"
    if REQUIRED:
        pytest.fail(message)
    pytest.skip(message)
