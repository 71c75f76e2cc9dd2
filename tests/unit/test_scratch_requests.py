"""How scratch gets into the requests: from the kernels' tables, or from a device's log."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena_codegen.errors import ModelError
from arena_codegen.kernels import library
from arena_codegen.model.offline_plan import ONLINE
from arena_codegen.model.reader import parse_model
from arena_codegen.model.types import Model
from arena_codegen.model.writer import with_offline_plan
from arena_codegen.options import PlanOptions
from arena_codegen.pipeline import plan_layout
from arena_codegen.requests import Requests, collect
from arena_codegen.timeline import lay_timeline
from tests.support.model_builder import Graph, build
from tests.support.models import chain, svdf_model, while_model
from tests.support.operator_models import one, operator_models


def _collect(model: Model, **options: object) -> Requests:
    chosen = PlanOptions(**options)  # type: ignore[arg-type]
    return collect(model, lay_timeline(model), library(chosen.kernels, chosen.target), chosen)


def _conv() -> Model:
    return parse_model(operator_models()["CONV_2D 3x3"], "conv.tflite")


def _unknown() -> Model:
    g = Graph()
    x = g.input("in", (1, 8), scale=0.1)
    y, z = g.tensor("mid", (1, 8), scale=0.1), g.output("out", (1, 8), scale=0.1)
    g.op("NPU_BLOCK", [x], [y], custom=True)
    g.op("NPU_BLOCK", [y], [z], custom=True)
    return parse_model(build(g), "npu.tflite")


def _log(requests: Requests, extra: str = "") -> str:
    rows = [
        f'arena-codegen-request {{"i":{i},"size":{-(-row.bytes // 16) * 16},"first":{row.first},"last":{row.last}}}'
        for i, row in enumerate(requests.rows)
    ]
    return "\r\n".join(rows) + extra


def test_scratch_lives_in_its_operator_and_follows_all_tensors() -> None:
    rows = _collect(_conv()).rows
    assert [(row.kind, row.bytes, row.first, row.last) for row in rows] == [
        ("tensor", 288, 0, 1),
        ("tensor", 576, 1, 1),
        ("scratch", 144, 1, 1),
    ]


def test_an_operator_that_nobody_knows_is_named_once_with_the_way_out() -> None:
    requests = _collect(_unknown())
    assert requests.unknown_scratch == ("NPU_BLOCK",)
    named = [finding for finding in requests.warnings if "NPU_BLOCK" in finding.what]
    assert [finding.where for finding in named] == ["npu.tflite · subgraph 0 · op 0 NPU_BLOCK"]
    assert "--requests" in named[0].hint


def test_without_kernels_nobody_asks_and_nothing_is_unknown() -> None:
    requests = _collect(_unknown(), kernels="none")
    assert (requests.unknown_scratch, requests.warnings) == ((), ())


def test_a_log_of_the_same_kernels_gives_the_same_requests() -> None:
    known = _collect(_conv())
    logged = _collect(_conv(), requests=_log(known))
    assert [replace(row, bytes=row.size) for row in known.rows] == [replace(r, bytes=r.size) for r in logged.rows]


def test_a_log_replaces_the_scratch_that_we_know() -> None:
    known = _collect(_conv(), kernels="none")
    line = '\r\narena-codegen-request {"i":2,"size":4096,"first":1,"last":1}'
    rows = _collect(_conv(), requests=_log(known, line)).rows
    assert [(row.kind, row.bytes, row.operator, row.name) for row in rows[2:]] == [
        ("scratch", 4096, 0, "scratch 0 of op 0 CONV_2D")
    ]


def test_a_log_makes_an_unknown_operator_known() -> None:
    log = _log(_collect(_unknown())) + '\narena-codegen-request {"i":3,"size":64,"first":2,"last":2}'
    requests = _collect(_unknown(), requests=log)
    assert requests.unknown_scratch == ()
    assert requests.rows[-1].operator == 1


def test_a_plan_from_a_log_says_so_and_has_no_tail() -> None:
    layout = plan_layout(_unknown(), PlanOptions(requests=_log(_collect(_unknown()))))
    assert (layout.profile, layout.tail, layout.unknown_scratch) == ("ARENA_KERNELS_RECORDED", None, ())
    note = next(warning for warning in layout.warnings if "tail is not known" in warning.what)
    assert "arena_used_bytes()" in note.hint


def test_wishes_do_not_change_what_the_log_must_begin_with() -> None:
    log = _log(_collect(_conv()))
    rows = _collect(_conv(), requests=log, keep=("0",), align=64).rows
    assert (rows[0].last, rows[0].size, rows[2].size) == (1, 320, 192)


def test_scratch_of_a_loop_in_the_log_belongs_to_the_operator_inside() -> None:
    model = parse_model(while_model(), "while.tflite")
    known = _collect(model)
    count = len(known.rows)
    line = f'\narena-codegen-request {{"i":{count},"size":16,"first":5,"last":5}}'
    row = _collect(model, requests=_log(known, line)).rows[-1]
    assert (row.subgraph, row.operator) == (2, 0)


@pytest.mark.parametrize("scopes", [(0, 0), (1, 9), (-1, -1)])
def test_scratch_where_no_operator_runs_is_refused(scopes: tuple[int, int]) -> None:
    line = f'\narena-codegen-request {{"i":2,"size":16,"first":{scopes[0]},"last":{scopes[1]}}}'
    with pytest.raises(ModelError, match="where no operator runs"):
        _collect(_conv(), requests=_log(_collect(_conv(), kernels="none"), line))


@pytest.mark.parametrize("scopes", [(1, 2), (1, 3), (2, 3)])
def test_scratch_that_outlives_its_operator_is_refused(scopes: tuple[int, int]) -> None:
    line = f'\narena-codegen-request {{"i":4,"size":16,"first":{scopes[0]},"last":{scopes[1]}}}'
    model = parse_model(chain(3), "chain.tflite")
    with pytest.raises(ModelError, match="its operator in") as caught:
        _collect(model, requests=_log(_collect(model), line))
    assert "line 5" in caught.value.findings[0].where


def test_scratch_out_of_the_order_in_which_tflm_prepares_is_refused() -> None:
    lines = [f'\narena-codegen-request {{"i":{i},"size":16,"first":{s},"last":{s}}}' for i, s in ((4, 2), (5, 1))]
    model = parse_model(chain(3), "chain.tflite")
    with pytest.raises(ModelError, match="follows that of a later operator") as caught:
        _collect(model, requests=_log(_collect(model), "".join(lines)))
    assert "line 6" in caught.value.findings[0].where


def test_more_scratch_buffers_than_one_operator_may_ask_for_are_refused() -> None:
    lines = [f'arena-codegen-request {{"i":{i},"size":16,"first":1,"last":1}}' for i in range(2, 15)]
    log = "\n".join([_log(_collect(_conv(), kernels="none")), *lines])
    with pytest.raises(ModelError, match="asks for 13 scratch buffers, TFLM allows 12"):
        _collect(_conv(), requests=log)
    assert len(_collect(_conv(), requests=log.rsplit("\n", 1)[0]).rows) == 14


def test_eleven_scratch_buffers_of_a_detector_are_known() -> None:
    from flatbuffers import flexbuffers

    options = bytes(flexbuffers.Dumps({"max_detections": 4, "num_classes": 2, "nms_iou_threshold": 0.5}))
    inputs = ["FLOAT32 1,6,4", "FLOAT32 1,6,3", "=FLOAT32 6,4"]
    outputs = ["FLOAT32 1,4,4", "FLOAT32 1,4", "FLOAT32 1,4", "FLOAT32 1"]
    model = parse_model(one("TFLite_Detection_PostProcess", inputs, outputs, custom=options), "detector.tflite")
    sizes = [row.bytes for row in _collect(model).rows if row.kind == "scratch"]
    assert sizes == [6, 96, 72, 24, 24, 96, 96, 24, 96, 96, 96]


def test_a_log_may_end_the_life_of_state_with_an_offset_where_tflm_does() -> None:
    model = parse_model(svdf_model(), "svdf.tflite")
    fixed = [128 if tensor.is_variable else ONLINE for tensor in model.subgraphs[0].tensors]
    model = parse_model(with_offline_plan(model, fixed), "svdf.tflite")
    requests = _collect(model)
    state = next(row for row in requests.rows if row.role == "variable")
    last = requests.timeline.lives[0][state.tensor].last
    assert (state.last, last) == (requests.timeline.end, 1)
    printed = replace(requests, rows=tuple(replace(row, last=last) if row is state else row for row in requests.rows))
    assert _collect(model, requests=_log(printed)).rows == requests.rows
