"""Work that is shared among processes: what stops it, and what it leaves behind."""

from __future__ import annotations

import multiprocessing
import os

import pytest

from arena_codegen.cli import many
from arena_codegen.errors import ModelError, ToolError
from tests.support import models
from tests.support.commands import Command


@pytest.fixture(autouse=True)
def _two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many, "_cores", lambda: 2)


def test_an_interrupt_ends_every_process_and_shows_nothing(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(futures: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(many, "as_completed", interrupted)
    names = [command.model(models.chain(3), f"{index}.tflite") for index in range(4)]
    done = command("compare", *names)
    assert (done.code, done.out) == (130, "")
    assert multiprocessing.active_children() == []


def test_a_process_that_the_system_ends_is_an_error_of_the_system() -> None:
    with pytest.raises(ToolError, match="the system ended a process"):
        many.each(os._exit, [1, 1], "ending")  # type: ignore[list-item]


def test_where_processes_cannot_be_had_the_work_is_done_here(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError("no semaphores")

    names = [command.model(models.chain(3), f"{index}.tflite") for index in range(3)]
    shared = command("compare", *names, "--no-time")
    monkeypatch.setattr(many, "ProcessPoolExecutor", refused)
    assert command("compare", *names, "--no-time") == shared


def test_what_failed_is_raised_together_as_the_first_kind() -> None:
    outcomes = many.each(_refuse, ["a", "b"], "refusing")
    with pytest.raises(ModelError) as caught:
        many.raise_failed(outcomes)
    assert [finding.where for finding in caught.value.findings] == ["a", "b"]


def _refuse(path: str) -> None:
    from arena_codegen.errors import Finding

    raise ModelError(Finding("no", path))
