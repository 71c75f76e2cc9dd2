"""Where the linker put a program's sections, compared with what the board has: for boards that nothing runs here.

F7. Reads the ELF file itself (System V ABI, 32 bits, little endian).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena_codegen.verify.board import Board, Memory

ALLOCATED = 2
SYMBOLS = 2
GUARD = 256
"""Bytes that a zone keeps free on both sides of an arena, at the least."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a program: its name, address and bytes; `is_loaded`: it takes memory on the board."""

    name: str
    address: int
    bytes: int
    is_loaded: bool

    @property
    def end(self) -> int:
        return self.address + self.bytes


@dataclass(frozen=True, slots=True)
class SectionMap:
    """The sections of a program, and its symbols by name: address and bytes."""

    sections: tuple[Section, ...]
    symbols: dict[str, tuple[int, int]]


def read_section_map(program: Path) -> SectionMap:
    """The section map of an ELF file."""
    data = program.read_bytes()
    start, size, count, names = *struct.unpack_from("<I", data, 32), *struct.unpack_from("<HHH", data, 46)
    headers = [struct.unpack_from("<10I", data, start + number * size) for number in range(count)]
    strings = headers[names][4]
    sections = tuple(
        Section(_text(data, strings + name), address, length, bool(flags & ALLOCATED) and length > 0)
        for name, _, flags, address, _, length, *_ in headers
    )
    symbols: dict[str, tuple[int, int]] = {}
    for _, kind, _, _, offset, length, link, *_ in headers:
        if kind == SYMBOLS:
            for at in range(offset, offset + length, 16):
                name, value, width = struct.unpack_from("<III", data, at)
                symbols[_text(data, headers[link][4] + name)] = value, width
    return SectionMap(sections, symbols)


def _text(data: bytes, at: int) -> str:
    return data[at : data.index(b"\0", at)].decode("ascii", "replace")


def misplaced(found: SectionMap, board: Board, arena: str, memory: Memory) -> Iterator[str]:
    """What of a program does not lie where the board has memory for it; `arena` is a symbol, `memory` where it
    belongs."""
    areas = [(board.code_origin, board.code_bytes), *((one.origin, one.bytes) for one in board.memories)]
    for section in found.sections:
        if section.is_loaded and not any(_inside(section.address, section.bytes, *area) for area in areas):
            yield f"{section.name} [{section.address:#x}, {section.end:#x}) lies in no memory of {board.name}"
    if found.symbols["board_reset"][0] & ~1 not in range(board.code_origin, board.code_origin + board.code_bytes):
        yield "the reset handler is not in code memory"
    vectors = next((section.address for section in found.sections if section.name == ".text"), None)
    if vectors != board.code_origin or found.symbols["vectors"][0] != board.code_origin:
        yield f"the vector table is not at {board.code_origin:#x}"
    limit = found.symbols["board_stack_limit"][0]
    if limit not in [one.origin for one in board.memories]:
        yield f"the stack ends at {limit:#x}, not at the lowest address of a memory"
    address, size = found.symbols[arena]
    if not _inside(address - GUARD, size + 2 * GUARD, memory.origin, memory.bytes):
        yield f"{arena} [{address:#x}, {address + size:#x}) and its guard zones are not in {memory.name}"


def _inside(address: int, size: int, origin: int, length: int) -> bool:
    return origin <= address and address + size <= origin + length
