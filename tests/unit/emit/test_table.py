"""The text views of a layout: every number is the layout's, and everything in the layout is there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena_codegen.emit.table import sections
from arena_codegen.layout import Layout
from arena_codegen.layout.types import ShareRow
from arena_codegen.model.reader import parse_model
from arena_codegen.options import plan_options
from arena_codegen.pipeline import plan_layout
from arena_codegen.timeline import lay_timeline
from tests.support import models
from tests.support.golden import check_golden
from tests.support.layouts import layout, many, small, tensor_row, with_everything

WIDTHS = (80, 100, 140)


def planned(data: bytes) -> Layout:
    """Without kernels and without sharing, so that only tensors and lifetimes decide."""
    return plan_layout(parse_model(data, "m.tflite"), plan_options(kernels="none", strategy="greedy"))


def text(of: Layout, width: int = 100) -> str:
    return "\n\n".join("\n".join([section.title, *section.lines]) for section in sections(of, width)) + "\n"


def section(of: Layout, title: str, width: int = 100) -> list[str]:
    return next(list(part.lines) for part in sections(of, width) if part.title.startswith(title))


@pytest.mark.parametrize("width", WIDTHS)
def test_golden_tables_at_three_widths(width: int) -> None:
    check_golden(
        f"table/{width}",
        {
            "by_hand.txt": text(with_everything(), width),
            "depthwise_cnn.txt": text(planned(models.depthwise_cnn()), width),
            "if_model.txt": text(planned(models.if_model()), width),
            "orphans.txt": text(planned(models.orphans()), width),
        },
    )


@pytest.mark.parametrize("make", [models.residual, models.if_model, models.while_model, models.shared_callee,
                                  models.dead_outputs, models.call_once_model])  # fmt: skip
def test_reference_counts_are_those_of_the_timeline(make: object) -> None:
    model = parse_model(make(), "m.tflite")  # type: ignore[operator]
    timeline = lay_timeline(model)
    shown = planned(make())  # type: ignore[operator]
    for row in shown.buffers:
        for scope in range(row.first, row.last + 1):
            assert row.tensor is not None
            assert row.references(scope) == timeline.references(row.subgraph, row.tensor, scope)


def test_the_steps_are_those_of_the_timeline() -> None:
    model = parse_model(models.while_model(), "m.tflite")
    shown = planned(models.while_model())
    assert len(shown.steps) == shown.end_scope + 1
    for position, step in zip(shown.steps, lay_timeline(model).steps, strict=True):
        row = shown.operators[position] if position >= 0 else None
        assert (row and (row.subgraph, row.index)) == step


def test_every_step_has_a_line_with_its_bytes_and_every_count() -> None:
    shown = planned(models.residual())
    lines = section(shown, "STEP BY STEP")[1:]
    live = shown.live_bytes()
    assert len(lines) == len(live)
    assert [str(live[scope]) in line.split() for scope, line in zip(live, lines, strict=True)] == [True] * len(live)
    assert lines[2].split()[-2:] == ["1:2", "2:1"]
    assert lines[3].split()[-4:] == ["<", "1:1", "2:1", "3:1"]


def test_every_tensor_of_the_model_stands_in_one_of_the_two_tables() -> None:
    shown = planned(models.depthwise_cnn())
    arena, elsewhere = section(shown, "ARENA", 200), section(shown, "NOT IN THE ARENA", 200)
    assert len(arena) - 1 == len(shown.buffers)
    assert len(elsewhere) - 1 == sum(row.buffer is None for row in shown.tensors)
    for row in shown.tensors:
        assert any(f" {row.name} " in line for line in (arena if row.buffer is not None else elsewhere))


def test_a_call_of_a_subgraph_has_a_step_of_its_own() -> None:
    lines = section(planned(models.if_model()), "STEP BY STEP")
    assert sum("IF (call)" in line for line in lines) == 2
    assert sum(line.split()[1:3] == ["0", "IF"] and "(call)" not in line for line in lines) == 1


def test_orphans_live_in_a_step_before_all_others() -> None:
    assert section(planned(models.orphans()), "STEP BY STEP")[1].split()[:2] == ["-1", "(unused)"]


def test_what_shares_bytes_is_named() -> None:
    lines = section(with_everything(), "ARENA")
    assert lines[-2:] == [
        "in-place: 2 on 1 (RELU reads an element before it writes it)",
        "overlap: 3 on 2 (arm_softmax_s8 goes row by row)",
    ]


def test_shares_of_one_reason_stand_together_and_unused_ones_nowhere() -> None:
    why = ShareRow(0, "in-place", 0, "it may")
    rows = [
        tensor_row(0, size=16),
        tensor_row(1, size=16, shares=(why,)),
        tensor_row(2, size=16, shares=(replace(why, index=1),)),
        tensor_row(3, size=16, offset=16, shares=(replace(why, index=2),)),
    ]
    assert section(layout(rows), "ARENA")[-1] == "in-place: 1 on 0, 2 on 1 (it may)"


def test_buffers_that_share_bytes_may_be_more_than_the_head() -> None:
    rows = [tensor_row(0, size=64, first=0, last=1), tensor_row(1, size=64, first=1, last=2)]
    assert (
        section(layout(rows), "PEAK")[-1] == "128 bytes alive, 64 bytes more than the head, since buffers share bytes"
    )


def test_unknown_scratch_is_said_to_be_unknown() -> None:
    assert "scratch of MY_OP is not known, and not planned" in section(with_everything(), "MEMORY")


@pytest.mark.parametrize(
    ("facts", "proof"),
    [
        ({}, "optimal"),
        ({"refuted": True}, "optimal, by search"),
        ({"lower_bound": 800}, "112 bytes (14.0%) above the bound"),
    ],
)
def test_a_head_says_how_good_it_is(facts: dict[str, object], proof: str) -> None:
    shown = replace(small(), **facts)  # type: ignore[arg-type]
    head = next(line for line in section(shown, "MEMORY") if line.startswith("arena"))
    assert head.endswith(f"{shown.peak}  {proof}")


def test_a_hostile_name_stays_on_its_line() -> None:
    rows = [tensor_row(0, name="a\nb\x1b[31m\u202e", size=16)]
    shown = text(layout(rows), 200)
    assert r"a\nb\x1b[31m\u202e" in shown
    assert "\x1b" not in shown


def test_a_plan_without_a_byte_has_tables_and_no_map() -> None:
    titles = [part.title.split(":")[0] for part in sections(layout(), 100)]
    assert titles == ["kws.tflite", "MEMORY", "STEP BY STEP"]


@pytest.mark.parametrize("width", [40, 80, 100, 200])
def test_hundreds_of_tensors_fit_the_width(width: int) -> None:
    shown = many(700)
    assert len(section(shown, "MEMORY MAP")) == shown.end_scope + 3
    for title in ("STEP BY STEP", "MEMORY MAP"):
        assert max(map(len, section(shown, title, width))) <= width
    if width >= 100:
        assert max(map(len, section(shown, "ARENA", width)[1:])) <= width


def test_a_step_with_many_buffers_goes_on_below() -> None:
    rows = [tensor_row(i, size=16, first=0, last=1, offset=16 * i) for i in range(60)]
    lines = section(layout(rows), "STEP BY STEP", 60)
    assert max(map(len, lines)) <= 60
    counts = [word for line in lines[1:] for word in line.split() if ":" in word]
    assert counts == [f"{i}:0" for i in range(60)] * 2


def test_a_layout_that_does_not_say_who_runs_when_is_shown_all_the_same() -> None:
    lines = section(replace(small(), steps=()), "STEP BY STEP")
    assert len(lines) == small().end_scope + 2


def test_who_is_alive_at_the_peak_says_why() -> None:
    lines = section(planned(models.depthwise_cnn()), "PEAK")
    assert lines[1].endswith(" op 0 CONV_2D writes it, and op 1 DEPTHWISE_CONV_2D later")
    assert lines[2].endswith(" op 0 CONV_2D reads it")
    assert "no operator uses it, yet TFLM allocates it" in section(planned(models.orphans()), "PEAK")[1]


def test_flash_is_the_file_and_what_is_in_it() -> None:
    data = models.depthwise_cnn()
    shown = planned(data)
    rows = {line[9:35].strip(): int(line[35:47]) for line in section(shown, "MEMORY")[1:6]}
    assert shown.weights is not None
    assert rows == {
        "weights": shown.weights.bytes,
        "other constants": shown.constants.bytes - shown.weights.bytes,
        "metadata": 0,
        "graph, names": len(data) - shown.constants.bytes,
        "flash for the model": len(data),
    }


def test_a_layout_that_does_not_tell_weights_from_constants_is_shown_all_the_same() -> None:
    older = replace(planned(models.depthwise_cnn()), weights=None, metadata=None)
    rows = [line[9:35].strip() for line in section(older, "MEMORY")[1:4]]
    assert rows == ["weights, other constants", "graph, names, metadata", "flash for the model"]


def test_what_kernels_keep_of_constants_stands_with_the_tail() -> None:
    shown = plan_layout(parse_model(models.depthwise_cnn(), "m.tflite"), plan_options())
    assert shown.tail is not None
    kept = next(item.bytes for item in shown.tail.items if item.what == "per-channel arrays")
    line = next(line for line in section(shown, "MEMORY") if "of it per-channel arrays" in line)
    assert int(line[35:47]) == kept > 0


def test_the_peak_says_why_its_output_does_not_lie_on_its_input() -> None:
    shown = plan_layout(parse_model(models.depthwise_cnn(), "m.tflite"), plan_options())
    lines = section(shown, "PEAK", 400)
    assert lines[-1] == f"sharing: {shown.peak_reason}"
    assert "CONV_2D" not in shown.peak_reason
    assert shown.peak_reason


def test_a_pin_beyond_every_step_is_named_as_the_peak() -> None:
    options = plan_options(kernels="none", in_place=False, pins={"in": 4096})
    made = plan_layout(parse_model(models.residual(), "m.tflite"), options)
    titles = [part.title for part in sections(made, 100)]
    assert "PEAK: at the end of --pin in@4096; most is alive when op 2 ADD runs (step 3)" in titles
