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

CLOSE = 100
"""Of many buffers, a plan within a hundredth of the bound is not tried to be bettered, but by greedy's."""

CROWDED = 20_000
"""So many buffers with thousands alive at once: TFLM's greedy takes minutes there, and is not compared with."""


def portfolio(g: Grid, techniques: Techniques) -> Iterator[tuple[int, list[int]]]:
    """Plans that get smaller and smaller, as (height, offsets) in units; the caller stops when it likes.

    TFLM's greedy order is among what was tried when the iterator ends, but for `CROWDED` problems.
    """
    least: int | None = None
    tried = _tried_few if len(g.sizes) <= MANY or not g.plain else _tried_many
    for offsets in tried(g, techniques):
        height = g.peak(offsets)
        if least is None or height < least:
            least = height
            yield height, offsets


def _tried_few(g: Grid, techniques: Techniques) -> Iterator[list[int]]:
    if g.plain and techniques.valleys:
        for word in VALLEYS:
            yield lowest_valley(g, by(word, g))
    yield first_fit(g, by("ZI", g))
    if techniques.portfolio and len(g.sizes) <= MANY:
        for word in FITS:
            yield first_fit(g, by(word, g))
        yield first_fit(g, by_breadth(g))


def _tried_many(g: Grid, techniques: Techniques) -> Iterator[list[int]]:
    from .crowd import DENSE, first_fit_many

    height: int | None = None
    for word in VALLEYS[:2] if techniques.valleys else ():
        offsets = lowest_valley(g, by(word, g))
        yield offsets
        height = g.peak(offsets) if height is None else min(height, g.peak(offsets))
        if height - max(g.heights) <= max(g.heights) // CLOSE:
            break
    alive = sum(end - begin for begin, end in zip(g.begins, g.ends, strict=True)) // len(g.steps)
    if height is None or len(g.sizes) <= CROWDED or alive <= DENSE:
        greedy = first_fit_many(g, by("ZI", g), limit=height)
        if greedy is not None:
            yield greedy
