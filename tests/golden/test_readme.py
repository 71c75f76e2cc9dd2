"""The README's sessions are what the tool prints."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.real_models import real_model
from tests.support.tools import ROOT, need_tool

SESSION = re.compile(r"^\$ (arena-codegen .*)\n((?:(?!\$ |```).*\n)*)", re.MULTILINE)
BLOCKS = re.findall(
    r"^```console\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
)
SESSIONS = [session for block in BLOCKS for session in SESSION.findall(block)]


def test_there_are_sessions() -> None:
    assert len(SESSIONS) >= 3


@pytest.mark.parametrize(("line", "shown"), SESSIONS, ids=[line for line, _ in SESSIONS])
def test_a_session_shows_what_the_tool_prints(line: str, shown: str, tmp_path: Path) -> None:
    words = shlex.split(line)[1:]
    if words[0] == "verify":
        need_tool("arm-none-eabi-gcc")
        need_tool("qemu-system-arm")
    for word in words:
        if word.endswith(".tflite"):
            shutil.copy(real_model(Path(word).stem), tmp_path / word)
    done = subprocess.run(
        [sys.executable, "-m", "arena_codegen", *words], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    printed, expected = _told(done.stderr + done.stdout), _told(shown)
    if expected[0] == "…":
        expected = expected[1:]
        printed = printed[-len(expected) :]
    assert printed == expected


def _told(text: str) -> list[str]:
    """The lines without notes, which the README leaves out, and without counts of instructions, which compilers
    decide.
    """
    lines, in_note = [], False
    for line in text.rstrip("\n").splitlines():
        in_note = line.startswith("note:") or (in_note and line.startswith("  "))
        if not in_note:
            lines.append(re.sub(r"instructions=\d+", "instructions=N", line))
    return lines
