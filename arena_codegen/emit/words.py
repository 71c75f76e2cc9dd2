"""Sentences about single buffers, as pictures and pages show them.

F5. Fit for one line; whoever prints them escapes what markup needs.
"""

from __future__ import annotations

from arena_codegen.emit.story import called
from arena_codegen.layout.types import BufferRow, ShareRow
from arena_codegen.text import counted, printable


def kib(size: int) -> str:
    """`16000 bytes (15.6 KiB)`; bytes alone below 1 KiB."""
    return f"{counted(size, 'byte')} ({size / 1024:.1f} KiB)" if size >= 1024 else counted(size, "byte")


def buffer_text(row: BufferRow) -> str:
    """A buffer in one line: which, how large, where, from when to when."""
    life = f"step {row.first}" if row.first == row.last else f"steps {row.first} to {row.last}"
    return f"{called(row)}, {row.role}, {counted(row.bytes, 'byte')} at offset {row.offset}, {life}"


def share_text(row: BufferRow, other: BufferRow, share: ShareRow) -> str:
    """Who may lie on whose bytes, and why."""
    return f"{called(row)} takes over bytes of {called(other)} ({share.rule}): {printable(share.why)}"
