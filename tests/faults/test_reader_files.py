"""Files that are no models, or damaged ones: what they are called."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from arena_codegen.errors import ModelError
from arena_codegen.model.reader import parse_model, read_model
from tests.support import models
from tests.support.models import Graph, build
from tests.support.tools import need_tool


def faults(data: bytes) -> list[tuple[str, str]]:
    """(what, where) of everything that is wrong with these bytes."""
    with pytest.raises(ModelError) as caught:
        parse_model(data, "m.tflite")
    assert caught.value.exit_code == 3
    return [(finding.what, finding.where) for finding in caught.value.findings]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "the file is empty"),
        (b"TFL", "the file has 3 bytes, too few for a model"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "this is a Git LFS pointer, not the model"),
        (b"PK\x03\x04rest of an archive", "this is a zip archive, not a model"),
        (b"\x1f\x8b\x08\0\0\0\0\0", "this is gzip data, not a model"),
        (b"\n<!DOCTYPE html><html>", "this is a web page, not a model"),
        (b"\x08\x07\x12\x07pytorch\x1a", "this is an ONNX model, not a TensorFlow Lite model"),
        (b"\x89HDF\r\n\x1a\n", "this is an HDF5 file, as Keras writes it, not a TensorFlow Lite model"),
        (b"// made by xxd\nunsigned char model[] = {", "this is C source, not a model"),
        (
            b"#include <m.h>\nalignas(8) const uint8_t model[] DATA_ALIGN_ATTRIBUTE = {0x1c, 0x00,",
            "this is C source, not a model",
        ),
        (b"# Notes\n```c\n#include <stdint.h>\nuint8_t a;\n```\n", "file identifier is 'tes\\n', not 'TFL3'"),
        (b"\x30\0\0\0\x1c\0\0\0TFL3", "the model has a length in front of it"),
        (b"\x1c\0\0\0CIR0" + bytes(40), "file identifier is 'CIR0', not 'TFL3'"),
        (b"\x1c\0\0\0\xff\x01\x1b[" + bytes(40), "file identifier is '\\\\xff\\x01\\x1b[', not 'TFL3'"),
    ],
)
def test_a_file_of_another_kind_is_called_what_it_is(data: bytes, what: str) -> None:
    assert faults(data) == [(what, "m.tflite")]


def test_a_git_lfs_pointer_says_how_to_get_the_model() -> None:
    with pytest.raises(ModelError) as caught:
        parse_model(b"version https://git-lfs.github.com/spec/v1\n", "m.tflite")
    assert caught.value.findings[0].hint == "fetch the model itself: git lfs pull"


def test_the_command_that_c_source_is_answered_with_gives_the_model_back(tmp_path: Path) -> None:
    data = models.residual()
    (tmp_path / "kws.tflite").write_bytes(data)
    xxd = need_tool("xxd")
    source = subprocess.run([xxd, "-i", "kws.tflite"], cwd=tmp_path, check=True, stdout=subprocess.PIPE).stdout
    (tmp_path / "model.cc").write_bytes(source)
    with pytest.raises(ModelError) as caught:
        read_model(tmp_path / "model.cc")
    told, _, line = caught.value.findings[0].hint.partition(": ")
    subprocess.run(["sh", "-c", line], cwd=tmp_path, check=True)
    assert told == "turn the array back"
    assert (tmp_path / "model.tflite").read_bytes() == data


def test_a_missing_file_is_named_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        read_model(tmp_path / "no.tflite")
    (finding,) = caught.value.findings
    assert (finding.what, finding.where) == (
        "model cannot be read: No such file or directory",
        str(tmp_path / "no.tflite"),
    )


def test_a_folder_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="model cannot be read: Is a directory"):
        read_model(tmp_path)


def test_a_path_with_a_zero_byte_is_no_model() -> None:
    with pytest.raises(ModelError, match="model cannot be read"):
        read_model("a\0b")


def test_another_schema_version_is_refused() -> None:
    assert faults(build(Graph(), version=4)) == [("schema version is 4, not 3", "m.tflite")]


def test_a_model_without_subgraphs_is_refused() -> None:
    assert faults(build()) == [("model has no subgraph", "m.tflite")]


def test_a_file_cut_short_says_which_parts_are_missing() -> None:
    data = models.chain()
    found = faults(data[: len(data) // 2])
    assert all("cannot be read" in what for what, _ in found)
    assert ("m.tflite · subgraph 0 · tensor 0") in {where for _, where in found}


def test_a_file_cut_to_its_header_has_no_root_table() -> None:
    start = int.from_bytes(models.chain()[:4], "little")
    assert faults(models.chain()[:12]) == [
        (f"model cannot be read: table at byte {start} lies outside the file (12 bytes)", "m.tflite")
    ]


def test_the_first_fault_of_a_damaged_file_says_so() -> None:
    with pytest.raises(ModelError) as caught:
        parse_model(models.chain()[:100], "m.tflite")
    assert [finding.hint for finding in caught.value.findings][:2].count(
        "the file is damaged or was cut short: copy or convert it again"
    ) == 1


def test_a_vector_that_claims_too_many_elements_is_refused_with_its_field() -> None:
    data = bytearray(models.chain())
    at = data.index(b"\x02\0\0\0\x01\0\0\0\x10\0\0\0")
    data[at : at + 4] = b"\xff\xff\xff\x7f"
    ((what, where),) = faults(bytes(data))
    assert what == (
        f"tensor cannot be read: field shape: 2147483647 elements at byte {at} "
        f"run past the end of the file ({len(data)} bytes)"
    )
    assert where.startswith("m.tflite · subgraph 0 · tensor ")


def test_a_tensor_of_too_many_dimensions_is_refused() -> None:
    g = Graph()
    g.tensor("x", (1,) * 33)
    assert faults(build(g)) == [
        (
            "tensor cannot be read: field shape: 33 dimensions, at most 32 are supported",
            "m.tflite · subgraph 0 · tensor 0",
        )
    ]


def test_a_constant_behind_the_flatbuffer_must_lie_in_the_file() -> None:
    data = models.external_constant()
    size = len(data)
    found = faults(data[:-1])
    assert found == [
        (
            f"buffer cannot be read: fields offset and size: 16 bytes at byte {size - 16} "
            f"run past the end of the file ({size - 1} bytes)",
            "m.tflite · buffer 1",
        )
    ]


def test_all_faults_of_a_file_are_reported_together() -> None:
    g = Graph()
    x = g.input("in", (1, -1))
    g.op("RELU", [x], [g.tensor("a", (1, 4), 99)])
    g.op("RELU", [7], [x])
    assert [what for what, _ in faults(build(g, version=5))] == [
        "schema version is 5, not 3",
        "element type 99 is not known",
        "inputs[0] names tensor 7, the subgraph has 2 tensor(s)",
        "tensor has no fixed size: dimension 1 is -1",
        "operator writes an input of its subgraph",
    ]


def test_of_very_many_faults_a_hundred_are_shown() -> None:
    g = Graph()
    for index in range(150):
        g.tensor(f"t{index}", (1,), 99)
    found = faults(build(g))
    assert len(found) == 101
    assert found[-1] == ("50 more faults are not shown", "m.tflite")
