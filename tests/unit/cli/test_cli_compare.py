"""`compare`: every strategy side by side, for one model and for many."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena_codegen.cli import many
from arena_codegen.cli.models import short_names
from tests.support import models
from tests.support.commands import Command, Result
from tests.support.golden import check_golden
from tests.support.tools import ROOT


def same(command: Command, *words: str) -> Result:
    return command("compare", *words, "--no-time")


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_golden_comparison(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    command.model(models.depthwise_cnn(), "cnn.tflite")
    command.model(models.residual(), "residual.tflite")
    both = ("cnn.tflite", "residual.tflite")
    files = {"one.txt": same(command, "cnn.tflite").out, "two.csv": same(command, *both, "--csv").out}
    files["two.json"] = same(command, *both, "--json").out
    for columns in ("80", "140"):
        monkeypatch.setenv("COLUMNS", columns)
        files[f"two_{columns}.txt"] = same(command, *both).out
    check_golden("compare", files)


def test_the_same_numbers_stand_in_text_csv_and_json(command: Command) -> None:
    command.model(models.depthwise_cnn())
    table, data = rows(same(command, "m.tflite", "--csv").out), json.loads(same(command, "m.tflite", "--json").out)
    text = same(command, "m.tflite").out
    ways = data["models"][0]["ways"]
    assert len(table) == len(ways) == 9
    for row, way in zip(table, ways, strict=True):
        for key in ("peak", "lower_bound", "over", "unused_at_peak", "unused_on_average"):
            assert float(row[key]) == way[key]
        assert (row["optimal"] == "yes") == way["optimal"]
        assert re.search(rf"{way['strategy']} +{way['shares']} +{way['peak']} ", text)


def test_planning_time_is_shown_unless_it_is_unwanted(command: Command) -> None:
    command.model(models.residual())
    assert float(rows(command("compare", "m.tflite", "--csv").out)[0]["planning_ms"]) >= 0
    assert "planning_ms" in json.loads(command("compare", "m.tflite", "--json").out)["models"][0]["ways"][0]
    assert " ms\n" in command("compare", "m.tflite").out
    for form in ((), ("--csv",), ("--json",)):
        assert "ms\n" not in same(command, "m.tflite", *form).out
        assert "planning_ms" not in same(command, "m.tflite", *form).out


def test_many_models_on_many_cores_come_in_the_order_in_which_they_were_given(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [command.model(models.chain(3 + index % 4, (1, 16 * index + 16)), f"m{index}.tflite") for index in range(9)]
    outs = []
    for cores in (1, 3):
        monkeypatch.setattr(many, "_cores", lambda cores=cores: cores)
        outs.append(same(command, *reversed(names), "--csv").out)
    assert outs[0] == outs[1]
    assert list(dict.fromkeys(row["model"] for row in rows(outs[0]))) == names[::-1]


@pytest.mark.parametrize("cores", [1, 2])
def test_a_model_that_cannot_be_read_stops_no_other(
    command: Command, monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    monkeypatch.setattr(many, "_cores", lambda: cores)
    command.model(models.residual(), "good.tflite")
    command.model(b"nothing", "bad.tflite")
    done = same(command, "bad.tflite", "good.tflite", "none.tflite", "--csv")
    assert done.code == 3
    assert {row["model"] for row in rows(done.out)} == {"good.tflite"}
    assert [name in done.err for name in ("bad.tflite", "none.tflite", "good.tflite")] == [True, True, False]


def test_where_no_model_can_be_read_nothing_is_shown(command: Command) -> None:
    for form in ((), ("--csv",), ("--json",)):
        done = same(command, "none.tflite", *form)
        assert (done.code, done.out) == (3, "")


def test_a_folder_stands_for_the_models_inside(command: Command) -> None:
    (command.folder / "zoo" / "b").mkdir(parents=True)
    command.model(models.residual(), "zoo/z.tflite")
    command.model(models.chain(), "zoo/b/a.tflite")
    command.model(b"words", "zoo/notes.txt")
    done = same(command, "zoo", "--csv")
    assert list(dict.fromkeys(row["model"] for row in rows(done.out))) == ["a.tflite", "z.tflite"]


def test_a_folder_without_models_is_an_error(command: Command) -> None:
    (command.folder / "empty").mkdir()
    done = same(command, "empty")
    assert (done.code, done.err) == (3, "error: the folder has no .tflite file\n  at   empty\n")


def test_files_of_one_name_are_told_apart_by_their_folders() -> None:
    paths = ["a/m.tflite", "b/m.tflite", "b/n.tflite", "./c/b/m.tflite"]
    assert short_names(paths) == ["a/m.tflite", "b/m.tflite", "n.tflite", "c/b/m.tflite"]
    assert short_names(["a/m.tflite", "a/m.tflite"]) == ["m.tflite", "m.tflite"]


def test_wrong_words_are_wrong_usage(command: Command) -> None:
    command.model(models.residual())
    assert same(command).code == 2
    assert same(command, "m.tflite", "--csv", "--json").code == 2
    assert same(command, "m.tflite", "--strategy", "best").code == 2
    assert same(command, "m.tflite", "--keep", "nobody").code == 2


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no pseudo terminals here")
def test_the_progress_bar_is_for_terminals_and_goes_to_standard_error(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.tflite").write_bytes(models.residual())
    words = [sys.executable, "-m", "arena_codegen", "compare", "a.tflite", "b.tflite", "--no-time"]
    environment = {"PYTHONPATH": str(ROOT), "PATH": os.environ.get("PATH", ""), "TERM": "xterm", "LC_ALL": "C.UTF-8"}
    piped = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, check=True)
    ours, theirs = os.openpty()
    shown = subprocess.run(words, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=theirs, check=True)
    os.close(theirs)
    assert b"comparing" in os.read(ours, 4096)
    os.close(ours)
    assert (piped.stderr, piped.stdout) == (b"", shown.stdout)
