"""The floors of the package: a module imports from lower floors and its own room; third-party packages have a home."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import arena_codegen

PACKAGE = Path(arena_codegen.__file__).parent

FLOORS = {
    "errors": 0, "files": 0, "names": 0, "options": 0, "resources": 0, "text": 0, "version": 0,
    "model": 1, "planning": 1,
    "kernels": 2, "timeline": 2,
    "inference": 3, "requests": 3,
    "layout": 4,
    "budget": 5, "emit": 5,
    "pipeline": 6,
    "advise": 7, "api": 7, "compare": 7, "peers": 7, "verify": 7,
    "cli": 8,
    "__main__": 9, "": 9,
}  # fmt: skip
"""Rooms, which are modules or folders of the package; the empty name is the package's own face."""

HOMES = {
    "numpy": ("planning", "verify"),
    "tflite": ("model",),
    "flatbuffers": ("model",),
    "jinja2": ("emit.environment",),
    "subprocess": ("verify.tools",),
    "tflite_micro": ("verify",),
    "typer": ("cli",),
    "click": ("cli",),
}
"""Where a package may be imported; the standard library may be everywhere, but for what stands here."""


def faults(package: Path) -> list[str]:
    """What breaks the rule in a package folder: `emit.header (F5) imports cli.console (F8)`."""
    names = {_name(path, package): path for path in sorted(package.rglob("*.py"))}
    modules = {f"{package.name}.{name}" for name in names if name}
    found = [
        fault
        for name, path in names.items()
        for target in _imports(path, package, modules)
        if (fault := _fault(name, target, package.name))
    ]
    return list(dict.fromkeys(found))


def _name(path: Path, package: Path) -> str:
    """`emit/header.py` → `emit.header`; `emit/__init__.py` → `emit`; the package itself → an empty name."""
    return ".".join(part for part in path.relative_to(package).with_suffix("").parts if part != "__init__")


def _imports(path: Path, package: Path, modules: set[str]) -> Iterator[str]:
    """Full names that a module imports anywhere, and modules that it names in a string, to load later."""
    here = (package.name, *path.relative_to(package).parent.parts)
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = [*here[: len(here) - node.level + 1]] if node.level else []
            base += [node.module] if node.module else []
            for alias in node.names:
                full = ".".join([*base, alias.name])
                yield full if full in modules else ".".join(base)
        elif isinstance(node, ast.Constant) and node.value in modules:
            yield node.value


def _fault(name: str, target: str, package: str) -> str | None:
    outside, _, inner = target.partition(".")
    if outside != package:
        return _homeless(name, outside)
    room, other = name.split(".")[0], inner.split(".")[0]
    if room not in FLOORS:
        return f"{name} has no floor"
    if room == other or (other in FLOORS and _below(room, other)):
        return None
    return f"{name or package} (F{FLOORS[room]}) imports {inner or package} (F{FLOORS.get(other, '?')})"


def _below(room: str, other: str) -> bool:
    """True where `other` may be seen from `room`. The ground floor is one room; on the others, rooms are strangers."""
    return FLOORS[other] < FLOORS[room] or FLOORS[other] == FLOORS[room] == 0


def _homeless(name: str, package: str) -> str | None:
    if package in HOMES:
        homes = HOMES[package]
        at_home = any(name == home or name.startswith(f"{home}.") for home in homes)
        return None if at_home else f"{name} imports {package}, whose home is {' or '.join(homes)}"
    return None if package in sys.stdlib_module_names else f"{name} imports {package}, which has no home"


def test_modules_import_from_lower_floors_and_their_own_room() -> None:
    assert faults(PACKAGE) == []


def test_every_room_of_the_package_has_a_floor() -> None:
    rooms = {_name(path, PACKAGE).split(".")[0] for path in PACKAGE.rglob("*.py")}
    assert rooms - set(FLOORS) == set()


def made_up(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / "house" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "house" / name).write_text(text)
    return folder / "house"


def test_the_check_names_the_module_that_climbs(tmp_path: Path) -> None:
    late = "def late():\n    from house.cli import console\n"
    house = made_up(tmp_path, {"emit/header.py": late, "cli/console.py": ""})
    assert faults(house) == ["emit.header (F5) imports cli.console (F8)"]


def test_the_check_sees_relative_imports_and_names_in_strings(tmp_path: Path) -> None:
    climbers = {"model/__init__.py": "from ..timeline import x", "requests.py": "HOME = 'house.layout.build'"}
    house = made_up(tmp_path, climbers | {"timeline.py": "", "layout/build.py": ""})
    assert faults(house) == ["model (F1) imports timeline (F2)", "requests (F3) imports layout.build (F4)"]


def test_the_check_keeps_rooms_of_one_floor_apart(tmp_path: Path) -> None:
    files = {
        "kernels/base.py": "import house.timeline",
        "timeline.py": "from . import names",
        "names.py": "from . import errors",
    }
    assert faults(made_up(tmp_path, files | {"errors.py": ""})) == ["kernels.base (F2) imports timeline (F2)"]


def test_the_check_keeps_packages_at_home(tmp_path: Path) -> None:
    files = {"emit/header.py": "import jinja2.ext", "emit/environment.py": "import jinja2"}
    assert faults(made_up(tmp_path, files | {"cli/app.py": "import requests, typer"})) == [
        "cli.app imports requests, which has no home",
        "emit.header imports jinja2, whose home is emit.environment",
    ]


def test_the_check_keeps_the_package_s_face_out_of_the_inner_rooms(tmp_path: Path) -> None:
    files = {
        "verify/run.py": "from house import plan_model",
        "__init__.py": "from house.version import V",
        "version.py": "",
    }
    assert faults(made_up(tmp_path, files)) == ["verify.run (F7) imports house (F9)"]
