"""Which sizes TFLM accepts: one pass over its allocations says the same as trying each size."""

from __future__ import annotations

import random

import pytest

from arena_codegen.kernels.tflm_abi import Event, accepts, accepts_any

KINDS = ("persistent", "temp", "temp", "head", "plan")


@pytest.mark.parametrize("seed", range(20))
def test_one_pass_says_the_same_as_trying_each_size(seed: int) -> None:
    rng = random.Random(seed)
    seen = set()

    def pick(count: int) -> int:
        return int(rng.random() * count)

    for _ in range(200):
        run = tuple(Event(KINDS[pick(5)], pick(90), (1, 4, 16)[pick(3)]) for _ in range(1 + pick(8)))
        low = 16 * pick(20)
        high = low + 16 * pick(25)
        expected = any(accepts(run, size) for size in range(low, high, 16))
        assert accepts_any(run, low, high) == expected
        seen.add(expected)
    assert seen == {True, False}
