"""Layout → the C header: macros, offset table, arena, and static assertions of what the plan relies on.

F5. Pure: the same layout, prefix and section give the same text. For C99 and C++11 and later. Its order is that of
templates/c/plan.h.j2.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from arena_codegen.emit.banner import banner_lines
from arena_codegen.emit.buffer_list import shared_pairs, type_text
from arena_codegen.emit.comment import WIDTH, block
from arena_codegen.emit.environment import render
from arena_codegen.errors import Finding, UsageError
from arena_codegen.layout.types import BufferRow, Layout, Tail, TensorRow
from arena_codegen.names import c_comment, shorten
from arena_codegen.resources import include

TFLM_ALIGNMENT = 16
"""TFLM rounds the start of its arena up to this (MicroArenaBufferAlignment)."""


INSTEAD = ".bss.arena"
"""A section that usual linker scripts place in RAM, without bytes in the image."""

_READ_ONLY = r"(\.(?:text|rodata|init|fini|vectors|isr_vector|ARM|eh_frame))(?:[._].*)?"


@dataclass(frozen=True, slots=True)
class Macros:
    """A few #define lines under one comment."""

    comment: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Port:
    """An input or output of the main graph: its macros' stem (`KWS_INPUT0`), its tensor, its buffer if it has one."""

    stem: str
    tensor: TensorRow
    buffer: BufferRow | None
    is_input: bool
    kept: bool


def render_header(layout: Layout, *, prefix: str, section: str | None = None) -> str:
    """The text of the header, the same whatever its file is called.

    `prefix` and `section` were checked by `names.check_prefix` and `check_section`.
    """
    macro = prefix.upper()
    ports = tuple(_ports(layout, macro))
    return render(
        "c/plan.h.j2",
        tool=c_comment(layout.tool),
        model=c_comment(layout.model.file),
        banner=banner_lines(layout, prefix, section),
        macro=macro,
        symbol=prefix,
        macros=_macros(layout, macro, ports),
        types=(include() / "arena_codegen" / "plan.h").read_text(encoding="ascii").rstrip("\n"),
        arena_declaration=_folded(f"extern uint8_t {prefix}_arena[{macro}_ARENA_BYTES];", 4),
        arena_comment=block(_arena_text(layout, section)),
        assertions=_assertions(layout, prefix, ports),
        same_plan=_same_plan(layout, macro),
        table=_table(layout),
        table_assertion=_table_assertion(layout, prefix),
        kernels=layout.profile,
        flags=_flags(layout),
        arena_definition=_arena_definition(layout, prefix, section),
    )


def check_section(text: str) -> str:
    """The linker section that a user gave, as it stands. Raises UsageError for what no section can be called."""
    if not re.fullmatch(r"[A-Za-z0-9_.$-]+", text):
        hint = "letters, digits, '_', '.', '$' and '-', for example --section .bss.arena"
        raise UsageError(Finding(f"--section {text!r}: not the name of a linker section", hint=hint))
    return text


def section_note(section: str | None) -> Finding | None:
    """What a linker script has to say about the arena's section; None where GCC ships no zeros for it by itself.

    Its rule (varasm.cc, default_section_type_flags): `.bss`, `.noinit`, and these with a dot behind. Sections that hold
    other things already are worth a warning.
    """
    if section is None or re.fullmatch(r"\.(bss|noinit)(\..*)?", section):
        return None
    where, instead = f"--section {section}", f"--section {INSTEAD} does not; {linker_line('.arena', 'RAM')} has its own"
    if match := re.fullmatch(_READ_ONLY, section):
        what = f"{match[1]} is for code and constants, in memory that is not written: it cannot hold an arena"
        return Finding(what, where, f"--section {INSTEAD} can; {linker_line('.arena', 'RAM')} has its own")
    if re.fullmatch(r"\.data(\..*)?", section):
        what = f"{section} ships the arena as zeros: start-up code copies all of it from flash"
        return Finding(what, where, instead)
    what = f"the image carries the arena as zeros in {section}, unless the linker script says NOLOAD"
    hint = f"{linker_line(section)}\n{memory_of(section)} stands for the memory that the arena is to lie in"
    return Finding(what, where, hint, is_note=True)


def linker_line(section: str, memory: str | None = None) -> str:
    """The line of a linker script that keeps a section's zeros out of the image; the memory's name is a guess."""
    return f"{section} (NOLOAD) : {{ . = ALIGN(64); *({section}) }} > {memory or memory_of(section)}"


def memory_of(section: str) -> str:
    """What a linker script may call the memory of a section: `CCMRAM` for `.ccmram`, `DTCM` for `.dtcm.arena`."""
    word = re.match(r"[.$_-]*([A-Za-z][A-Za-z0-9]*)", section)
    return word[1].upper() if word else "RAM"


def _macros(layout: Layout, macro: str, ports: tuple[Port, ...]) -> list[Macros]:
    model, tail = layout.model, layout.tail
    groups = [
        _group(
            _sizes_text(layout, macro),
            {
                f"{macro}_ARENA_SIZE": f"{layout.peak}U",
                f"{macro}_ARENA_BYTES": f"{_arena_bytes(layout)}U",
                f"{macro}_ARENA_ALIGNMENT": f"{layout.alignment}U",
            },
        ),
        _group(
            "Rows of the offset table; inputs and outputs of the model.",
            {
                f"{macro}_BUFFER_COUNT": f"{len(layout.buffers)}U",
                f"{macro}_INPUT_COUNT": f"{len(layout.inputs)}U",
                f"{macro}_OUTPUT_COUNT": f"{len(layout.outputs)}U",
            },
        ),
        *(_port_group(port) for port in ports),
        _group(
            "1 where the bytes of every input above stay untouched until the end of the invocation.",
            {f"{macro}_INPUTS_KEPT": f"{int(all(p.kept for p in ports if p.is_input and p.buffer))}"},
        ),
        _group(
            "Which model was planned; arena_plan_matches() compares size and CRC-32 (zlib's).",
            {
                f"{macro}_MODEL_SIZE": f"{model.bytes}U",
                f"{macro}_MODEL_CRC32": f"0x{model.crc32:08x}U",
                f"{macro}_MODEL_SHA256": f'"{model.sha256}"',
            },
        ),
    ]
    if tail is not None:
        groups.append(_tail_group(tail, macro))
    return groups


def _tail_group(tail: Tail, macro: str) -> Macros:
    sizes = {f"{macro}_TFLM_TAIL_SIZE": f"{tail.bytes}U", f"{macro}_TFLM_ARENA_SIZE": f"{tail.min_arena}U"}
    if tail.greedy is not None:
        sizes[f"{macro}_TFLM_GREEDY_ARENA_SIZE"] = f"{tail.greedy.min_arena}U"
        shipped = "the smallest that boots with TFLM's own planner"
    else:
        shipped = "none with TFLM's own planner, which obeys the offline plan that the model carries"
    text = (
        f"TFLM's part, for {tail.tflm}, {tail.abi}: its persistent bytes under PlannedMemory, the smallest arena that"
    )
    return _group(f"{text} boots with it, and {shipped}.", sizes)


def _sizes_text(layout: Layout, macro: str) -> str:
    text = "Planned bytes (the head); bytes of the emitted arena (read-only; see --arena); alignment of its first byte."
    if layout.tail is None:
        return text
    return (
        f"{text} {macro}_ARENA_SIZE is the head alone, and arena_plan_base_ok() checks no more than that: give TFLM a "
        f"buffer of {macro}_TFLM_ARENA_SIZE bytes where you bring your own."
    )


def _group(comment: str, macros: Mapping[str, str]) -> Macros:
    width = max(map(len, macros), default=0)
    lines = (f"#define {name.ljust(width)} {value}" for name, value in macros.items())
    folded = (line if len(line) <= WIDTH else line.replace(' "', ' \\\n    "') for line in lines)
    return Macros(tuple(block(comment)), tuple(folded))


def _ports(layout: Layout, macro: str) -> Iterator[Port]:
    rows = {row.tensor: row for row in layout.tensors if row.subgraph == 0}
    taken_over = {source.index for source, _, _ in shared_pairs(layout)}
    for word, tensors in (("INPUT", layout.inputs), ("OUTPUT", layout.outputs)):
        for position, tensor in enumerate(tensors):
            row = rows[tensor]
            buffer = None if row.buffer is None or not row.bytes else layout.buffers[row.buffer]
            kept = buffer is not None and buffer.last >= layout.end_scope and buffer.index not in taken_over
            yield Port(f"{macro}_{word}{position}", row, buffer, word == "INPUT", kept)


def _port_group(port: Port) -> Macros:
    tensor, buffer = port.tensor, port.buffer
    what = f"{'Input' if port.is_input else 'Output'} {port.stem.rpartition('PUT')[2]}: "
    what += f"{type_text(tensor.dtype, tensor.shape)} {shorten(tensor.name or f'tensor {tensor.tensor}', 64)}"
    if buffer is None:
        return _group(f"{what}, {tensor.role if tensor.bytes else 'empty'}: not in the arena.", {})
    macros = {f"{port.stem}_OFFSET": f"{buffer.offset}U", f"{port.stem}_SIZE": f"{buffer.bytes}U"}
    if port.is_input:
        macros[f"{port.stem}_KEPT"] = f"{int(port.kept)}"
        what += "" if port.kept else f"; others use its bytes after scope {buffer.last}"
    return _group(f"{what}.", macros)


def _assertions(layout: Layout, symbol: str, ports: tuple[Port, ...]) -> list[str]:
    macro, least = symbol.upper(), layout.options["align"]
    claims = [
        (f"{macro}_ARENA_SIZE % {macro}_ARENA_ALIGNMENT == 0U", f"{symbol}_arena_size_is_a_multiple_of_its_alignment"),
        (f"{macro}_ARENA_SIZE <= {macro}_ARENA_BYTES", f"{symbol}_arena_holds_the_plan"),
    ]
    if layout.tail is not None and layout.tail.min_arena <= layout.arena_bytes:
        claims.append((f"{macro}_TFLM_ARENA_SIZE <= {macro}_ARENA_BYTES", f"{symbol}_arena_holds_what_tflm_needs"))
    for port in ports:
        if port.buffer is not None:
            claim = f"{symbol}_{port.stem[len(macro) + 1 :].lower()}"
            inside = f"ARENA_INSIDE({port.stem}_OFFSET, {port.stem}_SIZE, {macro}_ARENA_SIZE)"
            claims += [
                (f"{port.stem}_OFFSET % {least}U == 0U", f"{claim}_is_aligned"),
                (inside, f"{claim}_lies_inside"),
            ]
    return [line for condition, claim in claims for line in _assertion(condition, claim)]


def _assertion(condition: str, claim: str) -> list[str]:
    return _folded(f"ARENA_STATIC_ASSERT({condition}, {claim});", 20)


def _folded(code: str, indent: int) -> list[str]:
    """A declaration on as many lines as it needs; what follows the first is indented."""
    if len(code) <= WIDTH:
        return [code]
    code = code.replace("[", " [")
    return textwrap.wrap(code, WIDTH, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)


def _same_plan(layout: Layout, macro: str) -> str:
    """The preprocessor's condition under which what the macros hold is not this plan."""
    facts = {
        "MODEL_CRC32": f"0x{layout.model.crc32:08x}U",
        "ARENA_SIZE": f"{layout.peak}U",
        "ARENA_BYTES": f"{_arena_bytes(layout)}U",
        "BUFFER_COUNT": f"{len(layout.buffers)}U",
    }
    return " || \\\n    ".join(f"{macro}_{name} != {value}" for name, value in facts.items())


def _table(layout: Layout) -> list[str]:
    """The rows of the offset table; one that says nothing where there is none, since C has no empty array."""
    if not layout.buffers:
        return ["{0U, 0U, -1, -1} /* no buffer at all */"]
    cells = [(f"{row.offset}U", f"{row.bytes}U", f"{row.first}", f"{row.last}") for row in layout.buffers]
    widths = [max(len(line[column]) for line in cells) for column in range(4)]
    last = len(cells) - 1
    rows = []
    for row, line in zip(layout.buffers, cells, strict=True):
        numbers = ", ".join(text.rjust(width) for text, width in zip(line, widths, strict=True))
        name = c_comment(row.label, WIDTH - 4 - len(numbers) - len("{}, /* 0000 */"))
        rows.append(f"{{{numbers}}}{',' if row.index < last else ' '} /* {row.index} {name} */")
    return rows


def _table_assertion(layout: Layout, symbol: str) -> list[str]:
    count = f"{symbol.upper()}_BUFFER_COUNT" if layout.buffers else "1U"
    size = f"sizeof({symbol}_buffers) == {count} * sizeof(arena_buffer_t)"
    return _assertion(size, f"{symbol}_buffers_has_a_row_for_each_buffer")


def _flags(layout: Layout) -> str:
    rules = {share.rule for _, _, share in shared_pairs(layout)}
    flags = [
        name
        for name, is_set in (
            ("ARENA_PLAN_IN_PLACE", "in-place" in rules),
            ("ARENA_PLAN_OVERLAP", "overlap" in rules),
            ("ARENA_PLAN_SCRATCH_UNKNOWN", bool(layout.unknown_scratch)),
        )
        if is_set
    ]
    return " | ".join(flags) or "0U"


def _arena_bytes(layout: Layout) -> int:
    return max(layout.arena_bytes, 1)


def _arena_text(layout: Layout, section: str | None) -> str:
    text = f"The arena, {f'in section {section}' if section else 'in .bss'}; its content need not be cleared."
    note = section_note(section)
    if note is not None and not note.is_note:
        text += f" Warning: {note.what}."
    elif note is not None:
        text += " Where the linker script does not say NOLOAD for it, the image carries it as zeros."
    return text


def _arena_definition(layout: Layout, symbol: str, section: str | None) -> list[str]:
    macro = symbol.upper()
    tail_inside = layout.arena_bytes > layout.peak and layout.alignment < TFLM_ALIGNMENT
    alignment = f"{TFLM_ALIGNMENT}" if tail_inside else f"{macro}_ARENA_ALIGNMENT"
    place = f' ARENA_SECTION("{section}")' if section else ""
    return _folded(f"ARENA_ALIGN({alignment}) uint8_t {symbol}_arena[{macro}_ARENA_BYTES]{place};", 4)
