"""What is to be packed: buffers with a size and a lifetime, and what they may share.

F1. Bytes and steps only; nothing here has heard of a tensor.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

Interval = tuple[int, int]
"""An open interval of integers: both ends lie outside."""


@dataclass(frozen=True, slots=True)
class Buffer:
    """A rectangle: `size` bytes, alive in the steps `first` … `last`, both included (−1 is before step 0).

    `alignment` is a power of two that the offset is a multiple of. `offset` pins the buffer, None lets a strategy
    choose. `name` is for people only.
    """

    size: int
    first: int
    last: int
    alignment: int = 1
    offset: int | None = None
    name: str = ""

    def meets(self, other: Buffer) -> bool:
        """True where the two lifetimes have a step in common."""
        return self.first <= other.last and other.first <= self.last


@dataclass(frozen=True, slots=True)
class Problem:
    """Buffers, the alignment of the whole, and the pairs that may share bytes.

    `alignment`: the peak is rounded up to a multiple of it. `shares` maps a pair `(i, j)`, `i < j`, of buffers whose
    lifetimes meet to the open intervals that `offset[j] − offset[i]` must stay out of. A pair without an entry has the
    usual one, `(−size[j], size[i])`: disjoint. `((−size[j], 0), (0, size[i]))` also permits the same start;
    `((−d, size[i]),)` permits `j` to trail: to lie at least `d` below `i`, or disjoint. The intervals of an entry
    ascend, have no integer in common, and permit whatever is disjoint. An empty buffer (size 0) occupies nothing and
    collides with nobody, entry or not.
    Raises ValueError where the numbers make no sense.
    """

    buffers: tuple[Buffer, ...]
    alignment: int = 1
    shares: Mapping[tuple[int, int], tuple[Interval, ...]] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        for index, buffer in enumerate(self.buffers):
            if buffer.size < 0 or buffer.last < buffer.first:
                raise ValueError(f"buffer {index}: size {buffer.size}, lifetime {buffer.first}..{buffer.last}")
            if buffer.alignment < 1 or buffer.alignment & (buffer.alignment - 1):
                raise ValueError(f"buffer {index}: alignment {buffer.alignment} is not a power of two")
            if buffer.offset is not None and (buffer.offset < 0 or buffer.offset % buffer.alignment):
                raise ValueError(f"buffer {index}: pinned at {buffer.offset}, not a multiple of {buffer.alignment}")
        if self.alignment < 1 or self.alignment & (self.alignment - 1):
            raise ValueError(f"alignment {self.alignment} is not a power of two")
        for (i, j), intervals in self.shares.items():
            if not 0 <= i < j < len(self.buffers):
                raise ValueError(f"shares ({i}, {j}): not a pair of buffers in order")
            ends = [end for interval in intervals for end in interval]
            if any(low >= high for low, high in intervals) or ends != sorted(ends):
                raise ValueError(f"shares ({i}, {j}): {intervals} are not open intervals in ascending order")
            if ends and (ends[0] < -self.buffers[j].size or ends[-1] > self.buffers[i].size):
                raise ValueError(f"shares ({i}, {j}): {intervals} forbid more than disjoint buffers need")

    def forbidden(self, i: int, j: int) -> tuple[Interval, ...]:
        """The open intervals that `offset[j] − offset[i]` must stay out of, for buffers whose lifetimes meet."""
        if not (self.buffers[i].size and self.buffers[j].size):
            return ()
        if i < j:
            entry = self.shares.get((i, j))
            return entry if entry is not None else ((-self.buffers[j].size, self.buffers[i].size),)
        return tuple((-high, -low) for low, high in reversed(self.forbidden(j, i)))

    def peak(self, offsets: Sequence[int]) -> int:
        """Bytes of arena that the offsets need: the highest end, rounded up to the alignment."""
        placed = zip(self.buffers, offsets, strict=True)
        return align_up(max((offset + b.size for b, offset in placed if b.size), default=0), self.alignment)


def align_up(value: int, alignment: int) -> int:
    """The smallest multiple of `alignment` that is not below `value`."""
    return -(-value // alignment) * alignment


def read_csv(path: str | Path) -> Problem:
    """A problem from `id,lower,upper,size[,alignment[,offset]]`, one buffer a row; `upper` is exclusive.

    The format of MiniMalloc's benchmarks. Alignment defaults to 1; an empty offset is not pinned.
    Raises ValueError with the line for rows that are not a buffer.
    """
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.DictReader(file)
        missing = {"lower", "upper", "size"} - set(rows.fieldnames or ())
        if missing:
            raise ValueError(f"{path}: no column {', '.join(sorted(missing))}")
        return Problem(tuple(_buffer(path, rows.line_num, row) for row in rows))


def _buffer(path: str | Path, line: int, row: Mapping[str, str]) -> Buffer:
    try:
        return Buffer(
            size=int(row["size"]),
            first=int(row["lower"]),
            last=int(row["upper"]) - 1,
            alignment=int(row.get("alignment") or 1),
            offset=int(row["offset"]) if row.get("offset") else None,
            name=row.get("id") or "",
        )
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}:{line}: not a buffer: {error}") from error


def write_csv(problem: Problem, path: str | Path) -> None:
    """The problem as `read_csv` reads it; shares have no place in the format and are refused (ValueError)."""
    if problem.shares:
        raise ValueError("a CSV problem cannot carry permitted shares")
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("id", "lower", "upper", "size", "alignment", "offset"))
        writer.writerows(_rows(problem.buffers))


def _rows(buffers: Iterable[Buffer]) -> Iterable[tuple[object, ...]]:
    for index, b in enumerate(buffers):
        yield b.name or index, b.first, b.last + 1, b.size, b.alignment, "" if b.offset is None else b.offset
