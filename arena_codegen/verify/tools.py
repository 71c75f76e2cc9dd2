"""The programs that verification runs: finding them, running them, ending them. The only home of subprocess.

F7. A missing program is one line: what, which Debian package has it, and which variable names another one.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena_codegen.errors import Finding, ToolError


@dataclass(frozen=True, slots=True)
class Tool:
    """A program: its name, the Debian package that brings it, and the environment variable that overrides its path."""

    program: str
    package: str
    variable: str


COMPILER = Tool("arm-none-eabi-gcc", "gcc-arm-none-eabi", "ARENA_CC")
EMULATOR = Tool("qemu-system-arm", "qemu-system-arm", "ARENA_QEMU")
LIBRARY_PACKAGE = "libnewlib-arm-none-eabi"


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended: its exit code (negative: the signal), its output, and whether it had to be ended for it."""

    code: int
    output: str
    errors: str
    timed_out: bool = False


def find(tool: Tool) -> str:
    """The full path of a program. Raises ToolError where there is none."""
    wish = os.environ.get(tool.variable, "")
    path = shutil.which(wish or tool.program)
    if path is None and wish:
        what = f"{tool.variable} names no program: {wish}"
        raise ToolError(Finding(what, hint=f"unset it, or give the path of {tool.program}"))
    if path is None:
        what = f"{tool.program} is not installed"
        raise ToolError(Finding(what, hint=f"apt install {tool.package}, or set {tool.variable} to its path"))
    return os.path.abspath(path)


def run(command: Sequence[str], *, timeout: float, folder: Path | None = None) -> Ended:
    """Runs a program to its end, or ends it, children included, after `timeout` seconds; what it said is kept.

    Messages come in English. Raises ToolError where the program cannot be started.
    """
    try:
        process = subprocess.Popen(
            list(command),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "LC_ALL": "C"},
            start_new_session=True,
        )
    except OSError as error:
        what = f"{command[0]} cannot be started: {error.strerror or error}"
        raise ToolError(Finding(what, hint="is it a program for this machine?")) from error
    timed_out = False
    try:
        output, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        timed_out = True
        _end(process)
        output, errors = process.communicate()
    except BaseException:
        _end(process)
        process.communicate()
        raise
    return Ended(process.returncode, _text(output), _text(errors), timed_out)


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:  # it ended by itself in the meantime
        process.poll()


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace("\r\n", "\n")
