"""Options of custom operators, written by the flatbuffers package."""

from __future__ import annotations

import random

import pytest
from flatbuffers import flexbuffers

from arena_codegen.model.flexbuffer import read_numbers


@pytest.mark.parametrize(
    "options",
    [
        {"T": 7, "fft_length": 512},
        {"a": -1, "b": 300, "c": 70000, "d": 2**40, "e": 0},
        {"flag": True, "other": False},
        {"one": 1},
    ],
)
def test_whole_numbers_and_booleans_are_read_as_they_were_written(options: dict[str, int]) -> None:
    assert read_numbers(bytes(flexbuffers.Dumps(options))) == options


def test_floats_are_cut_and_what_is_no_number_is_left_out() -> None:
    options = {"max_detections": 10.0, "name": "text", "list": [1, 2], "scale": 2.75}
    assert read_numbers(bytes(flexbuffers.Dumps(options))) == {"max_detections": 10, "scale": 2}


@pytest.mark.parametrize("data", [b"", b"\0", b"\1\2\3", bytes(flexbuffers.Dumps([1, 2, 3]))])
def test_bytes_that_are_no_map_have_no_numbers(data: bytes) -> None:
    assert read_numbers(data) == {}


def test_damaged_bytes_never_fail() -> None:
    rng = random.Random(1)
    good = bytes(flexbuffers.Dumps({"fft_length": 512, "T": 7, "scale": 0.5, "name": "text"}))
    for _ in range(3000):
        data = bytearray(good[: rng.randrange(len(good) + 1)] if rng.random() < 0.3 else good)
        for _ in range(rng.randrange(4)):
            if data:
                data[rng.randrange(len(data))] = rng.randrange(256)
        assert all(isinstance(value, int) for value in read_numbers(bytes(data)).values())
