"""What real TFLM computes, and what is said where it does not."""

from __future__ import annotations

import numpy as np
import pytest

from arena_codegen.errors import ModelError, ToolError
from arena_codegen.inference import Network, describe
from arena_codegen.model.reader import parse_model
from arena_codegen.verify import golden, tflm, tools
from arena_codegen.verify.tools import Ended
from arena_codegen.verify.vectors import HIGHEST, LOWEST, PATTERN, RANDOM, values
from tests.support import models
from tests.support.model_builder import Graph, build
from tests.support.tools import need_package


def network_of(data: bytes) -> Network:
    return describe(parse_model(data, "m.tflite"))


def test_every_tensor_that_is_written_is_there() -> None:
    need_package("tflite_micro")
    network = network_of(models.residual())
    runs = golden.run_tflm(network)
    assert [run.vector.name for run in runs] == ["random 1", "all lowest", "all highest", "ramp", "random 2"]
    for run in runs:
        x, a, b, out = run.tensors
        assert x is not None
        assert a is not None
        assert b is not None
        assert out is not None
        assert np.array_equal(a, np.maximum(x, 0))
        assert np.array_equal(b, np.minimum(a, 60))
        assert np.array_equal(out, np.minimum(a.astype(int) + b, 127))


def test_state_goes_from_one_invocation_to_the_next() -> None:
    need_package("tflite_micro")
    network = network_of(models.call_once_model())
    after = [run.tensors[3] for run in golden.run_tflm(network)]
    inputs = [run.tensors[0] for run in golden.run_tflm(network)]
    total = np.full((1, 4), 3.0)
    for held, given in zip(after, inputs, strict=True):
        assert held is not None
        assert given is not None
        total = total + given
        assert np.allclose(held, total)


def test_a_constant_and_a_branch_that_nobody_takes_are_not_judged() -> None:
    need_package("tflite_micro")
    network = network_of(models.svdf_model())
    held = golden.run_tflm(network)[0].tensors
    kinds = [tensor.is_constant or tensor.is_variable for tensor in network.tensors]
    assert [array is None for array in held] == kinds


def test_a_model_that_tflm_refuses_says_why() -> None:
    need_package("tflite_micro")
    g = Graph()
    x = g.input("x", (1, 4), "INT32")
    g.op("RELU6", [x], [g.output("y", (1, 4), "INT32")])
    with pytest.raises(ModelError) as error:
        golden.run_tflm(network_of(build(g)))
    assert error.value.findings[0].what.startswith("TFLM does not ")


@pytest.mark.parametrize(
    ("ended", "error", "message"),
    [
        (Ended(-6, "", "terminate called\n"), ModelError, "TFLM stopped with code -6: terminate called"),
        (Ended(-9, "", "", timed_out=True), ModelError, "TFLM took too long: it says nothing"),
        (Ended(tflm.NOT_INSTALLED, "", "no wheel\n"), ToolError, "tflite-micro cannot be imported: no wheel"),
    ],
)
def test_a_crash_in_tflm_is_a_message(
    monkeypatch: pytest.MonkeyPatch, ended: Ended, error: type[Exception], message: str
) -> None:
    need_package("tflite_micro")
    monkeypatch.setattr(tools, "run", lambda command, **rest: ended)
    with pytest.raises(error, match=message):
        golden.run_tflm(network_of(models.chain()))


def test_an_input_that_cannot_be_made_up_is_refused() -> None:
    g = Graph()
    x = g.input("x", (1, 4), "COMPLEX64")
    g.op("RELU", [x], [g.output("y", (1, 4), "COMPLEX64")])
    with pytest.raises(ModelError, match="an input of COMPLEX64 cannot be made up"):
        golden.run_tflm(network_of(build(g)))


@pytest.mark.parametrize("dtype", ["INT8", "UINT8", "INT16", "INT32", "INT64", "FLOAT32", "BOOL"])
def test_vectors_are_the_same_every_time_and_differ_by_seed(dtype: str) -> None:
    g = Graph()
    x = g.input("x", (1, 400), dtype)
    g.op("RELU", [x], [g.output("y", (1, 400), dtype)])
    tensor = network_of(build(g)).tensors[0]
    first = values(tensor, RANDOM, 7)
    assert np.array_equal(first, values(tensor, RANDOM, 7))
    assert not np.array_equal(first, values(tensor, RANDOM, 8))
    assert values(tensor, LOWEST, 0).max() <= first.min()
    assert values(tensor, HIGHEST, 0).min() >= first.max()
    assert len(set(values(tensor, PATTERN, 0).ravel().tolist())) > 1
