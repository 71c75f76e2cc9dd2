"""`inspect`: text for people, JSON for programs."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.support import models
from tests.support.commands import Command
from tests.support.convnets import convnet
from tests.support.golden import check_golden

GREEDY = ("--kernels", "none", "--strategy", "greedy")


def test_golden_text_of_a_model(command: Command) -> None:
    command.model(models.residual())
    check_golden("inspect", {"residual.txt": command("inspect", "m.tflite", *GREEDY).out})


def test_the_json_is_that_of_the_build_step(command: Command) -> None:
    command.model(models.residual())
    command("m.tflite", "--json", "plan.json", *GREEDY)
    assert command("inspect", "m.tflite", "--json", *GREEDY).out == Path("plan.json").read_text(encoding="utf-8")


def test_several_models_are_one_table_the_largest_arena_first(command: Command) -> None:
    command.model(models.chain(3), "small.tflite")
    command.model(models.residual(), "large.tflite")
    lines = command("inspect", "small.tflite", "large.tflite", *GREEDY).out.splitlines()
    assert [line.split()[0] for line in lines] == ["model", "large", "small", "2"]
    assert lines[1].split()[1:7] == ["3", str(len(models.residual())), "384", "384", "optimal", "384"]
    assert lines[3] == "2 models: 416 bytes of arena in all, 384 where they run one after the other in the same bytes"


@pytest.mark.parametrize(("columns", "first", "second"), [
    (120, "keyword_spotting_mobile_one", "keyword_spotting_mobile_two"),
    (80, "keyword_sp...obile_one", "keyword_sp...obile_two"),
])  # fmt: skip
def test_names_get_the_room_that_is_left_and_lose_their_middle(
    command: Command, monkeypatch: pytest.MonkeyPatch, columns: int, first: str, second: str
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    names = ("keyword_spotting_mobile_one.tflite", "keyword_spotting_mobile_two.tflite")
    for name in names:
        command.model(models.residual(), name)
    lines = command("inspect", *names, *GREEDY).out.splitlines()
    assert [line.split()[0] for line in lines[1:3]] == [first, second]
    assert max(map(len, lines[:3])) <= columns


def test_several_models_are_a_list_in_json_and_rows_in_csv(command: Command) -> None:
    command.model(models.residual(), "a.tflite")
    command.model(models.chain(3), "b.tflite")
    rows = json.loads(command("inspect", "--json", "b.tflite", "a.tflite", *GREEDY).out)
    assert [row["model"]["file"] for row in rows] == ["b.tflite", "a.tflite"]
    table = list(csv.DictReader(io.StringIO(command("inspect", "--csv", "b.tflite", "a.tflite", *GREEDY).out)))
    assert [(row["model"], int(row["head"])) for row in table] == [("a.tflite", 384), ("b.tflite", 32)]
    assert [int(row["arena"]) for row in table] == [rows[1]["arena_bytes"], rows[0]["arena_bytes"]]


def test_a_folder_of_one_model_is_a_table_too(command: Command) -> None:
    (command.folder / "zoo").mkdir()
    command.model(models.residual(), "zoo/a.tflite")
    assert command("inspect", "zoo", *GREEDY).out.splitlines()[0].startswith("model")


def test_one_of_the_models_that_is_bad_stops_no_other(command: Command) -> None:
    command.model(models.residual(), "a.tflite")
    done = command("inspect", "none.tflite", "a.tflite", *GREEDY)
    assert done.code == 3
    assert ("\na " in done.out, "none" in done.out, "none.tflite" in done.err) == (True, False, True)


def test_csv_of_one_model_is_its_planning_table(command: Command) -> None:
    command.model(models.depthwise_cnn())
    layout = json.loads(command("inspect", "m.tflite", "--json").out)
    table = list(csv.DictReader(io.StringIO(command("inspect", "m.tflite", "--csv").out)))
    assert len(table) == len(layout["buffers"])
    for row, buffer in zip(table, layout["buffers"], strict=True):
        assert {key: int(row[key]) for key in ("index", "bytes", "offset", "first", "last")} == {
            key: buffer[key] for key in ("index", "bytes", "offset", "first", "last")
        }
        assert int(row["padding"]) == buffer["size"] - buffer["bytes"]
    assert command("inspect", "m.tflite", "--csv", "--json").code == 2


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


def test_golden_advice(command: Command) -> None:
    command.model(convnet(16, padded=True, orphan=300))
    files = {"advise.txt": command("inspect", "m.tflite", "--advise").out}
    files["what_if.txt"] = command("inspect", "m.tflite", "--what-if", "input=8x8", "--what-if", "channels:wide=8").out
    check_golden("advice", files)


def test_advice_stands_in_the_json_and_in_the_page(command: Command) -> None:
    command.model(convnet(16, padded=True))
    words = ("inspect", "m.tflite", "--advise", "--what-if", "channels:wide=8")
    data = json.loads(command(*words, "--json").out)
    plain = json.loads(command("inspect", "m.tflite", "--json").out)
    advice, answers = data.pop("advice"), data.pop("what_if")
    assert data == plain
    assert all(row["saves"] == data["peak"] - row["peak"] for row in (*advice, *answers))
    assert command("inspect", "m.tflite", "--html", "page.html").code == 0
    page = Path("page.html").read_text(encoding="utf-8")
    assert all(str(row["peak"]) in page for row in advice)


def test_advice_is_for_one_model(command: Command) -> None:
    for file in ("a.tflite", "b.tflite"):
        command.model(models.residual(), file)
    assert command("inspect", "a.tflite", "b.tflite", "--advise").code == 2
    assert command("inspect", "a.tflite", "b.tflite", "--what-if", "in=1x2").code == 2
    assert command("inspect", "a.tflite", "--what-if", "nonsense").code == 2
