"""Building: what is compiled is kept, and tools that are missing or cannot are named."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from arena_codegen import resources
from arena_codegen.errors import FitError, ToolError, UsageError, VerdictError
from arena_codegen.verify import firmware, run_pattern_check
from arena_codegen.verify.board import MPS2_AN386
from tests.firmware.plans import layout_of, model_of
from tests.support import models
from tests.support.tools import need_tool

STUB = resources.firmware()


def script(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text("#!/bin/sh\n" + text + "\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def counted(board: None, arm_gcc: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A compiler that writes down each call."""
    log = tmp_path / "calls.txt"
    compiler = script(tmp_path, "gcc", f'echo "$@" >> "{log}"\nexec "{arm_gcc}" "$@"')
    monkeypatch.setenv("ARENA_CC", str(compiler))
    return log


def compiled(log: Path) -> list[str]:
    """The C files that were compiled since the last look."""
    names = [word.rpartition("/")[2] for word in log.read_text().split() if word.endswith(".c")]
    log.write_text("")
    return names


@pytest.fixture
def folder(board: None, stub_cache: Path, tmp_path: Path) -> Path:
    """A build folder in which the stub is compiled already."""
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "stub").symlink_to(stub_cache)
    return tmp_path / "build"


def test_a_further_model_compiles_one_file(counted: Path, tmp_path: Path) -> None:
    for data in (models.chain(), models.residual()):
        model = model_of(data)
        assert run_pattern_check(model, layout_of(model), build_dir=tmp_path / "build dir").passed
        if data == models.chain():
            assert sorted(compiled(counted)) == sorted([*(path.name for path in firmware.stub_sources()), "runner.c"])
    assert compiled(counted) == ["runner.c"]


def test_the_build_folder_keeps_what_was_built(folder: Path) -> None:
    model = model_of(models.chain())
    run_pattern_check(model, layout_of(model), build_dir=folder)
    assert {"plan.h", "runner.c", "firmware.elf", "report.tap"} <= {path.name for path in folder.iterdir()}
    assert (folder / "report.tap").read_text().startswith("TAP version 13\n")


def test_the_same_model_gives_the_same_generated_files(folder: Path) -> None:
    model = model_of(models.if_model())
    texts = []
    for _ in range(2):
        run_pattern_check(model, layout_of(model), build_dir=folder)
        texts.append([(folder / file).read_bytes() for file in ("plan.h", "runner.c", "report.tap")])
    assert texts[0] == texts[1]


def test_a_broken_cache_is_filled_again(board: None, stub_cache: Path) -> None:
    model = model_of(models.chain())
    run_pattern_check(model, layout_of(model))
    for path in stub_cache.glob("*/main.o"):
        path.unlink()
    assert run_pattern_check(model, layout_of(model)).passed


def test_the_cache_follows_the_users_setting(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert firmware.cache_folder() == tmp_path / "arena-codegen" / "firmware"


@pytest.mark.parametrize(
    ("variable", "program", "package"),
    [
        ("ARENA_CC", "arm-none-eabi-gcc", "gcc-arm-none-eabi"),
        ("ARENA_QEMU", "qemu-system-arm", "qemu-system-arm"),
    ],
)
def test_a_missing_tool_is_named_with_its_package_and_its_variable(
    board: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, program: str, package: str
) -> None:
    other = {"ARENA_CC": "qemu-system-arm", "ARENA_QEMU": "arm-none-eabi-gcc"}[variable]
    monkeypatch.setenv({"ARENA_CC": "ARENA_QEMU", "ARENA_QEMU": "ARENA_CC"}[variable], need_tool(other))
    monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    model = model_of(models.chain())
    with pytest.raises(ToolError) as error:
        run_pattern_check(model, layout_of(model))
    finding = error.value.findings[0]
    assert finding.what == f"{program} is not installed"
    assert package in finding.hint
    assert variable in finding.hint


def test_a_variable_that_names_no_program_is_said(board: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_QEMU", "/no/such/program")
    model = model_of(models.chain())
    with pytest.raises(ToolError, match="ARENA_QEMU names no program: /no/such/program"):
        run_pattern_check(model, layout_of(model))


def test_a_compiler_for_another_machine_is_refused(
    board: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_CC", str(script(tmp_path, "cc", "echo 'Target: x86_64-linux-gnu' >&2")))
    model = model_of(models.chain())
    with pytest.raises(ToolError, match="makes code for x86_64-linux-gnu, not for arm-none-eabi"):
        run_pattern_check(model, layout_of(model))


def test_a_missing_c_library_is_named_with_its_package(
    board: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "echo 'Target: arm-none-eabi' >&2\n[ \"$1\" = -v ] && exit 0\n"
    text += "echo 'fatal error: cannot read spec file' >&2; exit 1"
    monkeypatch.setenv("ARENA_CC", str(script(tmp_path, "cc", text)))
    model = model_of(models.chain())
    with pytest.raises(ToolError) as error:
        run_pattern_check(model, layout_of(model), build_dir=tmp_path)
    assert "libnewlib-arm-none-eabi" in error.value.findings[0].hint


def test_an_emulator_that_says_nothing_is_no_verdict(
    board: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_QEMU", str(script(tmp_path, "qemu", "echo 'no such machine' >&2; exit 1")))
    model = model_of(models.chain())
    with pytest.raises(VerdictError, match="report broke off") as error:
        run_pattern_check(model, layout_of(model))
    assert "no such machine" in error.value.findings[0].hint


def test_a_hanging_emulator_is_ended_with_its_children(
    board: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = tmp_path / "child"
    monkeypatch.setenv("ARENA_QEMU", str(script(tmp_path, "qemu", f'sleep 60 & echo $! > "{note}"; wait')))
    model = model_of(models.chain())
    with pytest.raises(VerdictError, match="did not end within 1 seconds"):
        run_pattern_check(model, layout_of(model), timeout=1.0)
    state = Path(f"/proc/{note.read_text().strip()}/stat")
    assert not state.exists() or state.read_text().split()[2] == "Z"


def test_a_folder_that_cannot_be_written_is_a_usage_error(board: None, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    model = model_of(models.chain())
    with pytest.raises(UsageError, match="cannot be written"):
        run_pattern_check(model, layout_of(model), build_dir=tmp_path / "file")


def test_an_arena_too_large_for_sram_goes_to_psram(folder: Path) -> None:
    model = model_of(models.chain(2, (1, 1400, 1000)))
    assert run_pattern_check(model, layout_of(model, strategy="naive"), build_dir=folder).passed
    assert ".noinit.arena_psram" in (folder / "plan.h").read_text()


def test_an_arena_too_large_for_the_board_does_not_fit(board: None) -> None:
    model = model_of(models.chain(2, (1, 3000, 3000)))
    with pytest.raises(FitError, match="beyond the board's memory: the arena has 18000000 bytes"):
        run_pattern_check(model, layout_of(model))


def test_the_boards_memories_are_those_of_its_linker_script() -> None:
    script = (STUB / "board" / MPS2_AN386.folder / "memory.ld").read_text()
    sizes = {memory.name: memory.bytes for memory in MPS2_AN386.memories} | {"CODE": MPS2_AN386.code_bytes}
    for name, size in sizes.items():
        assert f"{name} " in script
        assert any(
            line.split()[0] == name and line.endswith(f"LENGTH = {size >> 20}M")
            for line in map(str.strip, script.splitlines())
            if line
        )
    for memory in MPS2_AN386.memories:
        assert f"*({memory.section})" in script
    assert (STUB / "board" / MPS2_AN386.folder / "machine.txt").read_text().strip() == MPS2_AN386.machine


def test_the_firmware_has_no_heap_and_no_printf(folder: Path) -> None:
    model = model_of(models.chain())
    run_pattern_check(model, layout_of(model), build_dir=folder)
    listing = subprocess.run(
        [need_tool("arm-none-eabi-nm"), folder / "firmware.elf"], capture_output=True, text=True, check=True
    ).stdout
    names = {line.split()[-1] for line in listing.splitlines()}
    assert "main" in names
    assert not [name for name in names if "printf" in name or name.strip("_") in ("malloc", "sbrk", "free", "malloc_r")]


def test_the_stub_builds_alone_with_cmake(folder: Path, tmp_path: Path) -> None:
    cmake = need_tool("cmake")
    need_tool("ninja")
    model = model_of(models.while_model())
    run_pattern_check(model, layout_of(model), build_dir=folder)
    for number, more in enumerate(([], [f"-DARENA_RUNNER={folder / 'runner.c'}"])):
        place = tmp_path / f"build {number}"
        configure = [cmake, "-S", STUB, "-B", place, "-G", "Ninja", "-DCMAKE_TOOLCHAIN_FILE=cmake/arm-none-eabi.cmake"]
        environment = {key: value for key, value in os.environ.items() if key not in ("CFLAGS", "LDFLAGS")}
        subprocess.run([*configure, *more], check=True, capture_output=True, env=environment)
        told = subprocess.run([cmake, "--build", place, "--target", "run"], check=True, capture_output=True, text=True)
        assert "failures 0" in told.stdout
        again = subprocess.run([cmake, "--build", place], check=True, capture_output=True, text=True)
        assert "no work to do" in again.stdout
