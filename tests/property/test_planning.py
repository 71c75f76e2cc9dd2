"""What holds for every plan of every problem, over seeds. The peaks of small problems equal brute force."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest

from arena_codegen.planning import STRATEGIES, plan
from arena_codegen.planning.check import judge
from arena_codegen.planning.grid import grid
from arena_codegen.planning.problem import Buffer, Problem
from arena_codegen.planning.search.crowd import _dense, _sparse
from arena_codegen.planning.search.lowest import _by_arrays, _by_sets
from arena_codegen.planning.search.orders import by
from tests.support.problems import chain, dissection, large, optimum, scattered, sharing, tight, uneven
from tests.support.tools import ROOT

Generator = Callable[[int], Problem]

GENERATORS: dict[str, Generator] = {
    "scattered": scattered,
    "chain": chain,
    "tight": tight,
    "uneven": lambda seed: uneven(seed, 12),
    "sharing": lambda seed: sharing(seed, 8, 20),
    "sharing, aligned": lambda seed: sharing(seed, 8, 20, 16),
}
SMALL: dict[str, Generator] = {
    "scattered": lambda seed: scattered(seed, 7, 5, 5),
    "tight": lambda seed: tight(seed, 4, 5, 3),
    "uneven": uneven,
    "sharing": lambda seed: sharing(seed, 5, 4),
    "sharing, aligned": lambda seed: sharing(seed, 4, 4, 4),
}


@pytest.mark.parametrize("kind", GENERATORS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_plan_is_sound_and_between_bound_and_capacity_for_all(kind: str, strategy: str) -> None:
    for seed in range(120 if strategy != "exact" else 40):
        problem = GENERATORS[kind](seed)

        made = plan(problem, strategy, "quick")

        assert judge(problem, made) == ()
        assert made.lower_bound <= made.peak


@pytest.mark.parametrize("kind", GENERATORS)
def test_best_is_never_larger_than_a_simple_strategy(kind: str) -> None:
    for seed in range(300):
        problem = GENERATORS[kind](seed)

        assert plan(problem, "best", "quick").peak <= min(plan(problem, s).peak for s in ("greedy", "linear", "naive"))


@pytest.mark.parametrize("kind", SMALL)
def test_small_problems_are_optimal_and_proven(kind: str) -> None:
    for seed in range(200):
        problem = SMALL[kind](seed)

        made = plan(problem)

        assert (made.peak, made.optimal) == (optimum(problem), True), seed


@pytest.mark.parametrize("count", [20, 40, 60])
def test_perfect_packings_are_found(count: int) -> None:
    for seed in range(12):
        made = plan(dissection(count, seed))

        assert (made.peak, made.optimal) == (1024, True), seed


@pytest.mark.parametrize("kind", GENERATORS)
def test_the_judge_finds_every_offset_that_is_moved_into_a_neighbour(kind: str) -> None:
    dice = random.Random(1)
    found = 0
    for seed in range(60):
        problem = replace(GENERATORS[kind](seed), shares={})
        made = plan(problem, "greedy")
        for k, buffer in enumerate(problem.buffers):
            others = [
                j
                for j, other in enumerate(problem.buffers)
                if j != k and other.size and buffer.size and other.meets(buffer)
            ]
            if others:
                j = dice.choice(others)
                low = made.offsets[j] - buffer.size + 1
                moved = max(0, dice.randrange(low, made.offsets[j] + problem.buffers[j].size))
                offsets = (*made.offsets[:k], moved, *made.offsets[k + 1 :])
                assert judge(problem, replace(made, offsets=offsets))
                found += 1
    assert found > 100


def test_the_sweep_agrees_with_all_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(2)
    for seed in range(150):
        problem = (scattered(seed), sharing(seed, 8, 20))[seed % 2]
        made = plan(problem, "best", "quick")
        shaken = tuple(max(0, offset + dice.choice((0, 0, 0, 0, -1, 1))) for offset in made.offsets)
        for offsets in (made.offsets, shaken):
            by_pairs = judge(problem, replace(made, offsets=offsets))
            with monkeypatch.context() as patch:
                patch.setattr("arena_codegen.planning.check.PAIRS", -1)
                by_sweep = judge(problem, replace(made, offsets=offsets))
            assert bool(by_pairs) == bool(by_sweep)
            assert set(by_sweep) <= set(by_pairs)


@pytest.mark.parametrize("family", ["network", "short", "uniform"])
def test_large_problems_come_within_six_per_cent_of_the_bound(family: str) -> None:
    made = plan(large(family, 4000, 5))

    assert made.peak <= 1.06 * made.lower_bound


def test_arrays_and_lists_place_alike() -> None:
    for seed in range(40):
        g = grid(scattered(seed, 60))
        if not g.sizes:
            continue
        order = by("ZI", g)
        assert _dense(g, order, None) == _sparse(g, order, None)
        sets, arrays = _by_sets(g, order), _by_arrays(g, order)
        for left in range(len(g.steps)):
            for right in range(left + 1, len(g.steps) + 1):
                assert sets(left, right) == arrays(left, right)


def test_moving_all_steps_or_scaling_all_sizes_changes_nothing_else() -> None:
    for seed in range(60):
        problem = scattered(seed)
        shifted = Problem(tuple(Buffer(48 * b.size, b.first + 7, b.last + 7, 16) for b in problem.buffers), 16)

        assert plan(shifted).offsets == tuple(48 * offset for offset in plan(problem).offsets)


SCRIPT = """
import sys
from arena_codegen.planning import plan
from tests.support.problems import dissection, sharing, uneven
for problem in (dissection(90, 1), dissection(60, 2), sharing(3, 14, 40), uneven(4, 30)):
    print(plan(problem, effort="quick"))
"""


def test_plans_are_the_same_in_every_process_and_under_every_hash_seed() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }

    assert len(outputs) == 1
    assert outputs.pop().count(b"Plan(") == 4
