"""F8. Words on a terminal: colour where it is one, ASCII where it knows no more, and findings as text."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from arena_codegen.errors import Finding, UsageError
from arena_codegen.text import printable

SHOWN = 8
"""So many of a kind are shown before the rest is counted."""

PIPED = 100
"""Columns of text that goes elsewhere than to a terminal."""

_COLOURS = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[1;36m", "title": "\x1b[1m"}
_PLAIN = "\x1b[0m"
_ASCII = str.maketrans({"·": "-", "…": "...", "−": "-", "×": "x", "→": "->", "≤": "<=", "≥": ">=", "–": "-", "’": "'"})


def prepare() -> None:
    """No text of ours may fail to be printed, whatever the locale says."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def say(text: str, stream: TextIO | None = None) -> None:
    """One line (or more) to standard output, or to another stream."""
    stream = stream or sys.stdout
    with _blamed(stream):
        stream.write(fitting(text, stream) + "\n")


def put(text: str, stream: TextIO) -> None:
    """Text as it is, now, without a line's end: what a terminal shows for a while."""
    with _blamed(stream):
        stream.write(fitting(text, stream))
        stream.flush()


def flush() -> None:
    """Sends what was said on its way; what cannot be sent is an error of this run, not of its end."""
    with _blamed(sys.stdout):
        sys.stdout.flush()


@contextmanager
def _blamed(stream: TextIO) -> Iterator[None]:
    """What standard output does not take is an error; where standard error takes nothing, nobody can be told."""
    try:
        yield
    except OSError as error:
        if stream is sys.stdout and isinstance(error, BrokenPipeError):
            raise
        _drop(stream)
        if stream is sys.stderr:
            return
        why = (error.strerror or str(error)).lower()
        raise UsageError(Finding(f"standard output cannot be written: {why}")) from error


def _drop(stream: TextIO) -> None:
    """What is left in the stream goes nowhere, so that Python does not complain about it again at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def forsake() -> None:
    """Nobody reads our output any more."""
    _drop(sys.stdout)


def fitting(text: str, stream: TextIO) -> str:
    """The text as the stream can show it: signs that the locale does not have are spelled out."""
    encoding = "ascii" if _is_c_locale() else stream.encoding or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_ASCII).encode(encoding, "backslashreplace").decode(encoding)
    return text


def _is_c_locale() -> bool:
    """True for LC_ALL=C and its like; Python itself would still write UTF-8 there (PEP 540)."""
    if os.environ.get("PYTHONIOENCODING") or os.environ.get("PYTHONUTF8"):
        return False
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    return next((name for name in names if name), "") in ("C", "POSIX")


def width() -> int:
    """Columns of the terminal, or COLUMNS, or PIPED where there is neither."""
    return shutil.get_terminal_size((PIPED, 24)).columns


def moves(stream: TextIO) -> bool:
    """True where a line can be written over: on a terminal that is not dumb."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def painted(text: str, colour: str, stream: TextIO) -> str:
    """The text in a colour, on a terminal that wants one."""
    if not moves(stream) or os.environ.get("NO_COLOR"):
        return text
    return f"{_COLOURS[colour]}{text}{_PLAIN}"


def report(kind: str, findings: Iterable[Finding]) -> None:
    """Findings on standard error; `kind` is error, warning or note. Equal ones stand together, and long lists are cut.
    A warning that says of itself that it is a note is shown as one.

    Of findings that say the same, the places are listed; of findings that differ in numbers only, the hint is said
    once.
    """
    for group in _groups(findings):
        for line in _lines("note" if kind == "warning" and group[0].is_note else kind, group):
            say(line, sys.stderr)


def _groups(findings: Iterable[Finding]) -> list[list[Finding]]:
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((re.sub("[0-9]+", "0", finding.what), finding.hint), []).append(finding)
    return list(groups.values())


def _lines(kind: str, group: list[Finding]) -> list[str]:
    lines: list[str] = []
    head = painted(f"{kind}:", kind, sys.stderr)
    previous = None
    for finding in group[:SHOWN]:
        if finding.what != previous:
            lines.append(f"{head} {printable(finding.what)}")
            previous = finding.what
        if finding.where:
            lines.append(f"  at   {printable(finding.where)}")
    if len(group) > SHOWN:
        lines.append(f"  and  {len(group) - SHOWN} more like these")
    lines += [f"  hint {printable(hint)}" for hint in group[0].hint.split("\n") if hint]
    return lines
