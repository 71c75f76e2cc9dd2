"""Models that Vela compiled: its plan lays an NPU's tensors on each other on purpose."""

from __future__ import annotations

import pytest

from arena_codegen.errors import ModelError, UsageError
from arena_codegen.model.offline_plan import NAME, offline_plan_bytes, read_offline_plan
from arena_codegen.model.reader import parse_model
from arena_codegen.model.types import Model
from arena_codegen.options import PlanOptions
from arena_codegen.pipeline import plan_copy, plan_layout
from arena_codegen.verify.offline import judge_offline_plan
from arena_codegen.verify.pattern import refuse_workspaces
from tests.support.commands import Command
from tests.support.model_builder import Graph, build
from tests.support.models import residual

SHAPE = (1, 16, 16, 1)


def _npu(g: Graph, read: int, written: int, parts: tuple[int, ...], name: str = "ethos-u") -> None:
    g.op(name, [*parts, read], [written], custom=True, custom_options=b"\1\4\1")


def _whole(*offsets: int, name: str = "ethos-u") -> bytes:
    """All on the NPU, as Vela writes it: command stream, weights and two scratch tensors that nothing writes."""
    g = Graph()
    scratch = g.tensor("split_scratch", (4608,), "UINT8")
    weights = g.tensor("split_flash", (64,), "UINT8", data=bytes(64))
    stream = g.tensor("split_command_stream", (64,), "UINT8", data=bytes(64))
    fast = g.tensor("split_scratch_fast", (4608,), "UINT8")
    x, y = g.input("in", (1, 48, 48, 1), scale=0.5), g.output("out", (1, 3), scale=0.5)
    _npu(g, x, y, (stream, weights, scratch, fast), name)
    return build(g, metadata=[(NAME, offline_plan_bytes(1, offsets))])


def _mixed(*offsets: int) -> bytes:
    """NPU, two operators on the CPU, NPU: in → a → b → c → out, offsets in that order; scratch spans everything."""
    g = Graph()
    x = g.input("in", SHAPE, scale=0.5)
    a, b, c = (g.tensor(name, SHAPE, scale=0.5) for name in "abc")
    y = g.output("out", SHAPE, scale=0.5)
    scratch = g.tensor("split_scratch", (1024,), "UINT8")
    parts = tuple(g.tensor(name, (64,), "UINT8", data=bytes(64)) for name in ("stream", "flash"))
    order = g.constant("order", [0, 2, 1, 3], "INT32")
    _npu(g, x, a, (*parts, scratch))
    g.op("RELU", [a], [b])
    g.op("TRANSPOSE", [b, order], [c])
    _npu(g, c, y, (*parts, scratch))
    return build(g, metadata=[(NAME, offline_plan_bytes(1, [*offsets, 0, -1, -1, -1]))])


def _model(data: bytes) -> Model:
    return parse_model(data, "vela.tflite")


def _faults(data: bytes) -> list[str]:
    model = _model(data)
    plan = read_offline_plan(model)
    assert plan is not None
    return [found.what for found in judge_offline_plan(model, plan, "cmsis-nn", "m4").faults]


@pytest.mark.parametrize("offsets", [(0, -1, -1, 0, 0, 0), (0, -1, -1, 4608, 1024, 0), (0, -1, -1, -1, 0, 16)])
def test_what_an_npu_lays_on_itself_is_no_fault(offsets: tuple[int, ...]) -> None:
    assert _faults(_whole(*offsets)) == []


def test_the_cpus_tensors_may_lie_in_the_scratch_of_the_npu() -> None:
    assert _faults(_mixed(0, 0, 256, 512, 0)) == []


@pytest.mark.parametrize(("offsets", "pair"), [((0, 0, 256, 256, 0), ("b", "c")), ((0, 512, 256, 128, 0), ("b", "c"))])
def test_tensors_of_the_cpu_on_each_other_are_a_fault_beside_an_npu(
    offsets: tuple[int, ...], pair: tuple[str, str]
) -> None:
    (fault,) = _faults(_mixed(*offsets))
    assert all(f"'{name}'" in fault for name in pair)


def test_other_custom_operators_own_nothing() -> None:
    assert _faults(_whole(0, -1, -1, 0, 0, 0, name="MyBlock"))


def test_only_custom_operators_may_read_what_nothing_writes() -> None:
    g = Graph()
    x, y = g.input("in", SHAPE), g.output("out", SHAPE)
    workspace = g.tensor("workspace", SHAPE)
    g.op("MyBlock", [workspace], [y], custom=True)
    parse_model(build(g), "m.tflite")
    g.op("ADD", [x, workspace], [g.tensor("sum", SHAPE)])
    with pytest.raises(ModelError, match="nothing writes"):
        parse_model(build(g), "m.tflite")


@pytest.mark.parametrize("strategy", ["best", "exact", "greedy", "linear", "naive"])
def test_an_honored_plan_of_vela_is_kept_to_the_byte(strategy: str) -> None:
    layout = plan_layout(_model(_mixed(0, 0, 256, 512, 0)), PlanOptions(honor_plan=True, strategy=strategy))
    assert [row.offset for row in layout.buffers] == [0, 0, 256, 512, 0, 0]
    assert layout.peak == 1024


def test_a_collision_on_the_cpu_is_refused_where_the_plan_is_honored() -> None:
    with pytest.raises(UsageError, match="alive together"):
        plan_layout(_model(_mixed(0, 0, 256, 256, 0)), PlanOptions(honor_plan=True))


def test_a_plan_of_vela_that_is_ignored_is_a_warning() -> None:
    warnings = plan_layout(_model(_whole(0, -1, -1, 0, 0, 0)), PlanOptions()).warnings
    (warning,) = [found for found in warnings if "is ignored" in found.what]
    assert not warning.is_note
    assert "would compute on other bytes" in warning.what


def test_metadata_does_not_replace_a_plan_of_vela() -> None:
    model = _model(_mixed(0, 0, 256, 512, 0))
    with pytest.raises(UsageError, match="would replace the model's offline plan"):
        plan_copy(model, PlanOptions(), "copy.tflite")
    _, copy = plan_copy(model, PlanOptions(honor_plan=True), "copy.tflite")
    assert read_offline_plan(_model(copy)) == read_offline_plan(model)


def test_the_board_does_not_judge_what_nothing_writes() -> None:
    with pytest.raises(ModelError, match="memory that nothing writes"):
        refuse_workspaces(_model(_whole(0, -1, -1, 0, 0, 0)))
    refuse_workspaces(_model(residual()))


def test_verify_refuses_a_model_of_vela(command: Command) -> None:
    (command.folder / "vela.tflite").write_bytes(_mixed(0, 0, 256, 512, 0))
    result = command("verify", "vela.tflite", "--pattern-only")
    assert (result.code, "the board cannot judge it" in result.err) == (3, True)


def test_the_layout_of_an_honored_plan_of_vela_is_sound(command: Command) -> None:
    (command.folder / "vela.tflite").write_bytes(_mixed(0, 0, 256, 512, 0))
    assert command("vela.tflite", "--json", "plan.json", "--honor-plan").code == 0
    assert command("check", "vela.tflite", "--plan", "plan.json").code == 0
