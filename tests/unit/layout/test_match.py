"""Which buffer is which, in two layouts."""

from __future__ import annotations

from dataclasses import replace

from arena_codegen.api import plan_model
from arena_codegen.layout.match import match
from arena_codegen.layout.types import Layout
from tests.support.convnets import convnet
from tests.support.layouts import layout, scratch_row, tensor_row


def named(*names: str) -> Layout:
    return layout([tensor_row(i, name=name, size=16) for i, name in enumerate(names)])


def test_tensors_are_matched_by_name_whatever_their_number() -> None:
    assert match(named("a", "b"), named("c", "a", "b")).buffers == {0: 1, 1: 2}


def test_tensors_of_one_name_are_matched_in_their_order() -> None:
    assert match(named("a", "a", "b"), named("b", "a", "a", "a")).buffers == {0: 1, 1: 2, 2: 0}


def test_a_tensor_that_was_renamed_is_matched_by_its_number() -> None:
    assert match(named("a", "b"), named("a", "model/b")).buffers == {0: 0, 1: 1}


def test_a_tensor_of_another_name_and_shape_is_another_one() -> None:
    old = named("a", "b")
    new = replace(old, buffers=(old.buffers[0], replace(old.buffers[1], name="z", shape=(4, 4))))
    assert match(old, new).buffers == {0: 0}


def test_a_number_is_no_reason_to_match_tensors_of_another_role() -> None:
    old, new = named("a", "b"), named("a", "z")
    new = replace(new, buffers=(new.buffers[0], replace(new.buffers[1], role="output")))
    assert match(old, new).buffers == {0: 0}


def test_tensors_without_a_name_are_matched_by_their_number() -> None:
    assert match(named("", "", ""), named("", "")).buffers == {0: 0, 1: 1}


def test_tensors_of_different_subgraphs_are_not_the_same() -> None:
    old = named("a")
    assert match(old, replace(old, buffers=(replace(old.buffers[0], subgraph=1),))).buffers == {}


def test_scratch_goes_with_its_operator_though_that_has_another_number() -> None:
    old, new = plan_model(convnet()), plan_model(convnet(front=True))
    found = match(old, new)
    assert found.operators == {index: index + 1 for index in range(len(old.operators))}
    scratch = [(i, j) for i, j in found.buffers.items() if old.buffers[i].tensor is None]
    assert len(scratch) == sum(row.tensor is None for row in old.buffers) > 0
    assert all(new.buffers[j].operator == (old.buffers[i].operator or 0) + 1 for i, j in scratch)


def test_scratch_of_an_operator_that_is_gone_is_gone() -> None:
    old = layout([tensor_row(0, size=16), scratch_row(1, operator=0, size=8, offset=16)])
    assert match(old, layout([tensor_row(0, size=16)])).buffers == {0: 0}
