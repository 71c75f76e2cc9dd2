"""Text from outside, made fit for one line of a report.

F0. Tensor names and paths may hold anything; on a terminal they must neither break a line nor speak to the terminal.
"""

from __future__ import annotations

from collections.abc import Sequence

SMALLEST = 12
"""Characters that are left of a clipped column at the least."""


def printable(text: str) -> str:
    """The text with everything that is not a visible character or a space written as an escape."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else _escape(sign) for sign in text)


def _escape(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")


def clipped(text: str, width: int) -> str:
    """The text in at most `width` characters (3 or more); of what is cut, the end is kept: names differ there."""
    return text if len(text) <= width else ".." + text[len(text) - width + 2 :]


def counted(number: int, noun: str) -> str:
    """`1 operator`, `13 operators`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def grid(
    head: Sequence[str], rows: Sequence[Sequence[object]], left: Sequence[str], elastic: str, width: int
) -> list[str]:
    """Lines of a table: columns apart by two spaces, or one where it is tight; those named in `left` stand to the left.

    The column `elastic` is clipped until a line fits `width`, down to SMALLEST characters.
    """
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *cells, strict=True)]
    at = head.index(elastic)
    room = width - sum(widths) + widths[at]
    gap = 2 if room - 2 * (len(head) - 1) >= min(widths[at], SMALLEST) else 1
    widths[at] = min(widths[at], max(room - gap * (len(head) - 1), SMALLEST))
    lines = []
    for row in ([*head], *cells):
        row[at] = clipped(row[at], widths[at])
        texts = [
            cell.ljust(size) if name in left else cell.rjust(size)
            for name, cell, size in zip(head, row, widths, strict=True)
        ]
        lines.append((" " * gap).join(texts).rstrip())
    return lines
