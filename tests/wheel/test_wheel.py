"""The wheel and the sdist carry all that they need, and work when installed alone in an empty folder."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.support import models
from tests.support.tools import ROOT, need_package, need_tool

OUTSIDE_PYTHON = ("templates/c/", "firmware_stub/CMakeLists.txt", "firmware_stub/board/mps2_an386/")
INSIDE_PACKAGE = ("cmake/ArenaCodegenConfig.cmake", "include/arena_codegen/plan.h")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A wheel and an sdist, built from the checkout without the network."""
    need_package("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    return {"wheel": next(folder.glob("*.whl")), "sdist": next(folder.glob("*.tar.gz"))}


@pytest.fixture(scope="module")
def installed(built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `arena-codegen` of an environment that has the wheel and, of this one, only the dependencies."""
    folder = tmp_path_factory.mktemp("installed")
    venv = folder / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", str(venv))
    site = next((venv / "lib").glob("python*/site-packages"))
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    pip = [sys.executable, "-m", "pip", "--python", str(venv / "bin" / "python")]
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", "--no-warn-script-location", str(built["wheel"]))
    return venv / "bin" / "arena-codegen"


def run(*command: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def test_the_wheel_carries_templates_firmware_cmake_and_headers(built: dict[str, Path]) -> None:
    names = zipfile.ZipFile(built["wheel"]).namelist()
    for wanted in (*OUTSIDE_PYTHON, *INSIDE_PACKAGE):
        assert any(name.startswith(f"arena_codegen/{wanted}") for name in names), wanted
    assert not [name for name in names if not name.startswith("arena_codegen")]


def test_the_sdist_carries_what_the_wheel_is_built_from_and_the_tests(built: dict[str, Path]) -> None:
    with tarfile.open(built["sdist"]) as archive:
        names = ["/".join(name.split("/")[1:]) for name in archive.getnames()]
    for wanted in (*OUTSIDE_PYTHON, *(f"arena_codegen/{path}" for path in INSIDE_PACKAGE), "tests/wheel/", "Makefile"):
        assert any(name.startswith(wanted) for name in names), wanted


def test_nothing_built_or_downloaded_is_packed(built: dict[str, Path]) -> None:
    with tarfile.open(built["sdist"]) as archive:
        names = archive.getnames() + zipfile.ZipFile(built["wheel"]).namelist()
    assert not [name for name in names if name.endswith((".pyc", ".o", ".elf", ".whl")) or "/build/" in name]
    assert not [name for name in names if name.endswith(".tflite")]


def test_the_installed_tool_plans_in_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "m.tflite").write_bytes(models.residual())
    done = run(str(installed), "m.tflite", "-o", "plan.h", "--json", "plan.json", cwd=tmp_path)
    assert done.stdout.startswith("arena-codegen: plan.h arena=")
    assert "M_ARENA_SIZE" in (tmp_path / "plan.h").read_text()


def test_the_installed_folders_are_inside_the_environment(installed: Path, tmp_path: Path) -> None:
    for option, file in (
        ("--cmake-dir", "ArenaCodegenConfig.cmake"),
        ("--include-dir", "arena_codegen/plan.h"),
    ):
        folder = Path(run(str(installed), option, cwd=tmp_path).stdout.strip())
        assert (folder / file).is_file()
        assert installed.parent.parent in folder.parents


def test_the_installed_tool_proves_a_plan_on_the_board(installed: Path, tmp_path: Path) -> None:
    need_tool("arm-none-eabi-gcc")
    need_tool("qemu-system-arm")
    (tmp_path / "m.tflite").write_bytes(models.residual())
    done = run(str(installed), "verify", "m.tflite", "--build-dir", "firmware", cwd=tmp_path)
    assert "ok" in done.stdout
