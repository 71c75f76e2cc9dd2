"""The pictures and walk-throughs that the README shows: rendered anew, they are what is committed."""

from __future__ import annotations

from tests.support.door_lock import planned, walk_through
from tests.support.gallery import gallery
from tests.support.golden import check_golden


def test_gallery_of_real_models() -> None:
    check_golden("gallery/models", gallery())


def test_gallery_door_lock() -> None:
    check_golden("gallery/door_lock", walk_through())


def test_gallery_door_lock_has_the_story_that_it_tells() -> None:
    """ReLU in place moves the peak to a convolution; fewer filters there help, fusing does not."""
    plan, apart, fused, narrow = planned(), planned(in_place=False), planned(fused=True), planned((8, 32))
    assert [row.name for row in plan.operators] == ["CONV_2D", "RELU", "CONV_2D", "RELU", "FULLY_CONNECTED"]
    deciding = [found.operators[found.peak_operator or 0].name for found in (apart, plan)]
    assert deciding == ["RELU", "CONV_2D"]
    assert narrow.peak < plan.peak == fused.peak < apart.peak < plan.naive
    assert plan.optimal
    assert sum(row.size for row in plan.alive(plan.peak_scope)) == plan.peak
