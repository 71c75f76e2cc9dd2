"""Who asks for memory, in which order, and what the user's wishes do to it."""

from __future__ import annotations

import pytest

from arena_codegen.errors import UsageError
from arena_codegen.kernels.base import KernelLibrary, no_shares
from arena_codegen.model.reader import parse_model
from arena_codegen.model.types import Operator, Subgraph
from arena_codegen.options import PlanOptions
from arena_codegen.requests import Requests, collect, to_problem
from arena_codegen.timeline import lay_timeline
from tests.support import models


def requests(data: bytes, scratch: dict[str, tuple[int, ...] | None] | None = None, **options: object) -> Requests:
    """The requests of a model whose operators ask for the scratch given by operator name."""

    def ask(subgraph: Subgraph, operator: Operator) -> tuple[int, ...] | None:
        return (scratch or {}).get(operator.name, ())

    model = parse_model(data, "m.tflite")
    kernels = KernelLibrary("none", "made up", "ARENA_KERNELS_NONE", ask, no_shares)
    return collect(model, lay_timeline(model), kernels, PlanOptions(kernels="none", **options))  # type: ignore[arg-type]


def row(asked: Requests, name: str) -> tuple[int, int, int | None]:
    found = next(row for row in asked.rows if row.name == name)
    return found.first, found.last, found.offset


def test_tensors_come_first_then_scratch_in_the_order_of_the_operators() -> None:
    asked = requests(models.residual(), {"ADD": (10, 0), "RELU": (7,)})
    assert [(r.kind, r.bytes) for r in asked.rows] == [("tensor", 128)] * 4 + [
        ("scratch", 7),
        ("scratch", 10),
        ("scratch", 0),
    ]
    assert [r.name for r in asked.rows[4:]] == [
        "scratch 0 of op 0 RELU",
        "scratch 0 of op 2 ADD",
        "scratch 1 of op 2 ADD",
    ]
    assert [(r.first, r.last) for r in asked.rows[4:]] == [(1, 1), (3, 3), (3, 3)]


def test_scratch_of_a_control_flow_operator_spans_what_it_calls() -> None:
    asked = requests(models.if_model(), {"IF": (16,)})
    assert [(r.first, r.last) for r in asked.rows if r.kind == "scratch"] == [(1, 6)]


def test_constants_variables_and_empty_tensors_ask_for_nothing() -> None:
    for data in (models.svdf_model(), models.call_once_model(), models.zero_dimension()):
        asked = requests(data)
        assert all(r.role in ("input", "intermediate", "output") and r.bytes > 0 for r in asked.rows)


def test_sizes_are_rounded_up_to_the_alignment_or_the_elements() -> None:
    one = to_problem(requests(models.scalars(), align=1))
    assert [(b.size, b.alignment) for b in one.buffers] == [(4, 4)] * len(one.buffers)
    sixty_four = to_problem(requests(models.scalars(), align=64))
    assert {b.size % 64 for b in sixty_four.buffers} == {0}
    assert sixty_four.alignment == 64


def test_scratch_is_aligned_to_4_at_least() -> None:
    asked = requests(models.residual(), {"ADD": (7,)}, align=1)
    assert (asked.rows[-1].alignment, asked.rows[-1].size) == (4, 8)
    assert asked.rows[0].alignment == 1


def test_a_kept_tensor_lives_to_the_end() -> None:
    assert row(requests(models.residual(), keep=("in",)), "in") == (0, 3, None)


def test_segment_io_gives_inputs_and_outputs_the_whole_time() -> None:
    asked = requests(models.residual(), segment="io")
    assert row(asked, "in") == row(asked, "out") == (-1, 3, None)
    assert row(asked, "a") == (1, 3, None)


def test_a_pin_fixes_an_offset() -> None:
    asked = requests(models.residual(), pins=(("a", 256),))
    assert row(asked, "a") == (1, 3, 256)


def test_a_pin_between_the_steps_of_the_alignment_is_refused() -> None:
    with pytest.raises(UsageError, match="--pin a@8: not a possible offset") as caught:
        requests(models.residual(), pins=(("a", 8),))
    assert caught.value.findings[0].hint == "offsets are multiples of 16, from 0 on, below 2 GiB"


def test_pins_of_tensors_alive_together_must_not_touch() -> None:
    with pytest.raises(UsageError, match="alive together") as caught:
        requests(models.residual(), pins=(("a", 0), ("b", 112)))
    assert "[0, 128)" in caught.value.findings[0].what
    assert "[112, 240)" in caught.value.findings[0].what
    requests(models.residual(), pins=(("in", 0), ("b", 112)))


def test_all_wishes_that_cannot_be_met_are_reported_together() -> None:
    with pytest.raises(UsageError) as caught:
        requests(models.svdf_model(), keep=("nowhere",), pins=(("also nowhere", 0),))
    assert len(caught.value.findings) == 2


def test_tensors_that_nobody_uses_are_named_in_a_warning() -> None:
    asked = requests(models.orphans())
    assert [(w.what, w.where) for w in asked.warnings] == [
        (
            "no operator uses this tensor, yet TFLM allocates its 400 bytes",
            "m.tflite · subgraph 0 · tensor 1 'orphan/a'",
        ),
        (
            "no operator uses this tensor, yet TFLM allocates its 256 bytes",
            "m.tflite · subgraph 0 · tensor 3 'orphan/b'",
        ),
    ]


def test_a_subgraph_that_nothing_calls_is_named_in_a_warning() -> None:
    lonely = models.Graph("lonely")
    x = lonely.input("x", (1, 4), "FLOAT32")
    lonely.op("NEG", [x], [lonely.output("y", (1, 4), "FLOAT32")])
    main = models.Graph("main")
    x = main.input("x", (1, 4), "FLOAT32")
    main.op("ABS", [x], [main.output("y", (1, 4), "FLOAT32")])
    data = models.build(main, lonely)
    assert [w.what for w in requests(data).warnings] == ["nothing calls this subgraph, yet TFLM allocates its tensors"]
    assert "AllocateTensors() may crash" in requests(data, {"NEG": (4,)}).warnings[0].what


def test_operators_whose_scratch_nobody_knows_are_listed_once() -> None:
    assert requests(models.chain(3), {"RELU": None}).unknown_scratch == ("RELU",)


def test_what_is_normal_is_a_note_and_what_is_not_a_warning() -> None:
    batch = models.Graph()
    x = batch.input("in", (1, 4), "FLOAT32", signature=(-1, 4))
    batch.op("NEG", [x], [batch.output("out", (1, 4), "FLOAT32")])
    assert [finding.is_note for finding in requests(models.build(batch)).warnings] == [True]
    assert [finding.is_note for finding in requests(models.orphans()).warnings] == [False, False]
