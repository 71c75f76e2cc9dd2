"""Where the files that are not Python live: inside the wheel, else in the checkout.

F0. A wheel carries templates, firmware, CMake module and C headers inside the package; a checkout has the first two
beside it.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def templates() -> Path:
    """The Jinja templates."""
    return _beside("templates")


def firmware() -> Path:
    """The firmware stub project."""
    return _beside("firmware_stub")


def cmake() -> Path:
    """The folder of ArenaCodegenConfig.cmake."""
    return _PACKAGE / "cmake"


def include() -> Path:
    """The include path of `arena_codegen/plan.h`."""
    return _PACKAGE / "include"


def _beside(name: str) -> Path:
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name
