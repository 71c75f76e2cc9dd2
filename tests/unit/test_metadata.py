"""--metadata and --honor-plan: what TFLM makes of a plan that the model carries."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from arena_codegen.errors import ModelError, UsageError
from arena_codegen.model.offline_plan import NAME, offline_plan_bytes, read_offline_plan
from arena_codegen.model.reader import parse_model
from arena_codegen.model.types import Model
from arena_codegen.model.writer import with_offline_plan
from arena_codegen.options import PlanOptions
from arena_codegen.pipeline import plan_copy, plan_layout
from tests.support import oracle
from tests.support.model_builder import Graph, build
from tests.support.models import call_once_model, if_model, orphans, svdf_model, while_model
from tests.support.operator_models import operator_models
from tests.support.real_models import real_models

REFERENCE = PlanOptions(kernels="reference")


def _models() -> dict[str, bytes]:
    models = {name: data for name, data in operator_models().items() if "ADD_N" not in name}
    several = {"if": if_model, "while": while_model, "call once": call_once_model, "state": svdf_model}
    models |= {name: make() for name, make in (several | {"orphans": orphans}).items()}
    return models | {path.stem: path.read_bytes() for path in real_models()}


def _model(data: bytes) -> Model:
    return parse_model(data, "m.tflite")


def _conv() -> Model:
    return _model(operator_models()["CONV_2D 3x3"])


def _fixed(model: Model, *offsets: int) -> Model:
    return _model(with_offline_plan(model, offsets))


@pytest.fixture(scope="module")
def copies() -> dict[str, tuple[int, bytes]]:
    """The head that we promise and the copy, of every model."""
    made = {}
    for name, data in _models().items():
        layout, copy = plan_copy(_model(data), REFERENCE, "copy.tflite")
        made[name] = (layout.peak, copy)
    return made


def test_tflm_makes_the_head_that_we_promise(copies: dict[str, tuple[int, bytes]], tmp_path: Path) -> None:
    heads = oracle.heads({name: copy for name, (_, copy) in copies.items()}, tmp_path)
    assert len(heads) == len(copies)
    assert heads == {name: copies[name][0] for name in heads}


def test_outputs_of_planned_models_are_those_of_the_models(
    copies: dict[str, tuple[int, bytes]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    plain = oracle.outputs(_models(), tmp_path_factory.mktemp("plain"))
    planned = oracle.outputs({name: copy for name, (_, copy) in copies.items()}, tmp_path_factory.mktemp("planned"))
    assert planned == plain
    assert len(plain) > 150


def test_greedy_is_what_tflm_does_by_itself(tmp_path: Path) -> None:
    models = _models()
    heads = oracle.heads(models, tmp_path)
    options = PlanOptions(kernels="reference", strategy="greedy")
    assert heads == {name: plan_layout(_model(data), options).peak for name, data in models.items()}


def test_the_layout_is_that_of_the_copy() -> None:
    layout, copy = plan_copy(_conv(), PlanOptions(), "copy.tflite")
    assert (layout.model.file, layout.model.sha256) == ("copy.tflite", hashlib.sha256(copy).hexdigest())
    assert layout.options["metadata"] is True
    plan = read_offline_plan(_model(copy))
    assert plan is not None
    fixed = {(row.subgraph, row.tensor): row.offset for row in layout.buffers if row.kind == "tensor"}
    assert {key: plan.offsets[key[0]][key[1]] for key in fixed} == fixed


def test_constants_and_variables_are_left_to_tflm() -> None:
    _, copy = plan_copy(_model(svdf_model()), PlanOptions(), "copy.tflite")
    model = _model(copy)
    plan = read_offline_plan(model)
    assert plan is not None
    open_ones = {tensor.name for tensor in model.subgraphs[0].tensors if plan.offsets[0][tensor.index] == -1}
    assert open_ones == {"feature", "time", "bias", "state"}


def test_a_variable_of_a_later_subgraph_keeps_its_place_in_the_tail() -> None:
    main, other = Graph("main"), Graph("other")
    x = main.input("x", (1, 4), "FLOAT32")
    flag = main.input("flag", (1,), "BOOL")
    y, z = main.tensor("y", (1, 4), "FLOAT32"), main.output("z", (1, 4), "FLOAT32")
    main.op("RELU", [x], [y])
    main.op("IF", [flag, y], [z], then_subgraph_index=1, else_subgraph_index=1)
    a = other.input("a", (1, 4), "FLOAT32")
    b = other.tensor("b", (1, 4), "FLOAT32")
    state = other.tensor("state", (1, 4), "FLOAT32", variable=True)
    other.op("ADD", [a, state], [b])
    other.outputs = [b]
    _, copy = plan_copy(_model(build(main, other)), PlanOptions(), "copy.tflite")
    plan = read_offline_plan(_model(copy))
    assert plan is not None
    assert plan.offsets[0][state] == -1


def test_nobody_says_of_the_plan_in_a_copy_that_it_is_ignored() -> None:
    layout, copy = plan_copy(_conv(), PlanOptions(), "copy.tflite")
    assert not [note for note in layout.warnings if "offline plan" in note.what]
    assert [note for note in plan_layout(_model(copy), PlanOptions()).warnings if "offline plan" in note.what]


def test_a_plan_that_is_there_already_is_replaced() -> None:
    layout, _ = plan_copy(_fixed(_conv(), 9984, -1, -1, 19984), PlanOptions(), "copy.tflite")
    assert layout.peak == plan_layout(_conv(), PlanOptions()).peak


def test_a_wish_that_tflm_would_break_is_refused() -> None:
    options = PlanOptions(kernels="reference", keep=("in",), pins=(("in", 0),))
    with pytest.raises(UsageError) as caught:
        plan_copy(_model(_relu_and_mean()), options, "copy.tflite")
    assert "TFLM places scratch buffers by itself" in caught.value.findings[0].hint
    assert not [finding for finding in caught.value.findings if "bound" in finding.what]


@pytest.mark.parametrize("align", [32, 64])
def test_tensors_of_a_copy_keep_an_alignment_that_tflm_does_not_know(align: int, tmp_path: Path) -> None:
    for name, data in (("conv", operator_models()["CONV_2D 3x3"]), ("mean", _relu_and_mean())):
        layout, copy = plan_copy(_model(data), PlanOptions(kernels="reference", align=align), "copy.tflite")
        tensors = [row for row in layout.buffers if row.kind == "tensor"]
        assert all(row.offset % align == 0 for row in tensors)
        heads = oracle.heads({name: copy}, tmp_path)
        assert all(layout.peak - align < head <= layout.peak for head in heads.values())


def test_a_note_says_that_scratch_of_a_copy_lies_at_multiples_of_16() -> None:
    notes = {
        align: [found for found in plan_copy(_conv(), PlanOptions(align=align), "copy.tflite")[0].warnings
                if "multiples of 16" in found.what]
        for align in (16, 64)
    }  # fmt: skip
    assert [len(found) for found in notes.values()] == [0, 1]


def test_a_copy_keeps_honored_offsets_that_cost_memory() -> None:
    layout, copy = plan_copy(_fixed(_conv(), 9984, -1, -1, 19984), PlanOptions(honor_plan=True), "copy.tflite")
    assert [row.offset for row in layout.buffers[:2]] == [9984, 19984]
    plan = read_offline_plan(_model(copy))
    assert plan is not None
    assert plan.offsets[0] == (9984, -1, -1, 19984)


def _relu_and_mean() -> bytes:
    g = Graph()
    x = g.input("in", (1, 8, 8, 1), scale=0.5)
    y = g.tensor("mid", (1, 8, 8, 1), scale=0.5)
    g.op("RELU", [x], [y])
    axes = g.constant("axes", [1, 2], "INT32")
    g.op("MEAN", [y, axes], [g.output("out", (1, 1, 1, 1), scale=0.5)], keep_dims=True)
    return build(g)


def test_what_is_kept_lies_where_tflm_puts_no_scratch(tmp_path: Path) -> None:
    options = PlanOptions(kernels="reference", keep=("in",))
    layout, copy = plan_copy(_model(_relu_and_mean()), options, "copy.tflite")
    kept = next(row for row in layout.buffers if row.name == "in")
    others = [row for row in layout.buffers if row is not kept]
    assert all(row.end <= kept.offset or row.offset >= kept.end for row in others)
    assert oracle.heads({"kept": copy}, tmp_path) == {"kept": layout.peak}


def test_smaller_alignments_are_rounded_up_to_tflms() -> None:
    layout, _ = plan_copy(_conv(), PlanOptions(align=1), "copy.tflite")
    assert (layout.options["align"], layout.peak % 16) == (16, 0)


def test_planning_ignores_a_plan_in_the_model() -> None:
    fixed = _fixed(_conv(), 9984, -1, -1, 19984)
    assert plan_layout(fixed, PlanOptions()).peak == plan_layout(_conv(), PlanOptions()).peak


def test_tflm_as_shipped_follows_a_plan_in_the_model() -> None:
    layout = plan_layout(_fixed(_conv(), 9984, -1, -1, 19984), PlanOptions())
    assert layout.tail is not None
    assert layout.tail.greedy.arena_used - layout.tail.greedy.bytes == 19984 + 576


def test_honored_offsets_are_kept_and_the_rest_fits_around_them() -> None:
    layout = plan_layout(_fixed(_conv(), 720, -1, -1, 0), PlanOptions(honor_plan=True))
    assert [row.offset for row in layout.buffers[:2]] == [720, 0]
    assert layout.peak == 720 + 288


@pytest.mark.parametrize(
    ("offsets", "fault"),
    [((16, -1, -1, 16), "at the same bytes"), ((-2, -1, -1, 0), "before the arena")],
)
def test_a_plan_that_cannot_be_kept_is_refused(offsets: tuple[int, ...], fault: str) -> None:
    with pytest.raises((ModelError, UsageError), match=fault):
        plan_layout(_fixed(_conv(), *offsets), PlanOptions(honor_plan=True))


def test_without_a_plan_there_is_none_to_honor() -> None:
    with pytest.raises(UsageError, match="carries no offline plan"):
        plan_layout(_conv(), PlanOptions(honor_plan=True))


def test_a_plan_with_faults_is_a_warning_elsewhere() -> None:
    data = build(_relu(), metadata=[(NAME, offline_plan_bytes(1, [0]))])
    assert any("offsets for 1 tensors" in warning.what for warning in plan_layout(_model(data), PlanOptions()).warnings)


def _relu() -> Graph:
    g = Graph()
    x = g.input("in", (1, 16), scale=0.1)
    g.op("RELU", [x], [g.output("out", (1, 16), scale=0.1)])
    return g


def test_a_variable_with_an_offset_becomes_a_request_and_leaves_the_tail() -> None:
    model = _model(svdf_model())
    state = next(tensor for tensor in model.subgraphs[0].tensors if tensor.is_variable)
    offsets = [-1] * len(model.subgraphs[0].tensors)
    offsets[state.index] = 4096
    plain, fixed = plan_layout(model, PlanOptions()), plan_layout(_fixed(model, *offsets), PlanOptions())
    row = next(row for row in fixed.buffers if row.tensor == state.index)
    assert (row.role, row.first, row.last) == ("variable", -1, fixed.end_scope)
    assert fixed.tail is not None
    assert plain.tail is not None
    assert "variables" not in {item.what for item in fixed.tail.items}
    assert fixed.tail.bytes < plain.tail.bytes
