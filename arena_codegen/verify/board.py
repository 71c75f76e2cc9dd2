"""The board that runs the proof, and where an arena goes on it.

F7. Sizes and sections are those of `firmware_stub/board/<name>/memory.ld`.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena_codegen.errors import Finding, FitError
from arena_codegen.layout.types import Layout


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory that can hold an arena: its name, the section that leads there, its first address, its bytes, and those
    in use."""

    name: str
    section: str
    origin: int
    bytes: int
    taken: int

    @property
    def room(self) -> int:
        return self.bytes - self.taken


@dataclass(frozen=True, slots=True)
class Board:
    """`folder` in `firmware_stub/board`, QEMU's name or None where it is to be flashed, memories in the order of
    preference, first address and bytes of code memory."""

    folder: str
    machine: str | None
    memories: tuple[Memory, ...]
    code_origin: int
    code_bytes: int

    @property
    def name(self) -> str:
        return self.machine or self.folder


MPS2_AN386 = Board(
    folder="mps2_an386",
    machine="mps2-an386",
    memories=(
        Memory("SRAM", ".noinit.arena_sram", 0x20000000, 4 << 20, 32 << 10),
        Memory("PSRAM", ".noinit.arena_psram", 0x21000000, 16 << 20, 4 << 10),
    ),
    code_origin=0x00000000,
    code_bytes=4 << 20,
)
"""`taken`: stacks, data and guard zones. The working memory of the check comes on top in SRAM."""

STM32F4 = Board(
    folder="stm32f4",
    machine=None,
    memories=(
        Memory("SRAM", ".noinit.arena_sram", 0x20000000, 128 << 10, 12 << 10),
        Memory("CCM", ".noinit.arena_ccm", 0x10000000, 64 << 10, 1 << 10),
    ),
    code_origin=0x08000000,
    code_bytes=1 << 20,
)

STM32F746 = Board(
    folder="stm32f746",
    machine=None,
    memories=(
        Memory("SRAM", ".noinit.arena_sram", 0x20010000, 256 << 10, 4 << 10),
        Memory("DTCM", ".noinit.arena_dtcm", 0x20000000, 64 << 10, 12 << 10),
    ),
    code_origin=0x08000000,
    code_bytes=1 << 20,
)

BOARDS = {board.folder: board for board in (MPS2_AN386, STM32F4, STM32F746)}

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
    what = f"beyond the board's memory: the arena has {arena_bytes} bytes, {board.name} has {memories} for one"
    hint = f"the largest buffer has {max((row.size for row in layout.buffers), default=0)} bytes"
    raise FitError(Finding(what, layout.model.file, hint))
