"""What only a process of its own can show: signals, pipes, locales, hash seeds, and bugs of ours."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena_codegen import pipeline
from arena_codegen.version import VERSION
from tests.support import models
from tests.support.commands import Command, spawn
from tests.support.tools import ROOT

WORDS = ("m.tflite", "-o", "plan.h", "--json", "plan.json", "--depfile", "d", "--stamp", "s")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "m.tflite").write_bytes(models.depthwise_cnn())
    return tmp_path


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_two_hash_seeds_and_two_folders_give_the_same_bytes(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("another place")
    (other / "m.tflite").write_bytes(models.depthwise_cnn())
    one = spawn(*WORDS, cwd=folder, env={"PYTHONHASHSEED": "0"})
    two = spawn(*WORDS, cwd=other, env={"PYTHONHASHSEED": "4242", "TZ": "Asia/Tokyo"})
    assert (one.code, two.code) == (0, 0)
    assert (one.out, one.err) == (two.out, two.err)
    assert files(folder) == files(other)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_it_plans_ends_with_130_and_no_file(folder: Path, number: int) -> None:
    code = f"""
import os, signal, sys
from arena_codegen import pipeline
def plan_layout(*_, **__):
    os.kill(os.getpid(), {int(number)})
    signal.sigwait([])
pipeline.plan_layout = plan_layout
from arena_codegen.cli.main import run
sys.exit(run({list(WORDS)!r}))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, env=_environment(), capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "arena-codegen: interrupted, nothing was written\n"
    assert list(files(folder)) == ["m.tflite"]


def test_a_signal_while_it_writes_leaves_no_file(folder: Path) -> None:
    code = f"""
import os, signal, sys
from arena_codegen import files
prepare = files._prepare
def interrupted(job):
    prepare(job)
    if job.artifact.path == "plan.json":
        os.kill(os.getpid(), signal.SIGINT)
files._prepare = interrupted
from arena_codegen.cli.main import run
sys.exit(run({list(WORDS)!r}))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, env=_environment(), capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (130, "")
    assert list(files(folder)) == ["m.tflite"]


def test_killing_it_at_any_moment_leaves_no_new_header_that_is_not_whole(folder: Path) -> None:
    """SIGKILL cannot be caught: what may stay is a hidden temporary file, never half a header."""
    assert spawn(*WORDS, cwd=folder).code == 0
    whole = files(folder)["plan.h"]
    for step in range(6):
        (folder / "plan.h").unlink(missing_ok=True)
        child = subprocess.Popen(
            [sys.executable, "-m", "arena_codegen", *WORDS], cwd=folder, env=_environment(), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        time.sleep(0.1 * step)
        child.kill()
        child.wait()
        assert files(folder).get("plan.h") in (None, whole)


def test_a_reader_that_goes_away_is_no_error(folder: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "arena_codegen", "inspect", "m.tflite"], cwd=folder, env=_environment(),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert child.stdout is not None
    child.stdout.close()
    _, err = child.communicate()
    assert (child.returncode, err) == (0, b"")


def test_a_standard_output_that_is_full_is_an_error(folder: Path) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "arena_codegen", "inspect", "m.tflite"], cwd=folder, env=_environment(), stdout=full,
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == "error: standard output cannot be written: no space left on device\n"


@pytest.mark.parametrize("env", [{"LC_ALL": "C"}, {"LC_ALL": "POSIX"}, {"PYTHONIOENCODING": "ascii"}])
def test_a_locale_without_our_signs_gets_ascii(folder: Path, env: dict[str, str]) -> None:
    done = spawn("m.tflite", "-o", "plan.h", "--max-arena", "1", cwd=folder, env=env)
    assert done.code == 4
    assert done.err.isascii()
    assert "  at   m.tflite - subgraph 0 - op " in done.err
    assert spawn("--help", cwd=folder, env=env).out.isascii()


@pytest.mark.parametrize("name", ["größe 卷积.tflite", os.fsdecode(b"latin-\xe9.tflite"), "a\nb.tflite", "-m.tflite"])
def test_any_name_of_a_model_works_in_any_locale(folder: Path, name: str) -> None:
    (folder / "m.tflite").rename(folder / name)
    for env in ({}, {"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}):
        done = spawn("-o", "plan.h", "--json", "plan.json", "--", name, cwd=folder, env=env)
        assert done.code == 0, done.err
        assert done.out.startswith("arena-codegen: plan.h arena=")
        assert (folder / "plan.h").read_bytes().isascii()


@pytest.mark.parametrize(
    "name", ["with space.h", "dollar$x.h", "#hash.h", "per%cent.h", "grün.h", os.fsdecode(b"\xe9.h")]
)
def test_any_name_of_a_header_works(folder: Path, name: str) -> None:
    done = spawn("m.tflite", "-o", name, "--depfile", "d", cwd=folder, env={"LC_ALL": "C"})
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("arena-codegen: ")
    assert (folder / name).exists()


def test_a_bug_of_ours_says_what_and_where_and_asks_for_a_report(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "plan_layout", lambda *_, **__: {}["key"])
    command.model(models.residual())
    done = command("m.tflite", "-o", "plan.h")
    assert (done.code, done.out, command.files()) == (70, "", ["m.tflite"])
    first, second, third = done.err.splitlines()
    assert first == f"error: a bug in arena-codegen {VERSION}: KeyError: 'key'"
    assert second.startswith("  at   arena_codegen.cli.build:")
    assert second.endswith(" in _planned")
    assert third.startswith("  hint please report this with the command")
    monkeypatch.setenv("ARENA_DEBUG", "1")
    assert "Traceback (most recent call last):" in command("m.tflite", "-o", "plan.h").err


def test_a_package_that_is_missing_is_exit_6(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "plan_layout", _missing)
    command.model(models.residual())
    done = command("m.tflite", "-o", "plan.h")
    assert (done.code, done.out) == (6, "")
    assert done.err.splitlines() == [
        "error: the Python package jinja2 is not installed",
        "  hint pip install arena-codegen brings all that it needs",
    ]


def _missing(*_: object, **__: object) -> None:
    raise ModuleNotFoundError("No module named 'jinja2'", name="jinja2")


def test_a_search_that_is_interrupted_says_how_far_it_came(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt("the best peak so far is 384 bytes, 128 above the bound")

    monkeypatch.setattr(pipeline, "plan_layout", stopped)
    command.model(models.residual())
    done = command("m.tflite", "-o", "plan.h")
    assert (done.code, done.out, command.files()) == (130, "", ["m.tflite"])
    assert done.err == (
        "arena-codegen: interrupted, nothing was written; the best peak so far is 384 bytes, 128 above the bound\n"
    )


def _environment() -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
