"""`arena-codegen check`: plans made elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from arena_codegen.model.offline_plan import NAME, offline_plan_bytes
from arena_codegen.model.reader import parse_model
from arena_codegen.model.writer import with_offline_plan
from tests.support.commands import Command
from tests.support.model_builder import Graph, build
from tests.support.operator_models import operator_models


def _save(command: Command, name: str, data: bytes) -> str:
    (command.folder / name).write_bytes(data)
    return name


def _fixed(command: Command, *offsets: int) -> str:
    model = parse_model(operator_models()["CONV_2D 3x3"], "conv.tflite")
    return _save(command, "fixed.tflite", with_offline_plan(model, offsets))


def _edited(command: Command, edit: Callable[[dict[str, Any]], None]) -> tuple[str, str]:
    """A model, and its layout as an editor left it."""
    model = _save(command, "conv.tflite", operator_models()["CONV_2D 3x3"])
    assert command(model, "--json", "plan.json").code == 0
    data = json.loads((command.folder / "plan.json").read_text())
    edit(data)
    (command.folder / "plan.json").write_text(json.dumps(data))
    return model, "plan.json"


def test_a_copy_that_we_wrote_is_sound(command: Command) -> None:
    model = _save(command, "conv.tflite", operator_models()["CONV_2D 3x3"])
    command(model, "--metadata", "copy.tflite")
    result = command("check", "copy.tflite")
    assert (result.code, result.out) == (
        0,
        "arena-codegen: copy.tflite carries a valid offline plan: peak=1008 fixed=2 tensors=2\n",
    )


def test_open_tensors_are_placed_as_tflm_places_them(command: Command) -> None:
    result = command("check", _fixed(command, -1, -1, -1, 4096))
    assert "peak=4672 fixed=1 tensors=2" in result.out


def test_a_model_without_a_plan_is_wrong_usage(command: Command) -> None:
    result = command("check", _save(command, "conv.tflite", operator_models()["CONV_2D 3x3"]))
    assert result.code == 2
    assert "carries no offline plan" in result.err


@pytest.mark.parametrize(
    ("offsets", "fault"),
    [
        ((0, -1, -1, 272), "share bytes 272"),
        ((-7, -1, -1, 288), "offset -7 lies before the arena"),
        ((0, -1, -1, 2**31 - 16), "beyond 2 GiB"),
    ],
)
def test_a_plan_with_a_fault_is_exit_1_and_says_where(command: Command, offsets: tuple[int, ...], fault: str) -> None:
    result = command("check", _fixed(command, *offsets))
    assert result.code == 1
    assert fault in result.err
    assert "fixed.tflite" in result.err


def test_an_offset_that_an_element_cannot_have_is_a_fault(command: Command) -> None:
    g = Graph()
    x = g.input("in", (1, 4), "FLOAT32")
    g.op("RELU", [x], [g.output("out", (1, 4), "FLOAT32")])
    data = build(g, metadata=[(NAME, offline_plan_bytes(1, [2, 64]))])
    result = command("check", _save(command, "odd.tflite", data))
    assert result.code == 1
    assert "offset 2 is no multiple of 4" in result.err


@pytest.mark.parametrize("data", [b"\x01", offline_plan_bytes(1, [0]), offline_plan_bytes(1, [0, 16])[:-2]])
def test_a_plan_that_lies_about_its_length_is_a_fault(command: Command, data: bytes) -> None:
    g = Graph()
    x = g.input("in", (1, 16), scale=0.1)
    g.op("RELU", [x], [g.output("out", (1, 16), scale=0.1)])
    assert command("check", _save(command, "lies.tflite", build(g, metadata=[(NAME, data)]))).code == 1


def test_bytes_that_kernels_permit_to_share_are_no_fault(command: Command) -> None:
    g = Graph()
    x = g.input("in", (1, 16), scale=0.1)
    y, z = g.tensor("mid", (1, 16), scale=0.1), g.output("out", (1, 16), scale=0.1)
    g.op("ADD", [x, x], [y])
    g.op("RELU", [y], [z])
    same = build(g, metadata=[(NAME, offline_plan_bytes(1, [16, 0, 0]))])
    shifted = build(g, metadata=[(NAME, offline_plan_bytes(1, [32, 0, 8]))])
    assert command("check", _save(command, "same.tflite", same)).code == 0
    assert command("check", _save(command, "shifted.tflite", shifted)).code == 1


def test_a_variable_that_tflm_would_forget_is_a_fault(command: Command) -> None:
    main, other = Graph("main"), Graph("other")
    x, flag = main.input("x", (1, 4), "FLOAT32"), main.input("flag", (1,), "BOOL")
    main.op("IF", [flag, x], [main.output("z", (1, 4), "FLOAT32")], then_subgraph_index=1, else_subgraph_index=1)
    state = other.tensor("state", (1, 4), "FLOAT32", variable=True)
    a = other.input("a", (1, 4), "FLOAT32")
    other.op("ADD", [a, state], [other.output("b", (1, 4), "FLOAT32")])
    data = build(main, other, metadata=[(NAME, offline_plan_bytes(2, [64, -1, -1, -1, -1, -1]))])
    result = command("check", _save(command, "m.tflite", data))
    assert (result.code, "gives it no memory" in result.err) == (1, True)


def test_a_layout_of_ours_is_sound(command: Command) -> None:
    model, plan = _edited(command, lambda data: None)
    assert command("check", model, "--plan", plan).code == 0


@pytest.mark.parametrize(
    ("key", "value", "fault"),
    [
        ("size", 16, "the tensor needs"),
        ("bytes", 1, "the tensor has 288"),
        ("bytes", 304, "the tensor has 288"),
        ("last", 0, "lives in scopes"),
        ("offset", 16, "share bytes"),
    ],
)
def test_an_edited_layout_is_exit_1(command: Command, key: str, value: int, fault: str) -> None:
    def edit(data: dict[str, Any]) -> None:
        for row in data["buffers"][:2] if key == "offset" else data["buffers"][:1]:
            row[key] = value

    model, plan = _edited(command, edit)
    result = command("check", model, "--plan", plan)
    assert result.code == 1
    assert fault in result.err


def test_a_layout_without_its_scratch_is_exit_1(command: Command) -> None:
    model, plan = _edited(command, lambda data: data["buffers"].pop())
    result = command("check", model, "--plan", plan)
    assert (result.code, "scratch buffers" in result.err) == (1, True)


@pytest.mark.parametrize("count", [1, 143, 576])
def test_scratch_of_a_layout_that_its_kernels_do_not_ask_for_is_a_fault(command: Command, count: int) -> None:
    model, plan = _edited(command, lambda data: data["buffers"][-1].update(bytes=count))
    result = command("check", model, "--plan", plan)
    assert (result.code, f"{count} bytes of scratch" in result.err) == (1, True)


def test_a_layout_of_nonsense_kernels_is_exit_3(command: Command) -> None:
    model, plan = _edited(command, lambda data: data["options"].update(kernels="esp-nn"))
    assert command("check", model, "--plan", plan).code == 3


def _two_in_a_row(command: Command, name: str) -> tuple[str, dict[str, Any]]:
    """A model in which `name` reads what RELU wrote, and its layout: rows of input, middle and output."""
    g = Graph()
    x = g.input("in", (1, 4, 4, 1), scale=0.5)
    y, z = g.tensor("mid", (1, 4, 4, 1), scale=0.5), g.output("out", (1, 4, 4, 1), scale=0.5)
    g.op("RELU", [x], [y])
    g.op(name, [y, g.constant("order", [0, 2, 1, 3], "INT32") if name == "TRANSPOSE" else y], [z])
    model = _save(command, "two.tflite", build(g))
    assert command(model, "--json", "plan.json").code == 0
    return model, json.loads((command.folder / "plan.json").read_text())


@pytest.mark.parametrize(("name", "code"), [("ADD", 0), ("TRANSPOSE", 1)])
@pytest.mark.parametrize("rule", ["in-place", "overlap"])
def test_a_layout_may_share_what_its_kernels_permit_and_no_more(
    command: Command, name: str, code: int, rule: str
) -> None:
    model, data = _two_in_a_row(command, name)
    rows = {row["name"]: row for row in data["buffers"]}
    rows["in"]["offset"], rows["mid"]["offset"], rows["out"]["offset"], data["peak"] = 16, 0, 0, 32
    rows["out"]["shares"] = [{"index": rows["mid"]["index"], "rule": rule, "distance": 0, "why": "I say so"}]
    (command.folder / "plan.json").write_text(json.dumps(data))
    result = command("check", model, "--plan", "plan.json")
    assert (result.code, "does not permit" in result.err) == (code, code == 1)


def test_a_layout_may_not_take_over_what_it_is_to_keep(command: Command) -> None:
    model, data = _two_in_a_row(command, "ADD")
    data["options"]["keep"] = ["mid"]
    (command.folder / "plan.json").write_text(json.dumps(data))
    result = command("check", model, "--plan", "plan.json")
    assert (result.code, "does not permit" in result.err) == (1, True)


def test_scratch_that_does_not_live_with_its_operator_is_a_fault(command: Command) -> None:
    model, plan = _edited(command, lambda data: data["buffers"][-1].update(first=2, last=2))
    result = command("check", model, "--plan", plan)
    assert (result.code, "lives in scopes 2..2, the operator in 1..1" in result.err) == (1, True)


def test_an_offset_of_a_layout_that_an_element_cannot_have_is_a_fault(command: Command) -> None:
    def edit(data: dict[str, Any]) -> None:
        data["buffers"][-1]["offset"] += 1026
        data["peak"] = data["buffers"][-1]["offset"] + data["buffers"][-1]["size"] + 14

    model, plan = _edited(command, edit)
    result = command("check", model, "--plan", plan)
    assert (result.code, "no multiple of 4" in result.err) == (1, True)


def test_the_bound_of_a_pinned_layout_may_be_above_every_step(command: Command) -> None:
    model = _save(command, "conv.tflite", operator_models()["CONV_2D 3x3"])
    assert command(model, "--json", "plan.json", "--pin", "out0@4096").code == 0
    assert json.loads((command.folder / "plan.json").read_text())["lower_bound"] == 4096 + 576
    assert command("check", model, "--plan", "plan.json").code == 0
