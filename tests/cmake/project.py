"""CMake projects that tests write, build and disturb."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.support.tools import ROOT

CMAKE_DIR = ROOT / "arena_codegen" / "cmake"
HEAD = "cmake_minimum_required(VERSION 3.20)\nproject(firmware LANGUAGES {languages})\n"
FIND = "find_package(ArenaCodegen CONFIG REQUIRED)\n"


@dataclass(frozen=True, slots=True)
class Build:
    """What one build did: its exit code and text, how often it planned, which objects it compiled (`kws_plan.c.o`)."""

    code: int
    text: str
    plans: int
    compiled: set[str]


@dataclass(frozen=True, slots=True)
class Project:
    """A source tree, its build tree, and the program that plans in it; `log` has a line for each of its runs."""

    source: Path
    generator: str
    tool: Path

    @property
    def build(self) -> Path:
        return self.source / "build tree"

    @property
    def log(self) -> Path:
        return self.tool.with_suffix(".log")

    def write(self, files: dict[str, str | bytes], languages: str = "C", find: str = FIND) -> None:
        """Writes source files; the first lines of the top CMakeLists.txt are added here."""
        for name, content in files.items():
            if name == "CMakeLists.txt":
                content = HEAD.format(languages=languages) + find + str(content)
            path = self.source / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def configure(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """`cmake`, with the tool of this project and no other."""
        command = ["cmake", "-S", str(self.source), "-B", str(self.build), "-G", self.generator]
        command += [f"-DArenaCodegen_DIR={CMAKE_DIR}", f"-DARENA_CODEGEN_EXECUTABLE={self.tool}", *arguments]
        return _run(command)

    def make(self, *targets: str) -> Build:
        """Builds all, or the targets given; no more than asked for, so that the run can be judged."""
        before, planned = self._objects(), self._plans()
        command = ["cmake", "--build", str(self.build), "--parallel", "4", *(["--target", *targets] if targets else [])]
        done = _run(command)
        after = self._objects()
        compiled = {path.name for path, time in after.items() if before.get(path) != time}
        return Build(done.returncode, done.stdout + done.stderr, self._plans() - planned, compiled)

    def up(self, *arguments: str) -> None:
        """Configures and builds; fails the test with the text of what went wrong."""
        configured = self.configure(*arguments)
        assert configured.returncode == 0, configured.stdout + configured.stderr
        self.ok()

    def ok(self, *targets: str) -> Build:
        """A build that has to succeed."""
        built = self.make(*targets)
        assert built.code == 0, built.text
        return built

    def _objects(self) -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in self.build.rglob("*.o")}

    def _plans(self) -> int:
        return sum("--output" in line for line in self.log.read_text().splitlines()) if self.log.exists() else 0


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Runs a command as from a shell, even where the tests themselves run under make."""
    outer = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "VERBOSE", "CMAKE_GENERATOR")
    environment = {name: value for name, value in os.environ.items() if name not in outer}
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)


def real_tool(folder: Path, also_reads: Path | None = None) -> Path:
    """The tool of this checkout behind a script that notes each run.

    `also_reads` is a file that the script adds to the dependency file, as if the tool had read it.
    """
    lines = f'PYTHONPATH={shlex.quote(str(ROOT))} {shlex.quote(sys.executable)} -m arena_codegen "$@" || exit'
    if also_reads is not None:
        name = str(also_reads).replace(" ", "\\\\ ")
        add = f"sed -i '$ s|$| {name}|' \"$argument\""
        lines += f'\nfor argument; do [ "$before" = --depfile ] && {add}; before=$argument; done\ntrue'
    return _script(folder / "tool", lines)


def echo_tool(folder: Path, says: str = "") -> Path:
    """A program that writes its arguments, a line each, into every output that it is asked for, and plans nothing."""
    lines = f"""
if [ "$1" = --cmake-dir ]; then echo {shlex.quote(says or str(CMAKE_DIR))}; exit; fi
before=
for argument; do
  case "$before" in
  --output|--stamp) target=$argument; printf '%s\\n' "$@" > "$argument" ;;
  --json|--html|--svg|--metadata) printf '%s\\n' "$@" > "$argument" ;;
  --depfile) depfile=$argument ;;
  esac
  before=$argument
done
[ -z "$depfile" ] || printf '%s\\n' "$target: $1" | sed 's/ /\\\\ /g; s/:\\\\ /: /' > "$depfile"
"""
    return _script(folder / "tool", lines)


def _script(path: Path, lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    log = shlex.quote(str(path.with_suffix(".log")))
    path.write_text(f'#!/bin/sh\nprintf "%s " "$@" >> {log}; echo >> {log}\n{lines}\n')
    path.chmod(0o755)
    return path
