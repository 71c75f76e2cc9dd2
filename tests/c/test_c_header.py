"""Generated headers under compilers: no warning, one arena, tables in read-only memory, and what they refuse."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena_codegen.emit.header import linker_line, render_header
from arena_codegen.names import c_prefix
from arena_codegen.resources import include
from tests.support.compilers import (
    C_COMPILERS,
    CORTEX_M4,
    CPP_COMPILERS,
    must,
    run,
    section_types,
    symbols,
    warnings_for,
    write,
)
from tests.support.layouts import layout, many, small, with_everything

HERE = Path(__file__).parent
C_STANDARDS = ("c99", "c11", "c17", "gnu99", "gnu17")
CPP_STANDARDS = ("c++11", "c++14", "c++17", "c++20")

IMPLEMENT = "#define KWS_PLAN_IMPLEMENTATION\n#define CHAIN_PLAN_IMPLEMENTATION\n#define NOTHING_PLAN_IMPLEMENTATION\n"
ALL = '#include "kws.h"\n#include "chain.h"\n#include "nothing.h"\n'

UNITS = {
    "alone": '#include "kws.h"\n',
    "twice": ALL + ALL,
    "implemented_first": IMPLEMENT + ALL + ALL,
    "implemented_later": ALL + IMPLEMENT + ALL + ALL,
    "without_arena": '#define KWS_PLAN_NO_ARENA\n#define KWS_PLAN_IMPLEMENTATION\n#include "kws.h"\n',
    "own_arena": '#define KWS_PLAN_NO_ARENA\n#include "kws.h"\nARENA_ALIGN(16) uint8_t kws_arena[KWS_ARENA_BYTES];\n',
    "after_types": '#include "arena_codegen/plan.h"\n' + ALL,
    "before_types": ALL + '#include "arena_codegen/plan.h"\n',
    "types": '#include "arena_codegen/plan.h"\n',
    "long": '#include "long.h"\n'
    + f"#define {c_prefix('long' * 50).upper()}_PLAN_IMPLEMENTATION\n"
    + '#include "long.h"\n',
    "use": (HERE / "use.h").read_text(encoding="ascii"),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three headers (everything, 700 buffers, nothing) and the translation units that include them."""
    folder = tmp_path_factory.mktemp("project")
    headers = {
        "kws.h": render_header(with_everything(), prefix="kws", section=".bss.arena"),
        "chain.h": render_header(many(700), prefix="chain"),
        "nothing.h": render_header(layout(), prefix="nothing"),
        "long.h": render_header(small(), prefix=c_prefix("long" * 50), section=".bss.arena"),
    }
    write(folder, headers.items())
    for extension in ("c", "cpp"):
        write(folder, ((f"{name}.{extension}", text) for name, text in UNITS.items()))
    return folder


def compilers() -> list[tuple[str, str, str]]:
    pairs = [(compiler, standard, "c") for compiler in C_COMPILERS for standard in C_STANDARDS]
    return pairs + [(compiler, standard, "cpp") for compiler in CPP_COMPILERS for standard in CPP_STANDARDS]


@pytest.mark.parametrize(("compiler", "standard", "extension"), compilers())
def test_headers_compile_without_a_warning(project: Path, compiler: str, standard: str, extension: str) -> None:
    language = {"c": "c", "cpp": "c++"}[extension]
    units = [f"{name}.{extension}" for name in UNITS]
    flags = (f"-std={standard}", *warnings_for(compiler), f"-I{include()}", "-fsyntax-only", "-x", language)
    must(compiler, *flags, *units, "kws.h", "chain.h", "nothing.h", cwd=project)


@pytest.mark.parametrize("target", ["armv7m-none-eabi", "riscv32-unknown-elf", "msp430"])
def test_headers_compile_for_other_targets_without_a_library(project: Path, target: str) -> None:
    """Freestanding; on one of them int has 16 bits."""
    flags = ("-target", target, "-ffreestanding", "-std=c99", *warnings_for("clang"), f"-I{include()}", "-fsyntax-only")
    must("clang", *flags, "implemented_later.c", "use.c", cwd=project)


@pytest.mark.parametrize("holder", ["c", "cpp"])
def test_c_and_cpp_units_share_one_arena_and_one_plan(project: Path, tmp_path: Path, holder: str) -> None:
    """The program checks the table, the fingerprint and the alignment; see check_plan.c."""
    other = {"c": "cpp", "cpp": "c"}[holder]
    flags = (f"-I{project}", f"-I{include()}")
    write(
        tmp_path, [(f"expected.{holder}", IMPLEMENT + ALL), (f"first.{other}", 'char first = 1;\n#include "kws.h"\n')]
    )
    must("gcc", "-std=c99", "-c", *flags, *([f"expected.{holder}"] if holder == "c" else [f"first.{other}"]),
         HERE / "check_plan.c", cwd=tmp_path)  # fmt: skip
    must("g++", "-std=c++20", "-c", *flags, *([f"expected.{holder}"] if holder == "cpp" else [f"first.{other}"]),
         HERE / "touch_arena.cpp", cwd=tmp_path)  # fmt: skip
    must("g++", "first.o", "expected.o", "check_plan.o", "touch_arena.o", "-o", "program", cwd=tmp_path)
    rows = [" ".join(map(str, (row.offset, row.bytes, row.first, row.last))) for row in with_everything().buffers]
    assert must(str(tmp_path / "program"), cwd=tmp_path).splitlines() == [*rows, "all is well"]
    found = symbols("program", tmp_path)
    assert [size for name, (_, size) in found.items() if name == "kws_arena"] == [2048]
    assert [name for name in found if "arena" in name and name.startswith("kws")] == ["kws_arena"]


@pytest.mark.parametrize(("compiler", "extension"), [("arm-none-eabi-gcc", "c"), ("arm-none-eabi-g++", "cpp")])
def test_cortex_m4_has_the_plan_in_read_only_memory_and_the_arena_in_bss(
    project: Path, compiler: str, extension: str
) -> None:
    must(compiler, *CORTEX_M4, "-c", f"implemented_later.{extension}", "-o", f"m4_{extension}.o", cwd=project)
    found = symbols(f"m4_{extension}.o", project, "arm-none-eabi-nm")
    assert found["kws_plan"] == ("R", 36)
    assert found["kws_buffers"] == ("r", 6 * 16)
    assert found["chain_buffers"] == ("r", 700 * 16)
    assert found["nothing_buffers"] == ("r", 16)
    assert found["kws_arena"] == ("B", 2048)
    assert found["nothing_arena"] == ("B", 1)
    assert [name for name, (kind, _) in found.items() if kind in "dD"] == []


def test_a_unit_that_only_includes_headers_costs_nothing(project: Path) -> None:
    must("arm-none-eabi-gcc", *CORTEX_M4, "-c", "twice.c", "-o", "twice.o", cwd=project)
    assert symbols("twice.o", project, "arm-none-eabi-nm") == {}


def test_without_its_arena_the_implementation_holds_the_plan_alone(project: Path) -> None:
    must("arm-none-eabi-gcc", *CORTEX_M4, "-c", "without_arena.c", "-o", "without_arena.o", cwd=project)
    assert set(symbols("without_arena.o", project, "arm-none-eabi-nm")) == {"kws_plan", "kws_buffers"}


def in_section(folder: Path, section: str | None) -> dict[str, str]:
    header = render_header(small(), prefix="kws", section=section)
    write(folder, [("plan.h", header), ("plan.c", '#define KWS_PLAN_IMPLEMENTATION\n#include "plan.h"\n')])
    must("arm-none-eabi-gcc", "-mcpu=cortex-m4", "-std=c11", *warnings_for("gcc"), "-c", "plan.c", cwd=folder)
    return section_types("plan.o", folder)


@pytest.mark.parametrize("section", [".bss", ".bss.arena", ".noinit", ".noinit.arena"])
def test_sections_that_need_no_note_carry_no_zeros(tmp_path: Path, section: str) -> None:
    assert in_section(tmp_path, section)[section] == "NOBITS"


def test_without_a_section_the_arena_is_in_bss(tmp_path: Path) -> None:
    assert in_section(tmp_path, None)[".bss"] == "NOBITS"


@pytest.mark.parametrize("section", [".ccmram", "DTCM", ".bssx"])
def test_the_line_for_the_linker_script_keeps_zeros_out_of_the_image(tmp_path: Path, section: str) -> None:
    assert in_section(tmp_path, section)[section] == "PROGBITS"
    script = "MEMORY { RAM (rwx) : ORIGIN = 0x20000000, LENGTH = 64K }\n"
    script += f"SECTIONS {{ .rodata : {{ *(.rodata*) }} > RAM\n{linker_line(section, 'RAM')}\n}}\n"
    write(tmp_path, [("plan.ld", script)])
    must("arm-none-eabi-gcc", "-nostdlib", "-Wl,-e,0", "-T", "plan.ld", "plan.o", "-o", "plan.elf", cwd=tmp_path)
    assert section_types("plan.elf", tmp_path)[section] == "NOBITS"
    must("arm-none-eabi-objcopy", "-O", "binary", "plan.elf", "plan.bin", cwd=tmp_path)
    assert (tmp_path / "plan.bin").stat().st_size == 36 + 5 * 16


def refused(folder: Path, text: str, standard: str = "c11") -> str:
    """What the compiler says about a unit that it must not accept."""
    compiler, extension = ("g++", "cpp") if "+" in standard else ("gcc", "c")
    write(folder, [(f"wrong.{extension}", text)])
    done = run(compiler, f"-std={standard}", f"-I{include()}", "-fsyntax-only", f"wrong.{extension}", cwd=folder)
    assert done.returncode != 0
    return done.stderr


@pytest.mark.parametrize("order", ["header first", "types first"])
def test_types_of_another_version_stop_the_build(tmp_path: Path, order: str) -> None:
    newer = (include() / "arena_codegen" / "plan.h").read_text(encoding="ascii")
    newer = newer.replace("ARENA_PLAN_ABI 1", "ARENA_PLAN_ABI 2").replace("ARENA_PLAN_ABI != 1", "ARENA_PLAN_ABI != 2")
    write(tmp_path, [("newer.h", newer), ("kws.h", render_header(small(), prefix="kws"))])
    names = ["kws.h", "newer.h"] if order == "header first" else ["newer.h", "kws.h"]
    said = refused(tmp_path, "".join(f'#include "{name}"\n' for name in names))
    assert "two versions of arena_codegen/plan.h disagree" in said


def test_two_plans_of_one_prefix_stop_the_build(tmp_path: Path) -> None:
    write(tmp_path, [("a.h", render_header(small(), prefix="kws")), ("b.h", render_header(many(3), prefix="kws"))])
    assert "two different plans have the prefix kws" in refused(tmp_path, '#include "a.h"\n#include "b.h"\n')


@pytest.mark.parametrize("standard", ["c99", "c11", "c++11"])
@pytest.mark.parametrize(
    ("line", "broken", "claim"),
    [
        (r"KWS_INPUT0_OFFSET +256U", "KWS_INPUT0_OFFSET 257U", "kws_input0_is_aligned"),
        (r"KWS_INPUT0_SIZE +490U", "KWS_INPUT0_SIZE 4900U", "kws_input0_lies_inside"),
        (r"KWS_OUTPUT0_OFFSET +0U", "KWS_OUTPUT0_OFFSET 0xFFFFFFF0U", "kws_output0_lies_inside"),
        (r"KWS_ARENA_SIZE +912U", "KWS_ARENA_SIZE 911U", "kws_arena_size_is_a_multiple_of_its_alignment"),
        (r"KWS_ARENA_BYTES +912U", "KWS_ARENA_BYTES 911U", "kws_arena_holds_the_plan"),
        (r"    \{ *0U, 256U, 1, 2\}, .*\n", "", "kws_buffers_has_a_row_for_each_buffer"),
        (r"int32_t last;", "int64_t last;", "arena_buffer_t_has_no_padding"),
    ],
)
def test_what_the_plan_relies_on_is_asserted(tmp_path: Path, standard: str, line: str, broken: str, claim: str) -> None:
    text, count = re.subn(line, broken, render_header(small(), prefix="kws"))
    assert count == 1
    write(tmp_path, [("kws.h", text)])
    assert claim in refused(tmp_path, '#define KWS_PLAN_IMPLEMENTATION\n#include "kws.h"\n', standard)


def test_macros_for_the_compiler_can_be_replaced(project: Path) -> None:
    own = "#define ARENA_ALIGN(n)\n#define ARENA_SECTION(s)\n#define ARENA_INLINE static\n"
    own += "#define ARENA_STATIC_ASSERT(condition, claim) extern int claim[(condition) ? 1 : -1]\n"
    write(project, [("own.c", own + IMPLEMENT + ALL)])
    must("gcc", "-std=c99", "-c", "own.c", "-o", "own.o", cwd=project)
    assert ".bss.arena" not in section_types("own.o", project)
