"""Which program plans: what was asked for, what belongs to the package, what the PATH has; on a cross build too."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena_codegen.version import VERSION
from tests.cmake.project import CMAKE_DIR, Project, echo_tool
from tests.support.tools import ROOT, need_tool

LISTS = 'message(STATUS "found <${ARENA_CODEGEN_EXECUTABLE}> <${ArenaCodegen_VERSION}>")\n'


def configure(
    source: Path, *arguments: str, path: Path | None = None, package: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Configures a project without languages on a machine that has no programs but those in `path`."""
    Project(source, "Ninja", source / "none").write({"CMakeLists.txt": LISTS}, languages="NONE")
    where = package / "cmake" if package else CMAKE_DIR
    command = [need_tool("cmake"), "-S", str(source), "-B", str(source / "build"), "-G", "Ninja", *arguments]
    command += [f"-DArenaCodegen_DIR={where}", f"-DCMAKE_MAKE_PROGRAM={need_tool('ninja')}"]
    command += ["-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=FALSE"]
    environment = {**os.environ, "PATH": str(path or source / "no programs")}
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)


def found(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stderr
    line = next(line for line in done.stdout.splitlines() if "-- found <" in line)
    assert line.endswith(f"> <{VERSION}>")
    return line.removeprefix("-- found <").split(">")[0]


def program(folder: Path) -> Path:
    """An `arena-codegen` in a folder."""
    tool = echo_tool(folder)
    return tool.rename(tool.with_name("arena-codegen"))


def python_alone(folder: Path, name: str) -> Path:
    """A Python interpreter by another name."""
    folder.mkdir()
    python = folder / name
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    return python


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The package as an environment has it: <prefix>/lib/python3.x/site-packages/arena_codegen."""
    package = tmp_path / "prefix/lib/python3.12/site-packages/arena_codegen"
    shutil.copytree(CMAKE_DIR, package / "cmake")
    shutil.copy(ROOT / "arena_codegen/version.py", package)
    return package


def test_the_program_that_was_asked_for_comes_first(tmp_path: Path, ninja: str) -> None:
    program(tmp_path / "bin")
    asked = echo_tool(tmp_path / "asked")
    assert found(configure(tmp_path / "s", f"-DARENA_CODEGEN_EXECUTABLE={asked}", path=tmp_path / "bin")) == str(asked)


def test_a_name_is_looked_up_on_the_path_and_a_list_is_a_command(tmp_path: Path, ninja: str) -> None:
    python = python_alone(tmp_path / "bin", "my-python")
    (tmp_path / "tool.py").write_text(f"print({str(CMAKE_DIR)!r})\n")
    asked = f"-DARENA_CODEGEN_EXECUTABLE=my-python;-I;{tmp_path}/tool.py"
    done = configure(tmp_path / "s", asked, path=tmp_path / "bin")
    assert found(done) == f"{python};-I;{tmp_path}/tool.py"
    assert "does not answer" not in done.stderr


def test_the_program_of_the_package_s_environment_comes_before_the_path(
    tmp_path: Path, installed: Path, ninja: str
) -> None:
    program(tmp_path / "bin")
    own = program(tmp_path / "prefix/bin")
    assert found(configure(tmp_path / "s", path=tmp_path / "bin", package=installed)) == str(own)


def test_the_path_comes_next(tmp_path: Path, installed: Path, ninja: str) -> None:
    other = program(tmp_path / "bin")
    assert found(configure(tmp_path / "s", path=tmp_path / "bin", package=installed)) == str(other)


def test_the_module_is_run_where_no_program_is_found(tmp_path: Path, installed: Path, ninja: str) -> None:
    (installed / "__main__.py").write_text(f"print({str(CMAKE_DIR)!r})\n")
    (installed / "__init__.py").write_text("")
    python_alone(tmp_path / "bin", "python3")
    command = found(configure(tmp_path / "s", path=tmp_path / "bin", package=installed)).split(";")
    assert command[-2:] == ["-m", "arena_codegen"]
    assert f"PYTHONPATH={installed.parent}" in command


def test_the_roots_of_a_toolchain_play_no_part(tmp_path: Path, installed: Path, ninja: str) -> None:
    other = program(tmp_path / "bin")
    toolchain = tmp_path / "toolchain.cmake"
    toolchain.write_text(f"""
        set(CMAKE_SYSTEM_NAME Generic)
        set(CMAKE_FIND_ROOT_PATH "{tmp_path}/sysroot")
        set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM ONLY)
    """)
    done = configure(tmp_path / "s", f"-DCMAKE_TOOLCHAIN_FILE={toolchain}", path=tmp_path / "bin", package=installed)
    assert found(done) == str(other)


def test_no_program_at_all_is_said_with_what_to_set(tmp_path: Path, installed: Path, ninja: str) -> None:
    done = configure(tmp_path / "s", package=installed)
    assert done.returncode != 0
    assert "no program arena-codegen was found; set ARENA_CODEGEN_EXECUTABLE" in " ".join(done.stderr.split())


def test_a_program_that_does_not_exist_is_named(tmp_path: Path, ninja: str) -> None:
    for asked in (f"{tmp_path}/nothing", "nothing-of-this-name"):
        done = configure(tmp_path / "s", f"-DARENA_CODEGEN_EXECUTABLE={asked}")
        assert done.returncode != 0
        assert f"ARENA_CODEGEN_EXECUTABLE is {asked}" in " ".join(done.stderr.split())


def test_a_program_that_does_not_answer_is_warned_of_with_its_words(tmp_path: Path, ninja: str) -> None:
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\necho no module named typer >&2\nexit 6\n")
    tool.chmod(0o755)
    done = configure(tmp_path / "s", f"-DARENA_CODEGEN_EXECUTABLE={tool}")
    assert done.returncode == 0
    assert "does not answer (6)" in done.stderr
    assert "no module named typer" in done.stderr


@pytest.mark.parametrize(("wanted", "served"), [
    (VERSION, True), (VERSION.split(".")[0], True), (f"{VERSION} EXACT", True), (f"0.1...{VERSION}", True),
    ("99.0", False), ("0.1", False), (f"0.1...<{VERSION}", False), ("0.1 EXACT", False),
])  # fmt: skip
def test_a_version_is_served_within_its_major_version(tmp_path: Path, wanted: str, served: bool, ninja: str) -> None:
    find = f"find_package(ArenaCodegen {wanted} CONFIG QUIET)\n"
    project = Project(tmp_path / "s", ninja, echo_tool(tmp_path))
    lists = "if(ArenaCodegen_FOUND)\n  message(STATUS served)\nendif()\n"
    project.write({"CMakeLists.txt": lists}, languages="NONE", find=find)
    done = project.configure()
    assert done.returncode == 0, done.stderr
    assert ("-- served" in done.stdout) is served


def test_an_upgraded_package_plans_again(tmp_path: Path, installed: Path, generator: str) -> None:
    """The program stays the same file; the package that it answers with gets a new version."""
    project = Project(tmp_path / "s", generator, echo_tool(tmp_path, says=str(installed / "cmake")))
    project.write({"CMakeLists.txt": "arena_codegen_add_plan(p MODEL m.tflite)\n", "m.tflite": "model"})
    done = project.configure()
    assert done.returncode == 0, done.stderr
    assert project.ok("p_header").plans == 1
    (installed / "version.py").write_text('"""Newer."""\n\nVERSION = "1.2.3"\n')
    assert project.ok("p_header").plans == 1
    assert project.ok("p_header").plans == 0
    assert "arena-codegen 1.2.3: " in project.configure().stdout
