"""A model as the firmware runs it: calls, states, and what is missing."""

from __future__ import annotations

import re

from arena_codegen.inference import describe
from arena_codegen.inference.table import OPERATORS
from arena_codegen.model.reader import parse_model
from arena_codegen.resources import firmware
from tests.support import models
from tests.support.model_builder import Graph, build


def test_every_operator_of_the_small_models_has_a_kernel() -> None:
    for name in ("chain", "residual", "depthwise_cnn", "if_model", "while_model", "call_once_model", "svdf_model"):
        assert describe(parse_model(models.ALL[name](), "m.tflite")).missing == (), name


def test_what_is_missing_is_named_with_the_reason() -> None:
    g = Graph()
    x, y = g.input("x", (1, 4), "INT16", scale=0.1), g.tensor("y", (1, 4), "INT16", scale=0.1)
    g.op("SOFTMAX", [x], [y], beta=1.0)
    g.op("Twist", [y], [g.output("z", (1, 4), "INT16", scale=0.1)], custom=True)
    missing = describe(parse_model(build(g), "m.tflite")).missing
    assert [(one.operator.name, one.why) for one in missing] == [("SOFTMAX", "INT16 to INT16"), ("Twist", "")]


def test_a_custom_operator_is_never_taken_for_a_builtin_one() -> None:
    g = Graph()
    x = g.input("x", (1, 4), scale=0.1)
    g.op("RELU", [x], [g.output("y", (1, 4), scale=0.1)], custom=True)
    assert [one.operator.name for one in describe(parse_model(build(g), "m.tflite")).missing] == ["CUSTOM:RELU"]


def test_handles_of_one_name_share_a_state() -> None:
    states = describe(parse_model(models.call_once_model(), "m.tflite")).states
    assert [(state.name, state.bytes, len(state.tensors)) for state in states] == [("state", 16, 2)]


def test_an_int8_variable_begins_at_its_zero_point() -> None:
    g = Graph()
    x = g.input("x", (1, 4), scale=0.1)
    g.tensor("kept", (1, 4), scale=0.1, zero_point=-3, variable=True)
    g.op("RELU", [x], [g.output("y", (1, 4), scale=0.1)])
    (state,) = describe(parse_model(build(g), "m.tflite")).states
    assert (state.bytes, state.value) == (4, 253)


def test_a_state_that_an_operator_changes_is_an_output_of_its_call() -> None:
    network = describe(parse_model(models.svdf_model(), "m.tflite"))
    svdf = network.model.subgraphs[0].operators[0]
    assert network.outputs(svdf) == (*svdf.outputs, svdf.inputs[4])


def test_every_kernel_that_is_described_has_its_header_and_its_source() -> None:
    folder = firmware() / "kernels"
    for name in ("depthwise_cnn", "residual", "svdf_model", "while_model"):
        for calls in describe(parse_model(models.ALL[name](), "m.tflite")).calls:
            for one in calls:
                if one.kernel:
                    assert (
                        f"extern const kernel_t kernel_{one.kernel};" in (folder / f"{one.header_name}.h").read_text()
                    )
                    assert f"const kernel_t kernel_{one.kernel} = " in (folder / f"{one.header_name}.c").read_text()


def test_every_operator_has_a_kernel_file_of_its_name_or_of_the_loop_that_it_shares() -> None:
    folder = firmware() / "kernels"
    shared: dict[str, set[str]] = {}
    for line in (folder / "README.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("| `"):
            file, operators = line.split("|")[1:3]
            assert (folder / file.strip(" `")).is_file(), line
            for name in re.findall(r"[A-Z][A-Z0-9_]+", operators):
                shared.setdefault(name, set()).add(file)
    assert set(shared) <= set(OPERATORS)
    run_by_the_runner = {"VAR_HANDLE", "CALL_ONCE", "IF", "WHILE"}
    homeless = [name for name in OPERATORS if not (folder / f"{name.lower()}.c").is_file() and name not in shared]
    assert set(homeless) == run_by_the_runner


def test_rows_of_the_table_are_in_order() -> None:
    assert list(OPERATORS) == sorted(OPERATORS)
