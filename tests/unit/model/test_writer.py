"""A copy of a model with a plan in its metadata: all else stays."""

from __future__ import annotations

import struct

import pytest
import tflite

from arena_codegen.errors import ModelError
from arena_codegen.model.offline_plan import NAME, offline_plan_bytes, read_offline_plan
from arena_codegen.model.reader import parse_model
from arena_codegen.model.types import Model
from arena_codegen.model.writer import with_offline_plan
from tests.support.model_builder import Graph, build
from tests.support.models import call_once_model, if_model, svdf_model, while_model
from tests.support.operator_models import operator_models

MODELS = {
    "conv": operator_models()["CONV_2D 3x3"],
    "if": if_model(),
    "while": while_model(),
    "call once": call_once_model(),
    "state": svdf_model(),
}


def _chain(**rest: object) -> bytes:
    g = Graph()
    x = g.input("in", (1, 8), scale=0.1)
    weights = g.constant("weights", [[1] * 8], scale=0.1)
    g.op("ADD", [x, weights], [g.output("out", (1, 8), scale=0.1)])
    return build(g, **rest)


def _copied(data: bytes) -> tuple[Model, Model]:
    model = parse_model(data, "m.tflite")
    tensors = sum(len(graph.tensors) for graph in model.subgraphs)
    return model, parse_model(with_offline_plan(model, range(-1, tensors - 1)), "copy.tflite")


@pytest.mark.parametrize("name", MODELS)
def test_everything_but_the_plan_is_as_it_was(name: str) -> None:
    model, copy = _copied(MODELS[name])
    assert copy.description == model.description
    for before, after in zip(model.subgraphs, copy.subgraphs, strict=True):
        assert (before.name, before.inputs, before.outputs) == (after.name, after.inputs, after.outputs)
        assert (before.tensors, before.operators) == (after.tensors, after.operators)
        assert [t.data for t in before.tensors] == [t.data for t in after.tensors]


@pytest.mark.parametrize("name", MODELS)
def test_the_plan_is_read_back(name: str) -> None:
    _, copy = _copied(MODELS[name])
    plan = read_offline_plan(copy)
    assert plan is not None
    flat = [offset for graph in plan.offsets for offset in graph]
    assert (flat, plan.faults) == (list(range(-1, len(flat) - 1)), ())


@pytest.mark.parametrize("name", MODELS)
def test_the_old_file_follows_whole_and_as_aligned_as_it_was(name: str) -> None:
    model, copy = _copied(MODELS[name])
    assert copy.data.endswith(model.data)
    assert (len(copy.data) - len(model.data)) % 16 == 0


def test_the_plan_itself_is_aligned_for_tflm() -> None:
    _, copy = _copied(_chain())
    assert copy.data.index(offline_plan_bytes(1, [-1, 0, 1])) % 16 == 0


def test_other_metadata_and_signatures_are_kept() -> None:
    signatures = [("serving_default", 0, {"x": 0}, {"y": 2})]
    model, copy = _copied(_chain(metadata=[("min_runtime_version", b"1.5.0"), ("x", b"\x01")], signatures=signatures))
    assert copy.signatures == model.signatures
    assert [(entry.name, entry.data) for entry in copy.metadata[:-1]] == [
        ("min_runtime_version", b"1.5.0"),
        ("x", b"\x01"),
    ]
    assert copy.metadata[-1].name == NAME


def test_an_older_plan_is_replaced() -> None:
    _, copy = _copied(_chain(metadata=[(NAME, offline_plan_bytes(1, [5, 5, 5])), ("x", b"\x01")]))
    assert [entry.name for entry in copy.metadata] == ["x", NAME]


def test_a_copy_of_a_copy_is_as_good() -> None:
    _, copy = _copied(_chain())
    again = parse_model(with_offline_plan(copy, [1, 2, 3]), "again.tflite")
    plan = read_offline_plan(again)
    assert plan is not None
    assert plan.offsets == ((1, 2, 3),)
    assert len(again.metadata) == 1


def test_the_package_that_others_read_with_reads_it_too() -> None:
    model, copy = _copied(_chain(metadata=[("x", b"\x01")]))
    read = tflite.Model.GetRootAs(copy.data, 0)
    assert tflite.Model.ModelBufferHasIdentifier(copy.data, 0)
    assert read.MetadataLength() == 2
    entry = read.Metadata(1)
    assert entry.Name() == NAME.encode()
    data = read.Buffers(entry.Buffer()).DataAsNumpy().tobytes()
    assert struct.unpack("<3I3i", data) == (1, 1, 3, -1, 0, 1)
    assert read.BuffersLength() == tflite.Model.GetRootAs(model.data, 0).BuffersLength() + 1


def test_a_file_with_parts_behind_the_flatbuffer_is_refused_with_the_reason() -> None:
    g = Graph()
    x = g.input("in", (1, 8), scale=0.1)
    w = g.tensor("w", (1, 8), scale=0.1, data=bytes(8), external=True)
    g.op("ADD", [x, w], [g.output("out", (1, 8), scale=0.1)])
    model = parse_model(build(g), "m.tflite")
    with pytest.raises(ModelError, match="behind the flatbuffer"):
        with_offline_plan(model, [-1] * 3)


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", "its header alone needs 12"),
        (b"\x01\x00\x00\x00", "its header alone needs 12"),
        (struct.pack("<3I2i", 1, 1, 2, 0, 0), "offsets for 2 tensors, the model has 3"),
        (struct.pack("<3I2i", 1, 1, 3, 0, 0), "has 20 bytes, 3 offsets need 24"),
        (struct.pack("<3I3i", 1, 1, 2**32 - 1, 0, 0, 0), "offsets for 4294967295 tensors"),
        (struct.pack("<3I3i", 1, 1, 3, 0, -2, 0), "offset -2 lies before the arena"),
    ],
)
def test_a_plan_that_lies_is_named_and_not_used(data: bytes, fault: str) -> None:
    plan = read_offline_plan(parse_model(_chain(metadata=[(NAME, data)]), "m.tflite"))
    assert plan is not None
    assert fault in plan.faults[0].what
    assert plan.is_empty


def test_the_last_plan_holds_and_a_longer_name_is_another_entry() -> None:
    first, last = offline_plan_bytes(1, [1, 1, 1]), offline_plan_bytes(1, [2, -1, 3])
    data = _chain(metadata=[(NAME, first), (NAME, last), (NAME + "2", first)])
    plan = read_offline_plan(parse_model(data, "m.tflite"))
    assert plan is not None
    assert plan.offsets == ((2, -1, 3),)


def test_a_model_without_one_has_no_plan() -> None:
    assert read_offline_plan(parse_model(_chain(), "m.tflite")) is None
