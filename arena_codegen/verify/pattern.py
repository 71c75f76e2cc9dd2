"""The pattern check: a plan is executed on the board, without kernels, whatever the model's operators are."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from arena_codegen.emit.header import render_header
from arena_codegen.emit.runner import render_runner
from arena_codegen.errors import Finding, ModelError
from arena_codegen.layout.types import Layout
from arena_codegen.model.types import Model
from arena_codegen.verify.board import section_for
from arena_codegen.verify.firmware import build, cache_folder
from arena_codegen.verify.qemu import run_program
from arena_codegen.verify.verdict import Verdict, read_verdicts

TIMEOUT = 120.0
"""Seconds that the board may take, unless told otherwise; the largest models of the field take a tenth of that."""

PREFIX, HEADER, RUNNER, REPORT = "judged", "plan.h", "runner.c", "report.tap"


def run_pattern_check(
    model: Model, layout: Layout, *, build_dir: Path | None = None, timeout: float = TIMEOUT
) -> Verdict:
    """The board's verdict on a plan.

    Generated files, program, compiled parts and the board's report stay in `build_dir`; without one only the compiled
    parts stay, in the user's cache. Raises ModelError for a model with memory that nothing writes, ToolError where a
    tool is missing, FitError where the arena exceeds the board's memory, VerdictError where the board faults, hangs
    beyond `timeout` seconds, or breaks off.
    """
    return run_pattern_checks(model, (layout,), build_dir=build_dir, timeout=timeout)[0]


def run_pattern_checks(
    model: Model, layouts: Sequence[Layout], *, build_dir: Path | None = None, timeout: float = TIMEOUT
) -> tuple[Verdict, ...]:
    """The verdicts on several plans of the same requests, all in one start of the board, with the first's header."""
    if build_dir is not None:
        return _run(model, layouts, build_dir.resolve(), build_dir.resolve() / "stub", timeout)
    with tempfile.TemporaryDirectory(prefix="arena-codegen-") as folder:
        return _run(model, layouts, Path(folder), cache_folder(), timeout)


def refuse_workspaces(model: Model) -> None:
    """Raises ModelError for memory that an operator reads and nothing writes: nobody could say what belongs there.

    Vela gives an NPU its scratch memory so, and lays other tensors into it.
    """
    faults = []
    for graph in model.subgraphs:
        written = {*graph.inputs, *(index for operator in graph.operators for index in operator.outputs)}
        for operator in graph.operators:
            for index in dict.fromkeys(operator.inputs):
                tensor = graph.tensors[index] if index >= 0 and index not in written else None
                if tensor is not None and tensor.bytes and not tensor.is_constant and not tensor.is_variable:
                    what = "operator has memory that nothing writes, as an NPU's scratch; the board cannot judge it"
                    where = model.where(graph.index, operator.index, index)
                    faults.append(Finding(what, where, "arena-codegen check judges such a plan"))
    if faults:
        raise ModelError(faults)


def _run(model: Model, layouts: Sequence[Layout], folder: Path, cache: Path, timeout: float) -> tuple[Verdict, ...]:
    refuse_workspaces(model)
    arena_bytes = max(1, *(layout.peak for layout in layouts))
    emitted = replace(layouts[0], arena_bytes=arena_bytes)
    generated = {
        HEADER: render_header(emitted, prefix=PREFIX, section=section_for(emitted, arena_bytes)),
        RUNNER: render_runner(model, (emitted, *layouts[1:]), header=HEADER, prefix=PREFIX),
    }
    program = build(generated, RUNNER, folder, cache)
    ended = run_program(program, timeout=timeout)
    (folder / REPORT).write_text(ended.output, encoding="utf-8")
    return read_verdicts(ended, layouts, timeout)
