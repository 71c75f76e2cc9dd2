"""The board that runs the proof, and where an arena goes on it.

F7. Sizes and sections are those of `firmware_stub/board/<name>/memory.ld`.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena_codegen.errors import Finding, FitError
from arena_codegen.layout.types import Layout


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory that can hold an arena: its name, the section that leads there, its bytes, and those in use."""

    name: str
    section: str
    bytes: int
    taken: int

    @property
    def room(self) -> int:
        return self.bytes - self.taken


@dataclass(frozen=True, slots=True)
class Board:
    """`folder` in `firmware_stub/board`, QEMU's name, memories in the order of preference, code memory in bytes."""

    folder: str
    machine: str
    memories: tuple[Memory, ...]
    code_bytes: int


MPS2_AN386 = Board(
    folder="mps2_an386",
    machine="mps2-an386",
    memories=(
        Memory("SRAM", ".noinit.arena_sram", 4 << 20, 32 << 10),
        Memory("PSRAM", ".noinit.arena_psram", 16 << 20, 4 << 10),
    ),
    code_bytes=4 << 20,
)
"""`taken`: stacks, data and guard zones. The working memory of the check comes on top in SRAM."""

BUFFER_STATE, OPERATOR_STATE = 16, 1
"""Bytes that the check keeps for each buffer (run_state_t and an index) and each operator (run.h)."""


def section_for(layout: Layout, arena_bytes: int, board: Board = MPS2_AN386) -> str:
    """The section for an arena of so many bytes. Raises FitError where no memory of the board holds it."""
    working = len(layout.buffers) * BUFFER_STATE + len(layout.operators) * OPERATOR_STATE
    room = board.memories[0].room - working
    if room >= 0:
        for number, memory in enumerate(board.memories):
            if arena_bytes <= (memory.room if number else room):
                return memory.section
    memories = ", ".join(f"{memory.room} bytes of {memory.name}" for memory in board.memories)
    what = f"beyond the board's memory: the arena has {arena_bytes} bytes, {board.machine} has {memories} for one"
    hint = f"the largest buffer has {max((row.size for row in layout.buffers), default=0)} bytes"
    raise FitError(Finding(what, layout.model.file, hint))
