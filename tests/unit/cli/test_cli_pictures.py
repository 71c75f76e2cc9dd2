"""The page and the picture as outputs of the build step."""

from __future__ import annotations

import re

from tests.support import models
from tests.support.commands import Command


def test_the_page_and_the_picture_are_written_beside_the_header(command: Command) -> None:
    model = command.model(models.residual())
    done = command(model, "-o", "p.h", "--html", "p.html", "--svg", "p.svg")
    assert (done.code, command.files()) == (0, ["m.tflite", "p.h", "p.html", "p.svg"])
    assert (command.folder / "p.html").read_text().startswith("<!DOCTYPE html>")
    assert (command.folder / "p.svg").read_text().startswith("<svg ")


def test_a_page_or_a_picture_may_be_all_that_is_asked_for(command: Command) -> None:
    model = command.model(models.residual())
    assert command(model, "--html", "p.html").out.startswith("arena-codegen: p.html arena=")
    assert command(model, "--svg", "p.svg").out.startswith("arena-codegen: p.svg arena=")


def test_the_page_shows_the_compared_strategies_beside_the_plan(command: Command) -> None:
    command(command.model(models.residual()), "--html", "p.html")
    assert re.findall('data-plan="(.*?)"', (command.folder / "p.html").read_text()) == [
        "plan",
        "peer-greedy",
        "peer-naive",
    ]


def test_a_strategy_is_not_compared_with_itself(command: Command) -> None:
    command(command.model(models.residual()), "--html", "p.html", "--strategy", "naive")
    assert re.findall('data-plan="(.*?)"', (command.folder / "p.html").read_text()) == ["plan", "peer-greedy"]


def test_a_size_that_only_the_plan_keeps_does_not_hinder_the_comparison(command: Command) -> None:
    model = command.model(models.residual())
    done = command(model, "--html", "p.html", "--arena", "256", "--max-arena", "256")
    assert (done.code, done.err) == (0, "")


def test_equal_runs_write_equal_pages_and_pictures(command: Command) -> None:
    model = command.model(models.depthwise_cnn())
    for name in ("a", "b"):
        assert command(model, "--html", f"{name}.html", "--svg", f"{name}.svg").code == 0
    for kind in ("html", "svg"):
        assert (command.folder / f"a.{kind}").read_bytes() == (command.folder / f"b.{kind}").read_bytes()


def test_the_page_of_a_copy_with_metadata_names_the_copy(command: Command) -> None:
    model = command.model(models.depthwise_cnn())
    assert command(model, "--html", "p.html", "--metadata", "copy.tflite").code == 0
    assert "<h1>copy.tflite</h1>" in (command.folder / "p.html").read_text()


def test_inspect_writes_them_besides_what_it_says(command: Command) -> None:
    model = command.model(models.residual())
    done = command("inspect", model, "--html", "p.html", "--svg", "p.svg")
    assert (done.code, command.files()) == (0, ["m.tflite", "p.html", "p.svg"])
    assert done.out == command("inspect", model).out
    built = command(model, "--html", "q.html")
    assert built.code == 0
    assert (command.folder / "p.html").read_bytes() == (command.folder / "q.html").read_bytes()


def test_inspect_shows_pictures_of_one_model_only(command: Command) -> None:
    a, b = command.model(models.residual(), "a.tflite"), command.model(models.chain(), "b.tflite")
    done = command("inspect", a, b, "--svg", "p.svg")
    assert (done.code, done.out) == (2, "")
    assert done.err == "error: --svg shows one model, not 2\n  hint give each model a run of its own\n"
    assert command.files() == ["a.tflite", "b.tflite"]


def test_a_page_that_cannot_be_written_is_an_error_before_the_model_is_read(command: Command) -> None:
    done = command("inspect", "absent.tflite", "--html", "no/p.html")
    assert done.code == 2
    assert done.err.startswith("error: cannot be written: its directory does not exist\n  at   no/p.html")
