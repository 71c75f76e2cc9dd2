"""Comments of generated C: any text as folded lines that nothing can break out of.

F5. Text goes in as it is and is made safe here, once; see names.c_comment.
"""

from __future__ import annotations

import re
import textwrap

from arena_codegen.names import c_comment

WIDTH = 120
"""Columns of a generated line."""

_UNIT = re.compile(r"\\x..|\\u.{4}|\\U.{8}|.")


def fold(text: str, indent: int, first: str = "", width: int = WIDTH - len(" *")) -> list[str]:
    """The text as lines of at most `width` columns, indented; `first` stands in the indent of the first line."""
    room = width - indent
    line = " ".join(c_comment(text, None).split())
    lines = [line] if len(line) <= room else _wrapped(line, room)
    heads = [first.ljust(indent)] + [" " * indent] * (len(lines) - 1)
    return [(head + line).rstrip() for head, line in zip(heads, lines, strict=True)]


def _wrapped(line: str, room: int) -> list[str]:
    words = [part for word in line.split() for part in _parts(word, room)]
    return textwrap.wrap(" ".join(words), room, break_long_words=False, break_on_hyphens=False)


def block(text: str) -> list[str]:
    """The text as a comment of its own."""
    lines = fold(text, 1, width=WIDTH - len("/**/ "))
    opened = [("/*" if number == 0 else " *") + line for number, line in enumerate(lines)]
    return [*opened[:-1], opened[-1] + " */"]


def _parts(word: str, room: int) -> list[str]:
    """A word that is too long, cut into pieces; never inside of an escape."""
    if len(word) <= room:
        return [word]
    parts = [""]
    for unit in _UNIT.findall(word):
        if len(parts[-1]) + len(unit) > room:
            parts.append("")
        parts[-1] += unit
    return parts
