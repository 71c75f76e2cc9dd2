"""The board itself: it starts up as it should, and faults and hangs end with a message and a code."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from arena_codegen import resources
from arena_codegen.errors import VerdictError
from arena_codegen.verify.qemu import run_program
from arena_codegen.verify.tools import Ended
from arena_codegen.verify.verdict import read_verdicts
from tests.firmware.plans import layout_of, model_of
from tests.support import models

STUB = resources.firmware()
PROGRAMS = Path(__file__).parent / "programs"
EXIT_FAULT, EXIT_HANG = 2, 3

Build = Callable[..., Ended]


@pytest.fixture(scope="module")
def build(arm_gcc: str, qemu: str, tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Builds a program from sources of ours, the board, and what else of the stub is named; gives what it said."""
    folder = tmp_path_factory.mktemp("programs")
    flags = [word for name in ("board/mps2_an386/flags.txt", "flags.txt") for word in (STUB / name).read_text().split()]
    flags += [f"-I{STUB / 'src'}", f"-I{STUB / 'board/mps2_an386'}", f"-I{resources.include()}"]
    stub = [*(STUB / "board").glob("*.c"), *(STUB / "board/mps2_an386").glob("*.c"), *(STUB / "src").glob("*.c")]
    subprocess.run([arm_gcc, *flags, "-c", *map(str, stub)], cwd=folder, check=True)
    board = [f"{path.stem}.o" for path in stub if path.parent.name != "src"]
    check = [f"{path.stem}.o" for path in stub if path.parent.name == "src"]
    link = [
        *(STUB / "link_flags.txt").read_text().split(),
        "-T",
        str(STUB / "board/mps2_an386/memory.ld"),
        "-o",
        "p.elf",
    ]

    def made(*sources: Path, more: tuple[str, ...] = (), with_check: bool = False, timeout: float = 30.0) -> Ended:
        objects = [*board, *(check if with_check else ())]
        subprocess.run([arm_gcc, *flags, *more, *map(str, sources), *objects, *link], cwd=folder, check=True)
        return run_program(folder / "p.elf", timeout=timeout)

    return made


def last_line(ended: Ended) -> str:
    return ended.output.strip().splitlines()[-1]


def test_main_finds_its_data_its_stack_and_the_fpu(build: Build) -> None:
    ended = build(PROGRAMS / "start_up.c")
    assert ended.output == "data bss psp fpu -2147483648 4294967295 0x0000001f\n"
    assert ended.code == 42


def test_a_bus_fault_names_address_pc_and_operator(build: Build) -> None:
    ended = build(PROGRAMS / "bus_fault.c")
    assert last_line(ended).startswith("Bail out! BusFault at address 0x90000000, pc 0x00000")
    assert last_line(ended).endswith(", during op 3 CONV_2D")
    assert ended.code == EXIT_FAULT


def test_an_undefined_instruction_is_a_usage_fault(build: Build) -> None:
    ended = build(PROGRAMS / "undefined.c")
    assert last_line(ended).startswith("Bail out! UsageFault, pc 0x00000")
    assert ended.code == EXIT_FAULT


def test_a_stack_overflow_is_called_so(build: Build) -> None:
    ended = build(PROGRAMS / "stack_overflow.c")
    assert last_line(ended).startswith("Bail out! MemManage fault at address 0x1fff")
    assert "stack overflow" in last_line(ended)
    assert last_line(ended).endswith(", during op 3 CONV_2D")
    assert ended.code == EXIT_FAULT


def test_a_write_through_a_null_pointer_faults(build: Build) -> None:
    ended = build(PROGRAMS / "null_write.c")
    assert last_line(ended).startswith("Bail out! MemManage fault at address 0x00000004, pc 0x00000")
    assert ended.code == EXIT_FAULT


def test_a_hang_names_the_operator(build: Build) -> None:
    ended = build(PROGRAMS / "hang.c")
    assert last_line(ended) == "Bail out! no progress for 1 seconds during op 3 CONV_2D"
    assert ended.code == EXIT_HANG


def test_a_hang_that_no_interrupt_ends_is_ended_from_outside(build: Build) -> None:
    ended = build(PROGRAMS / "deaf_hang.c", timeout=1.0)
    assert ended.timed_out
    with pytest.raises(VerdictError, match="did not end within 1 seconds") as error:
        read_verdicts(ended, [layout_of(model_of(models.chain()))], 1.0)
    assert "ok 1 - before it hung" in error.value.findings[0].hint


def wild(build: Build, byte: int, operator: str = "op 1 RELU") -> list[str]:
    """The failures of the example while something writes to a byte as an operator begins."""
    more = ("-Wl,--wrap=board_running", f'-DWILD_OPERATOR="{operator}"', f"-DWILD_BYTE=({byte})")
    ended = build(STUB / "example/residual.c", PROGRAMS / "wild_write.c", more=more, with_check=True)
    assert ended.code == 1
    return [line.partition(" - ")[2] for line in ended.output.splitlines() if line.startswith("not ok")]


def test_a_write_below_the_arena_is_found_in_the_guard_zone(build: Build) -> None:
    found = "the guard zone was overwritten at byte -1 of an arena of 256"
    assert wild(build, -1) == [f"scope 2 op 1 RELU: {found}", f"op 1 RELU: {found}", f"op 1 RELU: {found}"]


def test_a_write_above_the_arena_is_found_in_the_guard_zone(build: Build) -> None:
    found = "the guard zone was overwritten at byte 256 of an arena of 256"
    assert wild(build, 256) == [f"scope 2 op 1 RELU: {found}", f"op 1 RELU: {found}", f"op 1 RELU: {found}"]


def test_a_write_that_is_no_buffers_is_blamed_on_nobody(build: Build) -> None:
    found = "'a' [128, 256) was overwritten by nobody that the plan knows at byte 255"
    assert wild(build, 255) == [f"scope 2 op 1 RELU: {found}", f"op 1 RELU: {found}", f"op 1 RELU: {found}"]
