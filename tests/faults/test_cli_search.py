"""A search that takes long: what a terminal shows, and what Ctrl-C leaves behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena_codegen.planning.problem import Problem
from tests.support.models import Graph, build
from tests.support.problems import tight
from tests.support.tools import ROOT

EXACT = ("--strategy", "exact", "--effort", "thorough", "--kernels", "none")
"""30,000,000 steps, most of an hour; the problem of the model takes all of them."""

COMMANDS = {
    "plan": ("hard.tflite", "-o", "plan.h", "--json", "plan.json", *EXACT),
    "inspect": ("inspect", "hard.tflite", "--svg", "plan.svg", *EXACT),
    "compare": ("compare", "hard.tflite", "--effort", "thorough", "--kernels", "none"),
}


def hard() -> bytes:
    """A model whose tensors live as the buffers of a problem that nobody has solved: a custom operator a step."""
    return _with_lifetimes(tight(1, 60, 40, 30))


def _with_lifetimes(problem: Problem) -> bytes:
    g = Graph()
    given, made = g.input("in", (1, 16)), g.output("out", (1, 16))
    tensors = [g.tensor(f"t{k}", (1, 16 * buffer.size)) for k, buffer in enumerate(problem.buffers)]
    lives = list(zip(tensors, problem.buffers, strict=True))
    end = max(buffer.last for buffer in problem.buffers)
    for step in range(end + 1):
        read = [k for k, buffer in lives if buffer.first < step == buffer.last]
        written = [k for k, buffer in lives if buffer.first == step]
        g.op("Mix", [given, *read] if step == 0 else read, [*written, made] if step == end else written, custom=True)
    return build(g)


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no pseudo terminals here")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_terminal_sees_how_far_a_search_is_and_ctrl_c_ends_it(tmp_path: Path, name: str) -> None:
    (tmp_path / "hard.tflite").write_bytes(hard())
    ours, theirs = os.openpty()
    running = _start(tmp_path, name, theirs)
    os.close(theirs)
    shown = b""
    while shown.count(b"searching: ") < 3:
        shown += os.read(ours, 4096)
    running.send_signal(signal.SIGINT)
    out, _ = running.communicate()
    shown += _rest(ours)

    *states, last = shown.decode().split("\r\x1b[K")
    assert re.fullmatch(
        r"searching: \d+ bytes, \d+ \(\d+\.\d%\) above the bound; \d+% of the steps; Ctrl-C ends it", states[-1]
    )
    assert re.fullmatch(
        r"arena-codegen: interrupted, nothing was written; the best peak so far is \d+ bytes, \d+ above the bound\r\n",
        last,
    )
    assert (running.returncode, out) == (130, b"")
    assert [path.name for path in tmp_path.iterdir()] == ["hard.tflite"]


def test_a_pipe_sees_nothing_of_a_search(tmp_path: Path) -> None:
    (tmp_path / "hard.tflite").write_bytes(hard())
    words = ("hard.tflite", "-o", "plan.h", "--kernels", "none", "--effort", "normal")
    done = subprocess.run(_command(words), cwd=tmp_path, env=_environment(), capture_output=True, check=True)

    assert b"searching" not in done.stdout + done.stderr
    assert b" gap=" in done.stdout


def _start(folder: Path, name: str, stderr: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        _command(COMMANDS[name]), cwd=folder, env=_environment(), stdout=subprocess.PIPE, stderr=stderr
    )


def _command(words: tuple[str, ...]) -> list[str]:
    return [sys.executable, "-m", "arena_codegen", *words]


def _environment() -> dict[str, str]:
    path = os.environ.get("PATH", "")
    return {"PATH": path, "PYTHONPATH": str(ROOT), "TERM": "xterm", "LC_ALL": "C.UTF-8", "COLUMNS": "100"}


def _rest(terminal: int) -> bytes:
    """What is left to read; Linux answers with an error where the other end is closed, other systems with nothing."""
    found = b""
    while True:
        try:
            more = os.read(terminal, 4096)
        except OSError:
            more = b""
        if not more:
            os.close(terminal)
            return found
        found += more
