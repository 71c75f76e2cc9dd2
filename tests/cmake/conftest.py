"""Both generators, skipped by name where one is missing."""

from __future__ import annotations

import pytest

from tests.support.tools import need_tool

MAKE, NINJA = "Unix Makefiles", "Ninja"


@pytest.fixture(scope="session", autouse=True)
def cmake() -> str:
    """CMake and a C compiler, which all tests here need."""
    need_tool("cc", "gcc", "clang")
    return need_tool("cmake")


@pytest.fixture(scope="module", params=[NINJA, MAKE], ids=["ninja", "make"])
def generator(request: pytest.FixtureRequest) -> str:
    need_tool("ninja" if request.param == NINJA else "make")
    return str(request.param)


@pytest.fixture(scope="session")
def ninja() -> str:
    """The generator where one is enough."""
    need_tool("ninja")
    return NINJA
