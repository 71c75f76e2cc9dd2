"""How users name tensors."""

from __future__ import annotations

import pytest

from arena_codegen.errors import UsageError
from arena_codegen.model.find import find_tensor
from arena_codegen.model.reader import parse_model
from arena_codegen.model.types import Model
from tests.support import models
from tests.support.models import Graph, build


def fault(model: Model, text: str) -> tuple[str, str]:
    with pytest.raises(UsageError) as caught:
        find_tensor(model, text)
    (finding,) = caught.value.findings
    return finding.what, finding.hint


def test_a_name_an_index_and_an_index_in_a_subgraph_are_found() -> None:
    model = parse_model(models.if_model(), "m.tflite")
    assert find_tensor(model, "sum")[0] == 1
    assert find_tensor(model, "2") == (0, 2)
    assert find_tensor(model, "1:0") == (1, 0)


def test_a_name_of_several_tensors_asks_for_an_index() -> None:
    model = parse_model(models.if_model(), "m.tflite")
    assert fault(model, "a") == ("'a' can mean 3 tensors", "name one by its index: 0:1, 1:0, 2:0")


def test_a_name_that_is_also_an_index_asks_for_an_index() -> None:
    g = Graph()
    x = g.input("1", (1, 4), "FLOAT32")
    g.op("NEG", [x], [g.output("out", (1, 4), "FLOAT32")])
    model = parse_model(build(g), "m.tflite")
    assert fault(model, "1") == ("'1' can mean 2 tensors", "name one by its index: 0:0, 0:1")
    assert find_tensor(model, "0:1") == (0, 1)


def test_an_index_that_does_not_exist_says_what_does() -> None:
    model = parse_model(models.residual(), "m.tflite")
    assert fault(model, "99") == ("there is no tensor 99", "subgraph 0 has tensors 0 to 3")
    assert fault(model, "3:0") == ("there is no tensor 3:0", "the model has 1 subgraph(s)")


def test_a_name_that_nobody_has_suggests_close_ones() -> None:
    model = parse_model(models.depthwise_cnn(), "m.tflite")
    assert fault(model, "imag") == ("no tensor is called 'imag'", "did you mean 'image'?")
    assert fault(model, "") == ("no tensor is called ''", "arena-codegen inspect lists them")
