"""Expected outputs: a folder of files under tests/golden, compared whole, list of files included.

`ARENA_UPDATE_GOLDEN=1` (make golden) rewrites the folder instead; its diff is read like code. The tool's version is a
field, so that a release changes no expected output.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from arena_codegen.version import VERSION
from tests.support.tools import ROOT

GOLDEN = ROOT / "tests" / "golden"
UPDATE = os.environ.get("ARENA_UPDATE_GOLDEN") == "1"

_MADE_BY = f"arena-codegen {VERSION}"
_FIELD = "arena-codegen @VERSION@"


def check_golden(folder: str, files: Mapping[str, str | bytes]) -> None:
    """Asserts that the folder `tests/golden/<folder>` holds exactly these files (name → text), byte for byte."""
    place = GOLDEN / folder
    made = {name: _without_version(text) for name, text in files.items()}
    if UPDATE:
        _rewrite(folder, made)
    found = {path.relative_to(place).as_posix(): path.read_bytes() for path in place.rglob("*") if path.is_file()}
    assert sorted(found) == sorted(made), f"the files of tests/golden/{folder}; make golden rewrites them"
    for name, data in made.items():
        # Compared as text where possible, since pytest then shows the lines that differ.
        assert _text(data) == _text(found[name]), f"tests/golden/{folder}/{name}; make golden rewrites it"


def _without_version(text: str | bytes) -> bytes:
    data = text.encode() if isinstance(text, str) else text
    assert _FIELD.encode() not in data
    return data.replace(_MADE_BY.encode(), _FIELD.encode())


def _rewrite(folder: str, made: Mapping[str, bytes]) -> None:
    place = GOLDEN / folder
    for path in sorted(place.rglob("*")) if place.is_dir() else ():
        if path.is_file() and path.relative_to(place).as_posix() not in made:
            path.unlink()
    for name, data in made.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _text(data: bytes) -> str | bytes:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data
