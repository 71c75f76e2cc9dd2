"""Any bytes give a model or a `ModelError`: never another exception, whatever was cut off or flipped."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from arena_codegen.errors import Finding, ModelError, UsageError
from arena_codegen.model.reader import parse_model
from arena_codegen.model.shapes import with_shapes
from arena_codegen.model.types import Model
from tests.support import models
from tests.support.tools import SHARED

LARGEST = 20_000
FILES = [path for path in sorted(SHARED.glob("*/*.tflite")) if 8 < path.stat().st_size < LARGEST]
SEEDS: dict[str, bytes] = {name: function() for name, function in models.ALL.items()}
SEEDS |= {path.stem: path.read_bytes() for path in FILES}
EDGES = (0x00, 0x01, 0x7F, 0x80, 0xFF)


def survives(data: bytes) -> bool:
    """True where the bytes are a model; anything but a `ModelError` with findings fails the test."""
    answer = outcome(data)
    if isinstance(answer, Model):
        return True
    assert answer
    assert all(finding.what and finding.where.startswith("m.tflite") for finding in answer)
    return False


def outcome(data: bytes) -> Model | tuple[Finding, ...]:
    """The model, or what is wrong with it."""
    try:
        return parse_model(data, "m.tflite")
    except ModelError as error:
        return error.findings


def flipped(data: bytes, draw: random.Random) -> bytes:
    """The bytes with one to six changed, most of them where tables and offsets are: near both ends."""
    changed = bytearray(data)
    for _ in range(1 + int(draw.random() * 6)):
        near = int(draw.random() * min(len(data), 600))
        index = (near, len(data) - 1 - near, int(draw.random() * len(data)))[int(draw.random() * 3)]
        if draw.random() < 0.5:
            changed[index] ^= 1 << int(draw.random() * 8)
        else:
            changed[index] = EDGES[int(draw.random() * len(EDGES))]
    return bytes(changed)


@pytest.mark.parametrize("name", SEEDS)
def test_a_model_cut_anywhere_is_a_model_or_refused(name: str) -> None:
    data = SEEDS[name]
    for length in range(0, len(data), 1 + len(data) // 150):
        survives(data[:length])


@pytest.mark.parametrize("name", SEEDS)
def test_a_model_with_flipped_bytes_is_a_model_or_refused(name: str) -> None:
    draw = random.Random(name)
    for _ in range(100):
        survives(flipped(SEEDS[name], draw))


@pytest.mark.parametrize("name", SEEDS)
def test_a_given_shape_spreads_through_flipped_bytes_without_harm(name: str) -> None:
    draw = random.Random(name)
    for _ in range(60):
        tensor, size = int(draw.random() * 6), int(draw.random() * 9)
        with suppress(ModelError, UsageError):
            parse_model(flipped(SEEDS[name], draw), "m.tflite", [(str(tensor), (1, size, size, 3))])
        with suppress(ModelError):
            model = parse_model(flipped(SEEDS[name], draw), "m.tflite")
            if model.subgraphs[0].tensors:
                with_shapes(model, {(0, 0): (2, size, size, 3)})


def test_flipping_is_not_always_fatal() -> None:
    draw = random.Random(1)
    results = {survives(flipped(SEEDS["depthwise_cnn"], draw)) for _ in range(200)}
    assert results == {True, False}


def test_random_bytes_behind_a_good_beginning_are_refused() -> None:
    draw = random.Random(2)
    for _ in range(300):
        noise = bytes(int(draw.random() * 256) for _ in range(200))
        assert not survives(b"\x10\0\0\0TFL3" + noise)


def test_a_graph_of_many_operators_reads_like_any_other() -> None:
    assert parse_model(models.chain(3000), "m.tflite").operators == 3000


@pytest.mark.parametrize("name", SEEDS)
def test_the_same_bytes_give_the_same_answer(name: str) -> None:
    data = flipped(SEEDS[name], random.Random(name))
    assert outcome(data) == outcome(data)
    assert outcome(SEEDS[name]) == outcome(SEEDS[name])
