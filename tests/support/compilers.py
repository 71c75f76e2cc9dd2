"""C and C++ compilers that tests call, with the warnings that generated code must not cause."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

from tests.support.tools import need_tool

PROMISED = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wundef", "-Wshadow", "-Werror")
BESIDES = ("-Wsign-conversion", "-Wcast-qual", "-Wcast-align", "-Wredundant-decls", "-Wmissing-declarations")
"""No promise, but projects use them."""

WARNINGS = (*PROMISED, *BESIDES)
C_WARNINGS = (*WARNINGS, "-Wstrict-prototypes", "-Wmissing-prototypes")
CPP_WARNINGS = (*WARNINGS, "-Wold-style-cast", "-Wzero-as-null-pointer-constant")

C_COMPILERS = ("gcc", "clang", "arm-none-eabi-gcc")
CPP_COMPILERS = ("g++", "clang++", "arm-none-eabi-g++")
CORTEX_M4 = ("-mcpu=cortex-m4", "-mthumb", "-Os", "-ffunction-sections", "-fdata-sections")


def run(tool: str, *arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """What a tool said and how it ended; skips where it is not installed."""
    command = [need_tool(tool), *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def must(tool: str, *arguments: str | Path, cwd: Path) -> str:
    """The tool's output; fails with what it said where it is not content, or says anything on stderr."""
    done = run(tool, *arguments, cwd=cwd)
    assert (done.returncode, done.stderr) == (0, ""), f"{tool} {' '.join(map(str, arguments))}\n{done.stderr}"
    return done.stdout


def warnings_for(compiler: str) -> tuple[str, ...]:
    """The warnings for a compiler of C or of C++."""
    return CPP_WARNINGS if compiler.endswith("++") else C_WARNINGS


def symbols(file: str, cwd: Path, nm: str = "nm") -> dict[str, tuple[str, int]]:
    """Symbol → (type letter, size) as nm says; a symbol that occurs twice fails."""
    found: dict[str, tuple[str, int]] = {}
    for line in must(nm, "-CS", "--defined-only", file, cwd=cwd).splitlines():
        fields = line.split()
        if len(fields) == 4:
            assert fields[3] not in found, f"two symbols {fields[3]}"
            found[fields[3]] = (fields[2], int(fields[1], 16))
    return found


def section_types(file: str, cwd: Path) -> dict[str, str]:
    """Section → its ELF type (PROGBITS, NOBITS …), without empty ones."""
    lines = must("readelf", "-SW", file, cwd=cwd).replace("[ ", "[").splitlines()
    rows = (line.split("]", 1)[1].split() for line in lines if line.strip().startswith("[") and "]" in line)
    return {row[0]: row[1] for row in rows if len(row) > 4 and row[0].startswith((".", "DTCM")) and int(row[4], 16)}


def write(folder: Path, files: Iterable[tuple[str, str]]) -> None:
    """Text files in a folder."""
    for name, text in files:
        (folder / name).write_text(text, encoding="ascii", newline="\n")
