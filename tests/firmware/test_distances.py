"""The distances of the board's kernels are right and tight: at the distance of its rule an operator computes what TFLM
computes, one step below it does not.

All operators stand side by side in one model, each with bytes of its own in the arena, so that two runs tell it all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from arena_codegen.kernels import library
from arena_codegen.kernels.base import ShareRule
from arena_codegen.kernels.cmsis_nn_4_0_shares import DISJOINT, RULES
from arena_codegen.layout.types import BufferRow, Layout
from arena_codegen.verify.findings import BIT_EXACT, WRONG, Computed
from tests.firmware.inferences import Prepared, compute, prepare
from tests.firmware.kernel_cases import NONE, SAME, VALID, Case, Draw, conv, depthwise, pair, pool, q, unary
from tests.support.model_builder import Graph, build
from tests.support.tools import need_cmsis, need_package

KERNELS, TARGET = "cmsis-nn-4.0", "m4"
ROOM = 16
"""Bytes between the operators, so that none is another's."""


@dataclass(frozen=True)
class Tight:
    """An operator, which of its inputs is taken over, and one step of the distance in bytes."""

    case: Case
    input: int = 0
    step: int = 1


class Calm(Draw):
    """Numbers that keep outputs between the ends of their range, where every lost byte shows."""

    def zero_point(self) -> int:
        return self.whole(-9, 9)

    def one_of(self, values: Sequence[Any]) -> Any:
        """No activation; of the factors of a scale the one with which outputs just fit."""
        return values[0] if values[0] == NONE else values[1]


def window(height: int, width: int, stride: int = 1, padding: int = SAME, size: int = 7) -> dict[str, int]:
    sizes = {"window_h": height, "window_w": width, "in_h": size, "in_w": size}
    return sizes | {"stride_h": stride, "stride_w": stride, "dilation_h": 1, "dilation_w": 1, "padding": padding}


BYTES, SHARES = q(0.05, 3), q(1 / 256, -128)
ROW = (2, 15)

CASES: dict[str, Tight] = {
    "CONV_2D 3x3": Tight(conv(4, 6, True, **window(3, 3))),
    "CONV_2D 3x3 to fewer channels": Tight(conv(6, 3, True, **window(3, 3))),
    "CONV_2D 5x2, stride 2": Tight(conv(3, 5, True, **window(5, 2, 2))),
    "CONV_2D valid": Tight(conv(4, 4, True, **window(3, 3, padding=VALID))),
    "CONV_2D 1x1, stride 2": Tight(conv(4, 8, True, **window(1, 1, 2))),
    "DEPTHWISE_CONV_2D 3x3": Tight(depthwise(4, 1, True, **window(3, 3))),
    "DEPTHWISE_CONV_2D 4x2": Tight(depthwise(5, 1, True, **window(4, 2))),
    "DEPTHWISE_CONV_2D, two for one": Tight(depthwise(4, 2, True, **window(3, 3))),
    "DEPTHWISE_CONV_2D, four for one": Tight(depthwise(2, 4, True, **window(3, 3))),
    "AVERAGE_POOL_2D": Tight(pool("AVERAGE_POOL_2D", 5, **window(3, 3))),
    "AVERAGE_POOL_2D 4x3": Tight(pool("AVERAGE_POOL_2D", 4, **window(4, 3))),
    # a pixel and a byte: C does not say what memcpy makes of bytes that overlap, this board's copies them all the same
    "MAX_POOL_2D": Tight(pool("MAX_POOL_2D", 5, **window(3, 3)), step=6),
    "MAX_POOL_2D 2x2, stride 2": Tight(pool("MAX_POOL_2D", 4, **window(2, 2, 2, VALID)), step=5),
    **{
        name: Tight(unary(name, ROW, BYTES, BYTES, **({"alpha": 0.25} if name == "LEAKY_RELU" else {})))
        for name in ("HARD_SWISH", "LEAKY_RELU", "RELU", "RELU6")
    },
    **{f"{name} float": Tight(unary(name, ROW, {}, {}, ("FLOAT32", "FLOAT32")), step=4) for name in ("ABS", "NEG")},
    "LOGISTIC": Tight(unary("LOGISTIC", ROW, BYTES, SHARES)),
    "TANH": Tight(unary("TANH", ROW, BYTES, q(1 / 128))),
    "SOFTMAX": Tight(unary("SOFTMAX", ROW, BYTES, SHARES, beta=1.0)),
    "QUANTIZE": Tight(unary("QUANTIZE", ROW, BYTES, q(0.04, -3))),
    # the first that is lost are low bytes of a number, which do not show
    "QUANTIZE float": Tight(unary("QUANTIZE", ROW, {}, q(0.0078125), ("FLOAT32", "INT8")), step=12),
    "DEQUANTIZE": Tight(unary("DEQUANTIZE", ROW, BYTES, {}, ("INT8", "FLOAT32")), step=1),
    "CAST": Tight(unary("CAST", ROW, BYTES, {}, ("INT8", "INT32")), step=1),
    **{f"{name} {'left right'.split()[at]}": Tight(pair(name, ROW, ROW, fused=int(name in ("ADD", "SUB", "MUL"))), at)
       for name in ("ADD", "SUB", "MUL", "MAXIMUM", "MINIMUM") for at in (0, 1)},
    "DIV float": Tight(pair("DIV", ROW, ROW, "FLOAT32"), step=4),
}  # fmt: skip


def side_by_side() -> bytes:
    graph = Graph()
    for number, (name, tight) in enumerate(CASES.items()):
        tight.case.add(graph, Calm(number), name)
    return build(graph)


def rule_of(prepared: Prepared, number: int, tight: Tight) -> ShareRule:
    graph = prepared.network.model.subgraphs[0]
    rules = library(KERNELS, TARGET).shares(graph, graph.operators[number])
    (rule,) = (rule for rule in rules if rule.kind == "overlap" and rule.input == tight.input)
    return rule


def apart(prepared: Prepared, steps: int) -> Layout:
    """The plan with every operator's input at its distance above the output, but for so many steps."""
    rows = {row.index: row for row in prepared.layout.buffers}
    graph = prepared.network.model.subgraphs[0]
    by_tensor = {row.tensor: row.index for row in prepared.layout.buffers if row.tensor is not None}
    end = prepared.layout.peak + ROOM
    for number, tight in enumerate(CASES.values()):
        rule, operator = rule_of(prepared, number, tight), graph.operators[number]
        distance = rule.distance + steps * tight.step
        source, target = (by_tensor[tensor] for tensor in (operator.inputs[rule.input], operator.outputs[rule.output]))
        start = -(-(end + max(0, -distance)) // 16) * 16
        rows[target] = replace(rows[target], offset=start)
        rows[source] = replace(rows[source], offset=start + distance)
        end = max(rows[target].end, rows[source].end) + ROOM
    placed: tuple[BufferRow, ...] = tuple(rows[index] for index in sorted(rows))
    return replace(prepared.layout, buffers=placed, peak=end)


@pytest.fixture(scope="module")
def prepared() -> Prepared:
    need_package("tflite_micro")
    need_cmsis()
    return prepare(side_by_side(), strategy="naive", align=1, kernels=KERNELS, target=TARGET)


@pytest.fixture(scope="module")
def on_board(arm_gcc: str, qemu: str, stub_cache: object) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena_codegen.verify.inference.cache_folder", lambda: stub_cache)
        # the board stops at the first operator that is wrong; the host goes on
        patch.setattr("arena_codegen.emit.network._judge", lambda *row: "NETWORK_BY_HOST")
        yield


def computed(prepared: Prepared, steps: int) -> dict[str, Computed]:
    found = compute(prepared, lambda layout: apart(prepared, steps))
    return dict(zip(CASES, found.operators, strict=True))


@pytest.mark.usefixtures("on_board")
def test_at_the_distance_of_its_rule_every_operator_is_bit_exact(prepared: Prepared) -> None:
    found = computed(prepared, 0)
    assert [name for name, row in found.items() if row.verdict != BIT_EXACT] == []


@pytest.mark.usefixtures("on_board")
def test_one_step_below_the_distance_every_operator_is_wrong(prepared: Prepared) -> None:
    found = computed(prepared, -1)
    assert [name for name, row in found.items() if row.verdict != WRONG] == []


def test_every_operator_that_may_overlap_is_a_case() -> None:
    """But SVDF, which reads all of its input first and may lie anywhere, views, and comparisons, which are ADD's loop."""
    tried = {name.split()[0].rstrip(",") for name in CASES}
    anywhere_or_at_the_same_place = {"SVDF", "RESHAPE", "SQUEEZE", "EXPAND_DIMS"}
    comparisons = {"EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL", "NOT_EQUAL"}
    assert set(RULES) - set(DISJOINT.split()) - anywhere_or_at_the_same_place - comparisons == tried
