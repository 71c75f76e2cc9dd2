"""The command line, called from tests: in this process where that will do, else in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena_codegen.cli.main import run
from tests.support.tools import ROOT


@dataclass(frozen=True, slots=True)
class Result:
    """What a command did: exit code, standard output, standard error."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Command:
    """Runs commands in a folder of their own, in this process; the folder is the current one."""

    folder: Path
    capture: pytest.CaptureFixture[str]

    def __call__(self, *words: str) -> Result:
        self.capture.readouterr()
        code = run(words)
        out, err = self.capture.readouterr()
        return Result(code, out, err)

    def model(self, data: bytes, name: str = "m.tflite") -> str:
        """Writes a model into the folder; its name."""
        (self.folder / name).write_bytes(data)
        return name

    def files(self) -> list[str]:
        """Everything in the folder, temporary files too."""
        return sorted(path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*"))


def spawn(*words: str, cwd: Path, env: Mapping[str, str] | None = None) -> Result:
    """`python -m arena_codegen` in a process of its own, with a clean environment plus `env`."""
    environment = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", **(env or {})}
    done = subprocess.run(
        [sys.executable, "-m", "arena_codegen", *words], cwd=cwd, env=environment, capture_output=True, check=False
    )
    return Result(
        done.returncode, done.stdout.decode("utf-8", "surrogateescape"), done.stderr.decode("utf-8", "replace")
    )
