"""F8. How far a search is, in one line on a terminal that is written over and over, and gone at the end."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from arena_codegen.cli import console

if TYPE_CHECKING:
    from arena_codegen.planning import Progress

PATIENCE, PAUSE = 0.5, 0.1
"""Seconds before the line appears, and between two of its states."""

_CLEAR = "\r\x1b[K"


@contextmanager
def searching() -> Iterator[None]:
    """Searches that take long show how far they are on standard error, where that is a terminal."""
    if not console.moves(sys.stderr):
        yield
        return
    from arena_codegen.planning import listening

    line = _Line()
    try:
        with listening(line.show):
            yield
    finally:
        line.clear()


class _Line:
    """The line, when it is due next, and whether it is there. Time decides only what is seen while one waits."""

    def __init__(self) -> None:
        self._due = time.monotonic() + PATIENCE
        self._shown = False

    def show(self, progress: Progress) -> None:
        if time.monotonic() < self._due:
            return
        text = search_line(progress)[: console.width() - 1]
        console.put(f"{_CLEAR}{text}", sys.stderr)
        self._shown = True
        self._due = time.monotonic() + PAUSE

    def clear(self) -> None:
        if self._shown:
            console.put(_CLEAR, sys.stderr)


def search_line(progress: Progress) -> str:
    """How far a search is, in words; the most important ones first, for narrow terminals."""
    gap = progress.peak - progress.lower_bound
    percent = f" ({gap / progress.lower_bound:.1%})" if progress.lower_bound else ""
    used = f"{progress.steps / progress.limit:.0%} of the steps" if progress.limit else "no steps"
    return f"searching: {progress.peak} bytes, {gap}{percent} above the bound; {used}; Ctrl-C ends it"
