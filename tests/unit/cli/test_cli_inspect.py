"""`inspect`: text for people, JSON for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support import models
from tests.support.commands import Command
from tests.support.golden import check_golden

GREEDY = ("--kernels", "none", "--strategy", "greedy")


def test_golden_text_of_a_model(command: Command) -> None:
    command.model(models.residual())
    check_golden("inspect", {"residual.txt": command("inspect", "m.tflite", *GREEDY).out})


def test_the_json_is_that_of_the_build_step(command: Command) -> None:
    command.model(models.residual())
    command("m.tflite", "--json", "plan.json", *GREEDY)
    assert command("inspect", "m.tflite", "--json", *GREEDY).out == Path("plan.json").read_text(encoding="utf-8")


def test_several_models_come_one_after_another(command: Command) -> None:
    command.model(models.residual(), "a.tflite")
    command.model(models.chain(3), "b.tflite")
    out = command("inspect", "a.tflite", "b.tflite", *GREEDY).out
    assert [line for line in out.splitlines() if line.endswith(".tflite")] == ["a.tflite", "b.tflite"]
    rows = json.loads(command("inspect", "--json", "a.tflite", "b.tflite", *GREEDY).out)
    assert [row["model"]["file"] for row in rows] == ["a.tflite", "b.tflite"]


def test_nothing_is_shown_where_one_of_the_models_is_bad(command: Command) -> None:
    command.model(models.residual(), "a.tflite")
    done = command("inspect", "a.tflite", "none.tflite", *GREEDY)
    assert (done.code, done.out) == (3, "")


def test_piped_text_has_no_colour(command: Command) -> None:
    command.model(models.residual())
    assert "\x1b" not in command("inspect", "m.tflite").out


@pytest.mark.parametrize("columns", [60, 80, 160])
def test_the_map_is_as_wide_as_the_terminal(command: Command, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    command.model(models.residual())
    lines = command("inspect", "m.tflite", *GREEDY).out.splitlines()
    assert max(len(line) for line in lines if line.endswith("|")) in (columns - 1, columns)


def test_without_a_model_it_says_so(command: Command) -> None:
    done = command("inspect")
    assert (done.code, done.out) == (2, "")
    assert done.err == "error: no model was given\n  hint arena-codegen inspect MODEL.tflite\n"
