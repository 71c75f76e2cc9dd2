"""What real TFLM computes of models that it does not take as they are."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from arena_codegen.errors import ModelError
from arena_codegen.inference import Network, describe
from arena_codegen.verify.golden import run_tflm
from tests.firmware.plans import model_of
from tests.support.model_builder import Graph, build
from tests.support.tools import need_package


@pytest.fixture(autouse=True)
def tflm() -> None:
    need_package("tflite_micro")


def sums(*, external: bool = False) -> Graph:
    g = Graph()
    x = g.input("in", (1, 16), scale=0.1)
    by = g.constant("by", np.arange(16).reshape(1, 16), scale=0.1, external=external)
    g.op("ADD", [x, by], [g.output("out", (1, 16), scale=0.2)], fused_activation_function=0)
    return g


def network_of(data: bytes) -> Network:
    return describe(model_of(data))


def test_a_model_that_carries_a_plan_computes_what_it_computes_without_one() -> None:
    plan = struct.pack("<6i", 1, 0, 3, 0, -1, 16)
    plain, carrying = (
        run_tflm(network_of(data))
        for data in (build(sums()), build(sums(), metadata=[("OfflineMemoryAllocation", plan)]))
    )
    assert [one.crc(2) for one in carrying] == [one.crc(2) for one in plain]
    assert len({one.crc(2) for one in plain}) > 2


def test_constants_behind_the_flatbuffer_are_refused() -> None:
    with pytest.raises(ModelError, match="TFLM reads no constants that lie behind the flatbuffer"):
        run_tflm(network_of(build(sums(external=True))))
