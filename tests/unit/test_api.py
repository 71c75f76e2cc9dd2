"""The Python API: a model in, a layout or a number out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import arena_codegen
from arena_codegen.errors import FitError, ModelError, UsageError
from arena_codegen.model.reader import parse_model
from arena_codegen.options import PlanOptions
from arena_codegen.pipeline import plan_copy
from arena_codegen.planning import Plan, Problem, plan
from tests.support import models


def test_a_model_may_be_a_path_or_its_bytes(tmp_path: Path) -> None:
    data = models.residual()
    path = tmp_path / "m.tflite"
    path.write_bytes(data)
    by_path, by_text = arena_codegen.plan_model(path), arena_codegen.plan_model(str(path))
    assert by_path == by_text
    by_bytes = arena_codegen.plan_model(data)
    assert by_bytes.model.file == "model.tflite"
    assert by_bytes.buffers == by_path.buffers == arena_codegen.plan_model(memoryview(data)).buffers  # type: ignore[arg-type]


def test_options_are_those_of_the_command_line() -> None:
    layout = arena_codegen.plan_model(models.residual(), strategy="naive", kernels="none", align=32, keep="in")
    assert (layout.strategy, layout.alignment, layout.options["keep"]) == ("naive", 32, ["in"])


def test_peak_bytes_is_the_peak_of_the_plan() -> None:
    data = models.depthwise_cnn()
    assert arena_codegen.peak_bytes(data, kernels="none") == arena_codegen.plan_model(data, kernels="none").peak


def test_peak_bytes_judges_the_sizes_that_were_asked_for() -> None:
    assert arena_codegen.peak_bytes(models.residual(), arena="1K") == arena_codegen.plan_model(models.residual()).peak
    with pytest.raises(FitError):
        arena_codegen.peak_bytes(models.residual(), max_arena="16")
    with pytest.raises(FitError):
        arena_codegen.peak_bytes(models.residual(), arena="16")


def test_ready_made_options_are_taken_as_they_are() -> None:
    options = arena_codegen.plan_options(strategy="linear")
    assert arena_codegen.plan_model(models.residual(), options=options).strategy == "linear"


def test_errors_are_those_of_the_command_line() -> None:
    with pytest.raises(ModelError):
        arena_codegen.plan_model(b"")
    with pytest.raises(UsageError):
        arena_codegen.plan_model(models.residual(), align=3)
    with pytest.raises(FitError):
        arena_codegen.plan_model(models.residual(), max_arena="16")
    with pytest.raises(TypeError, match="no_such"):
        arena_codegen.plan_model(models.residual(), no_such=1)
    assert issubclass(FitError, arena_codegen.ArenaError)


def test_an_interrupted_search_does_not_become_a_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_short = Plan((0, 128, 256, 0), 384, 256, "best", complete=False)
    monkeypatch.setattr("arena_codegen.pipeline.plan", lambda problem, **_: cut_short)
    with pytest.raises(KeyboardInterrupt) as caught:
        arena_codegen.plan_model(models.residual(), kernels="none")
    assert str(caught.value) == "the best peak so far is 384 bytes, 128 above the bound"


def test_an_interrupt_of_a_second_search_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan in the metadata is searched for twice where tensors are kept."""
    searches: list[Problem] = []

    def second_is_stopped(problem: Problem, **options: str) -> Plan:
        searches.append(problem)
        return replace(plan(problem, **options), complete=len(searches) < 2)

    monkeypatch.setattr("arena_codegen.pipeline.plan", second_is_stopped)
    model = parse_model(models.residual(), "m.tflite")
    with pytest.raises(KeyboardInterrupt, match="the best peak so far is 512 bytes, 0 above the bound"):
        plan_copy(model, PlanOptions(kernels="none", keep=("in",)), "copy.tflite")


def test_every_public_name_is_there() -> None:
    assert all(getattr(arena_codegen, name) is not None for name in arena_codegen.__all__)
    with pytest.raises(AttributeError, match="nothing"):
        _ = arena_codegen.nothing
