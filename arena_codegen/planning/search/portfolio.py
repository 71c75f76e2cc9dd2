"""Cheap placements one after another, until one is good enough."""

from __future__ import annotations

from collections.abc import Iterator

from ..effort import Techniques
from ..fit import first_fit
from ..grid import Grid
from .lowest import lowest_valley
from .orders import by, by_breadth

VALLEYS = ("WZ", "LZ", "AZ", "Z")
"""Orders for filling the lowest valley; between them at the bound on every real model that was tried."""

FITS = ("TWA", "TZL", "Z", "TLZ", "WAT", "AW", "W", "TAW")
"""Orders for first fit."""

MANY = 3000
"""Beyond so many buffers, only the first few are tried."""


def portfolio(g: Grid, techniques: Techniques) -> Iterator[tuple[int, list[int]]]:
    """Plans that get smaller and smaller, as (height, offsets) in units; the caller stops when it likes.

    TFLM's greedy order is always among what was tried when the iterator ends.
    """
    least: int | None = None
    for offsets in _tried(g, techniques):
        height = g.peak(offsets)
        if least is None or height < least:
            least = height
            yield height, offsets


def _tried(g: Grid, techniques: Techniques) -> Iterator[list[int]]:
    many = len(g.sizes) > MANY
    if g.plain and techniques.valleys:
        for word in VALLEYS[:1] if many else VALLEYS:
            yield lowest_valley(g, by(word, g))
    fits = ("ZI", *FITS) if techniques.portfolio else ("ZI",)
    for word in fits[:1] if many else fits:
        offsets = first_fit(g, by(word, g))
        if offsets is not None:
            yield offsets
    if techniques.portfolio and not many:
        offsets = first_fit(g, by_breadth(g))
        if offsets is not None:
            yield offsets
