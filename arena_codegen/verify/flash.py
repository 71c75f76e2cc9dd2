"""Programs for boards that nothing runs here: built, linked, and checked against the board's memories."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from arena_codegen.emit.header import render_header
from arena_codegen.emit.runner import render_runner
from arena_codegen.errors import Finding, VerdictError
from arena_codegen.layout.types import Layout
from arena_codegen.model.types import Model
from arena_codegen.verify.board import Board, section_for
from arena_codegen.verify.firmware import build, pattern_check
from arena_codegen.verify.pattern import HEADER, PREFIX, RUNNER, refuse_workspaces
from arena_codegen.verify.section_map import misplaced, read_section_map


@dataclass(frozen=True, slots=True)
class Flashable:
    """A program to be flashed, and where its arena lies: the memory's name and the address."""

    program: Path
    memory: str
    address: int


def build_for_flash(model: Model, layout: Layout, board: Board, folder: Path) -> Flashable:
    """The pattern check of a plan as a program for a board.

    Raises ModelError for a model with memory that nothing writes, FitError where the arena or the tables exceed the
    board's memory, ToolError where the compiler is missing, VerdictError where the program does not lie where the board
    has memory.
    """
    refuse_workspaces(model)
    emitted = replace(layout, arena_bytes=max(1, layout.peak))
    section = section_for(emitted, emitted.arena_bytes, board)
    generated = {
        HEADER: render_header(emitted, prefix=PREFIX, section=section),
        RUNNER: render_runner(model, (emitted,), header=HEADER, prefix=PREFIX),
    }
    folder = folder.resolve()
    program = build(generated, RUNNER, folder, folder / "stub", board, (pattern_check(board),))
    found = read_section_map(program)
    memory = next(memory for memory in board.memories if memory.section == section)
    faults = list(misplaced(found, board, f"{PREFIX}_arena", memory))
    if faults:
        raise VerdictError([Finding(fault, layout.model.file) for fault in faults])
    return Flashable(program, memory.name, found.symbols[f"{PREFIX}_arena"][0])
