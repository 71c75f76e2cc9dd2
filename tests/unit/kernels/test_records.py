"""What real TFLM did on a Cortex-M4, for every model and kernel library in the records: our numbers, to the byte."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from arena_codegen.kernels import library
from arena_codegen.kernels.tflm_abi import Event, accepts, events, usage
from arena_codegen.layout import measure_tail
from arena_codegen.model.reader import parse_model
from arena_codegen.options import PlanOptions
from arena_codegen.requests import Requests, collect
from arena_codegen.timeline import lay_timeline
from tests.support.real_models import real_models
from tests.support.tools import SHARED

RECORDS = SHARED / "ground_truth" / "arena.jsonl"


def _records() -> list[dict[str, Any]]:
    return [json.loads(line) for line in RECORDS.read_text().splitlines()] if RECORDS.exists() else []


def _files() -> Iterator[Path]:
    yield from sorted(SHARED.glob("models/*.tflite"))
    yield from real_models()


FILES = {sha256(path.read_bytes()).hexdigest(): path for path in _files()} if RECORDS.exists() else {}
CASES = [record for record in _records() if record["sha256"] in FILES]


def _name(record: dict[str, Any]) -> str:
    return f"{record['name']}-{record['kernels']}"


@pytest.fixture(params=CASES, ids=_name)
def record(request: pytest.FixtureRequest) -> dict[str, Any]:
    return request.param


@pytest.fixture(params=[record for record in CASES if "persistent_with_shim" in record], ids=_name)
def planned_record(request: pytest.FixtureRequest) -> dict[str, Any]:
    """A record of a run without TFLM's own planner, too."""
    return request.param


def _requests(record: dict[str, Any]) -> Requests:
    path = FILES[record["sha256"]]
    kernels = record["kernels"].replace("_", "-")
    model = parse_model(path.read_bytes(), path.name)
    return collect(model, lay_timeline(model), library(kernels, "m4"), PlanOptions(kernels=kernels))


def _events(record: dict[str, Any], greedy: bool) -> tuple[Event, ...]:
    requests = _requests(record)
    return events(requests.model, requests.kernels, record["head"], record["n_buffers"] if greedy else None)


def _smallest(run: tuple[Event, ...]) -> int:
    """The smallest arena of any size, not only multiples of 16."""
    needs = [(usage(run, end).need, end) for end in range(16)]
    return min(need + (end - need) % 16 for need, end in needs)


def test_requests_are_those_of_the_device(record: dict[str, Any]) -> None:
    ours = [(row.kind[0], row.subgraph, row.bytes, row.size, row.first, row.last) for row in _requests(record).rows]
    assert ours == [(b["k"], b["sg"], b["bytes"], b["size"], b["first"], b["last"]) for b in record["buffers"]]


def test_persistent_memory_is_that_of_the_device(record: dict[str, Any]) -> None:
    run = _events(record, greedy=True)
    ours = [(event.bytes, event.alignment) for event in run if event.kind == "persistent"]
    assert ours == [(size, alignment) for _, _, _, size, alignment, _ in record["persist"]]
    assert usage(run).tail == record["persistent"]


def test_arena_used_is_that_of_the_device(record: dict[str, Any]) -> None:
    tail, _ = measure_tail(_requests(record), record["head"], record["head"])
    assert tail is not None
    assert tail.greedy.arena_used == record["arena_used"]


def test_smallest_arena_is_that_of_the_device(record: dict[str, Any]) -> None:
    run = _events(record, greedy=True)
    assert _smallest(run) == record["min_arena"]
    assert accepts(run, record["min_arena"])
    assert not accepts(run, record["min_arena"] - 1)


def test_smallest_multiple_of_16_is_the_smallest_arena_rounded_up(record: dict[str, Any]) -> None:
    tail, _ = measure_tail(_requests(record), record["head"], record["head"])
    assert tail is not None
    assert tail.greedy.min_arena == -(-record["min_arena"] // 16) * 16


def test_tail_without_the_greedy_planner_is_that_of_the_device(planned_record: dict[str, Any]) -> None:
    assert usage(_events(planned_record, greedy=False)).tail == planned_record["persistent_with_shim"]
