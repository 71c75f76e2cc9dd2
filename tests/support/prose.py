"""Markdown whose paragraphs are wrapped, so that a change of a number is a small diff."""

from __future__ import annotations

import textwrap

WIDTH = 120
KEPT = ("|", "-", "!", "#", "```")
"""Blocks that begin so are left as they are: tables, lists, pictures, headings, code."""


def wrapped(text: str) -> str:
    """The text with each plain paragraph filled anew; blocks are what blank lines part. Code may hold no blank line."""
    blocks = text.strip("\n").split("\n\n")
    return "\n\n".join(block if block.startswith(KEPT) else _filled(block) for block in blocks) + "\n"


def _filled(block: str) -> str:
    return textwrap.fill(" ".join(block.split("\n")), WIDTH, break_long_words=False, break_on_hyphens=False)
