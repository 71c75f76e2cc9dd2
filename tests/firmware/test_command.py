"""`arena-codegen verify --pattern-only`: exit codes, messages, and plans that come from a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from arena_codegen.cli import main
from arena_codegen.layout import layout_to_json
from arena_codegen.layout.types import Layout
from tests.firmware.plans import layout_of, model_of
from tests.support import models

pytestmark = pytest.mark.usefixtures("arm_gcc", "qemu")


@dataclass(frozen=True)
class Run:
    """What a run of the command left behind."""

    returncode: int
    stdout: str
    stderr: str


Command = Callable[..., Run]


@pytest.fixture
def command(
    stub_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    """Runs the command, its pattern check alone, in a folder that holds `residual.tflite`."""
    (tmp_path / "residual.tflite").write_bytes(models.residual())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(stub_cache))

    def run(*words: str, **variables: str) -> Run:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        code = main.run(["verify", "--pattern-only", *words])
        said = capsys.readouterr()
        return Run(code, said.out, said.err)

    return run


def plan_file(folder: Path, edit: Callable[[dict[str, Any]], None] = lambda data: None) -> str:
    data = json.loads(layout_to_json(layout()))
    edit(data)
    (folder / "plan.json").write_text(json.dumps(data))
    return "plan.json"


def layout() -> Layout:
    return layout_of(model_of(models.residual()), strategy="naive")


def row(data: dict[str, Any], name: str) -> dict[str, Any]:
    return next(row for row in data["buffers"] if row["name"] == name)


def test_a_sound_plan_is_said_in_one_line(command: Command) -> None:
    ended = command("residual.tflite")
    assert ended.stdout == (
        "arena-codegen: residual.tflite verified on Cortex-M4: checks=22 high-water=256 planned=256 kernels=cmsis-nn-4.0\n"
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_planning_options_shape_the_plan(command: Command) -> None:
    ended = command("residual.tflite", "--strategy", "naive", "--align", "64", "--keep", "in")
    assert "high-water=512 planned=512" in ended.stdout
    assert ended.returncode == 0


def test_the_build_folder_is_the_users(command: Command, tmp_path: Path) -> None:
    assert command("residual.tflite", "--build-dir", "out dir").returncode == 0
    assert (tmp_path / "out dir" / "firmware.elf").exists()


def test_a_plan_from_a_file_is_judged(command: Command, tmp_path: Path) -> None:
    ended = command("residual.tflite", "--plan", plan_file(tmp_path))
    assert ended.stdout == (
        "arena-codegen: plan.json verified on Cortex-M4: checks=22 high-water=512 planned=512 kernels=none\n"
    )
    assert ended.returncode == 0


def test_an_edited_offset_is_found_by_the_board_and_by_the_judge(command: Command, tmp_path: Path) -> None:
    def edit(data: dict[str, Any]) -> None:
        row(data, "b")["offset"] -= 16

    ended = command("residual.tflite", "--plan", plan_file(tmp_path, edit))
    assert ended.returncode == 5
    assert "error: 'a' [128, 256) was overwritten by 'b' [240, 368) at byte 240\n" in ended.stderr
    assert "  at   model.tflite" not in ended.stderr
    assert "warning: the judge: " in ended.stderr
    assert ended.stdout == ""


def test_an_edited_lifetime_is_found_by_the_board_alone(command: Command, tmp_path: Path) -> None:
    def edit(data: dict[str, Any]) -> None:
        row(data, "a")["last"] -= 1
        row(data, "out")["offset"] = row(data, "a")["offset"]

    ended = command("residual.tflite", "--plan", plan_file(tmp_path, edit))
    assert ended.returncode == 5
    assert "error: 'a' [128, 256) was overwritten by 'out' [128, 256) at byte 128\n" in ended.stderr
    assert "pass 2, lifetimes · op 2 ADD" in ended.stderr
    assert "the plan lets it die before its last use, or born after its first" in ended.stderr


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("offset", 136, "'b' [136, 264) is not aligned as promised"),
        ("offset", 4096, "'b' [4096, 4224) lies outside the arena"),
        ("bytes", 100, "'b' [256, 384) does not have the bytes that the model asks for"),
        ("last", 99, "'b' [256, 384) is not alive in scopes of the model"),
    ],
)
def test_a_broken_promise_is_named(command: Command, tmp_path: Path, name: str, value: int, message: str) -> None:
    ended = command("residual.tflite", "--plan", plan_file(tmp_path, lambda data: row(data, "b").update({name: value})))
    assert ended.returncode == 5
    assert message in ended.stderr


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda data: data["model"].update(sha256="0" * 64), "the plan was made for another model"),
        (lambda data: data.update(schema=99), "not a layout of schema 1"),
        (lambda data: data["buffers"].pop(), "no buffer for tensor 0:3"),
        (lambda data: data["buffers"][1].update(tensor=0), "buffers[1]: tensor 0:0 has two buffers"),
        (lambda data: data["buffers"][1].update(tensor="1"), "buffers[1]: the model has no such tensor or operator"),
        (lambda data: data["buffers"][1].update(offset=-16), "buffers[1].offset is -16"),
        (lambda data: data.update(alignment=24), "alignment is 24"),
        (lambda data: data.update(profile="0}; int evil;"), "profile is '0}; int evil;'"),
        (lambda data: data.update(options=[]), "options"),
        (lambda data: data["options"].update(keep=["nobody"]), "options.keep: no tensor is called 'nobody'"),
        (lambda data: data["options"].update(keep=7), "options.keep is no list of tensors"),
        (lambda data: data["options"].update(segment=7), "options.segment is 7"),
        (lambda data: data["options"].update(align=True), "options.align is no alignment"),
        (lambda data: data.pop("buffers"), "not a whole layout"),
        (
            lambda data: data["buffers"][3].update(shares=[{"index": 9, "rule": "in-place", "distance": 0, "why": ""}]),
            "buffers[3]: a share that makes no sense",
        ),
    ],
)
def test_a_file_that_is_no_plan_of_this_model_is_refused(
    command: Command, tmp_path: Path, edit: Callable[[dict[str, Any]], None], message: str
) -> None:
    ended = command("residual.tflite", "--plan", plan_file(tmp_path, edit))
    assert ended.returncode == 3, ended.stderr
    assert message in ended.stderr
    assert ended.stdout == ""


def test_hostile_text_in_a_plan_stays_out_of_the_c(command: Command, tmp_path: Path) -> None:
    def edit(data: dict[str, Any]) -> None:
        for key in ("tool", "kernels", "strategy"):
            data[key] = '*/ #error "evil"\n#error evil'
        for key in (
            "naive",
            "greedy",
            "fragmentation",
            "peak_scope",
            "peak_operator",
            "inputs",
            "outputs",
            "end_scope",
        ):
            data[key] = "*/ evil"
        for other in data["buffers"] + data["tensors"]:
            other.update(name='"; int evil; */', dtype="*/ evil", role="*/\nevil")
        data["options"]["strategy"] = "*/ #error evil\n"

    ended = command("residual.tflite", "--plan", plan_file(tmp_path, edit))
    assert ended.returncode == 0, ended.stderr


def test_a_plan_that_shares_bytes_by_rules_of_other_kernels_runs_without_kernels(command: Command) -> None:
    main.run(["residual.tflite", "--json", "plan.json", "--effort", "quick"])
    assert '"rule": "in-place"' in Path("plan.json").read_text(encoding="utf-8")
    ended = command("residual.tflite", "--plan", "plan.json")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.endswith(" high-water=256 planned=256 kernels=cmsis-nn\n")


def test_overlap_of_other_kernels_runs_without_kernels(command: Command) -> None:
    assert command("residual.tflite", "--kernels", "cmsis-nn", "--overlap").returncode == 0


def test_a_plan_and_options_that_shape_one_do_not_go_together(command: Command, tmp_path: Path) -> None:
    ended = command("residual.tflite", "--plan", plan_file(tmp_path), "--strategy", "naive")
    assert ended.returncode == 2
    assert "--plan is a plan already" in ended.stderr


@pytest.mark.parametrize("text", ["x", "0", "-1", "nan", "inf"])
def test_a_timeout_is_a_number_of_seconds(command: Command, text: str) -> None:
    ended = command("residual.tflite", "--timeout", text)
    assert ended.returncode == 2
    assert f"--timeout is '{text}', not a number of seconds" in ended.stderr


def test_a_plan_that_is_not_there_is_exit_3(command: Command) -> None:
    ended = command("residual.tflite", "--plan", "none.json")
    assert ended.returncode == 3
    assert "cannot be read: No such file or directory" in ended.stderr


def test_a_missing_tool_is_exit_6_in_one_line(command: Command) -> None:
    ended = command("residual.tflite", ARENA_QEMU="/no/such/qemu")
    assert ended.returncode == 6
    assert ended.stderr.startswith("error: ARENA_QEMU names no program: /no/such/qemu\n")


def test_a_hang_is_exit_5_with_a_message(command: Command, tmp_path: Path) -> None:
    (tmp_path / "qemu").write_text("#!/bin/sh\necho TAP version 13; exec sleep 60\n")
    (tmp_path / "qemu").chmod(0o755)
    ended = command("residual.tflite", "--timeout", "1", ARENA_QEMU=str(tmp_path / "qemu"))
    assert ended.returncode == 5
    assert "error: the board did not end within 1 seconds\n" in ended.stderr
    assert "hint it said last: TAP version 13\n" in ended.stderr


def test_an_arena_beyond_the_board_is_exit_4(command: Command, tmp_path: Path) -> None:
    (tmp_path / "large.tflite").write_bytes(models.chain(2, (1, 3000, 3000)))
    ended = command("large.tflite", "--no-in-place")
    assert ended.returncode == 4
    assert "beyond the board's memory" in ended.stderr
