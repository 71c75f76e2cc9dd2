"""What changed from one layout to another, and who is to blame."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena_codegen.api import plan_model
from arena_codegen.errors import ModelError
from arena_codegen.layout import layout_from_json, layout_to_json
from arena_codegen.layout.difference import Difference, differ
from arena_codegen.layout.typed import check_kind
from tests.support import models
from tests.support.convnets import convnet
from tests.support.layouts import layout, tensor_row, with_everything


def changed(old: bytes, new: bytes, **options: object) -> Difference:
    return differ(plan_model(old, **options), plan_model(new, **options))


def test_a_plan_does_not_differ_from_itself_nor_from_its_json() -> None:
    plan = plan_model(convnet(), keep=["first"], shapes={"image": (1, 12, 12, 4)})
    for other in (plan, layout_from_json(layout_to_json(plan), "plan.json")):
        found = differ(plan, other)
        assert (found.changes, found.settings, found.tail, found.blame, found.grown) == ((), (), (), None, 0)


def test_the_operator_that_needs_more_is_to_blame_with_the_buffer_that_grew() -> None:
    found = changed(convnet(8), convnet(24))
    assert found.blame is not None
    assert found.blame.operator in ("op 1 CONV_2D", "op 2 CONV_2D")
    assert found.blame.after == found.new.peak
    first = found.blame.parts[0]
    assert (first.kind, first.row.name, first.delta) == ("grew", "wide", 12 * 12 * 16)
    assert found.grown == found.new.arena_bytes - found.old.arena_bytes > 0


def test_where_the_head_shrinks_the_step_that_decided_before_is_named() -> None:
    found = changed(convnet(24), convnet(8))
    assert found.blame is not None
    assert found.blame.before == found.old.peak
    assert (found.blame.parts[0].kind, found.blame.parts[0].row.name) == ("shrank", "wide")
    assert found.grown < 0


def test_an_operator_that_is_new_has_no_bytes_from_before() -> None:
    found = changed(convnet(4), convnet(4, padded=True), kernels="none")
    assert found.blame is not None
    assert (found.blame.operator, found.blame.before) == ("op 1 PAD", None)


def test_buffers_that_come_and_go_are_told_from_those_that_move() -> None:
    found = changed(convnet(), convnet(front=True), kernels="none", in_place=False)
    assert [change.row.name for change in found.of("appeared")] == ["front"]
    assert (found.of("vanished"), found.of("grew"), found.of("shrank")) == ((), (), ())
    back = changed(convnet(front=True), convnet(), kernels="none", in_place=False)
    assert [change.row.name for change in back.of("vanished")] == ["front"]


def test_a_buffer_moves_where_its_offset_changes_and_its_size_does_not() -> None:
    old = layout([tensor_row(0, size=16), tensor_row(1, size=16, offset=16), tensor_row(2, size=16, offset=32)])
    rows = (old.buffers[0], replace(old.buffers[1], offset=48), replace(old.buffers[2], size=64, bytes=64, offset=64))
    found = differ(old, replace(old, buffers=rows))
    assert [(change.kind, change.row.name, change.delta) for change in found.changes] == [
        ("grew", "t2", 48), ("moved", "t1", 0),
    ]  # fmt: skip


def test_what_is_alive_longer_now_is_told() -> None:
    free, kept = (plan_model(models.chain(4), in_place=False, keep=names) for names in ([], ["t0"]))
    blame = differ(free, kept).blame
    assert blame is not None
    assert {(part.kind, part.row.name) for part in blame.parts} == {("stays", "t0")}


def test_bytes_that_are_no_longer_shared_are_told() -> None:
    shared, apart = plan_model(models.chain(3)), plan_model(models.chain(3), in_place=False)
    blame = differ(shared, apart).blame
    assert blame is not None
    assert (blame.shared, blame.unused, blame.parts) == ((16, 0), (0, 0), ())


def test_bytes_that_a_worse_placement_wastes_are_told() -> None:
    best, naive = plan_model(convnet(), in_place=False), plan_model(convnet(), strategy="naive")
    blame = differ(best, naive).blame
    assert blame is not None
    assert blame.unused == (0, naive.peak - best.peak)


def test_settings_that_shaped_the_plans_are_compared() -> None:
    found = differ(plan_model(convnet()), plan_model(convnet(), overlap=True, keep=["first"], kernels="reference"))
    assert {what for what, _, _ in found.settings} == {"kernels", "--kernels", "--overlap", "--keep"}
    assert ("--keep", None, ("first",)) in found.settings


def test_tflm_s_tail_is_compared_part_by_part() -> None:
    found = changed(convnet(), convnet(front=True))
    assert found.new.tail is not None
    assert found.old.tail is not None
    assert sum(after - before for _, before, after in found.tail) == found.new.tail.bytes - found.old.tail.bytes


def test_tensors_before_the_first_operator_can_be_to_blame() -> None:
    grown = changed(_unread_inputs(16), _unread_inputs(64))
    assert grown.blame is not None
    assert grown.blame.operator == "what lies there before the first operator"
    assert grown.blame.before is not None


def _unread_inputs(size: int) -> bytes:
    g = models.Graph()
    read, _, _ = (g.input(name, (1, size), scale=0.1) for name in "abc")
    g.op("RELU", [read], [g.output("out", (1, size), scale=0.1)])
    return models.build(g)


def test_a_layout_made_by_hand_is_of_the_kind_that_its_schema_says() -> None:
    for plan in (with_everything(), plan_model(convnet())):
        check_kind(layout_from_json(layout_to_json(plan), "plan.json"), "plan.json")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"peak": ', '"peak": "x", "was": ', "peak is 'x', not a whole number"),
        ('"offset": 0', '"offset": 1.5', "offset is 1.5, not a"),
        ('"naive": ', '"naive": true, "was": ', "naive is True, not a whole number"),
        ('"strategy": "best", "optimal"', '"strategy": 7, "optimal"', None),
        ('"peak_operator": ', '"peak_operator": 99, "was": ', "peak_operator is 99"),
        ('"index": 0, "kind"', '"index": 5, "kind"', "buffers[0].index is 5"),
        ('"name": "image"', '"name": 3', "name is 3, not a text"),
        ('"shape": [1, 12, 12, 4]', '"shape": "wide"', "shape is no list"),
        ('"options": {', '"options": 5, "was": {', "options is 5, not an object"),
    ],
)
def test_what_is_of_another_kind_is_named(old: str, new: str, said: str | None) -> None:
    text = layout_to_json(plan_model(convnet()))
    if said is None:
        text, said = text.replace('"strategy": "best",\n', '"strategy": 7,\n'), "strategy is 7, not a text"
    else:
        assert old in text
        text = text.replace(old, new, 1)
    with pytest.raises(ModelError) as caught:
        check_kind(layout_from_json(text, "plan.json"), "plan.json")
    assert said in str(caught.value)
