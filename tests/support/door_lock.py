"""The worked example: a camera's door lock, five layers, and what becomes of its memory.

    python -m tests.support.door_lock door_lock.tflite

writes the model, so that every number of the walk-through can be had from the command line.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

from arena_codegen.emit.steps import Step, steps
from arena_codegen.emit.svg import render_svg
from arena_codegen.layout.types import BufferRow, Layout
from arena_codegen.model.reader import parse_model
from arena_codegen.options import PlanOptions
from arena_codegen.pipeline import plan_layout
from tests.support.model_builder import Graph, build, weights
from tests.support.prose import wrapped

SAME = 0
NONE, RELU = 0, 1
BOARD_RAM = 320 * 1024
"""An STM32F746 has 320 KB of SRAM."""


def door_lock(filters: tuple[int, int] = (16, 32), fused: bool = False) -> bytes:
    """The int8 model: 32×32×3 image, convolution, ReLU, convolution with stride 2, ReLU, fully connected, two classes.

    `filters` are the channels of the two convolutions; `fused` puts each ReLU into the convolution before it.
    """
    g = Graph()
    last = g.input("image", (1, 32, 32, 3), scale=0.02, zero_point=-4)
    last = _convolution(g, last, 1, (3, filters[0]), (32, 1), fused)
    last = _convolution(g, last, 2, filters, (16, 2), fused)
    size = 16 * 16 * filters[1]
    kernel = g.constant("dense/kernel", weights(5, (2, size)), scale=0.01, zero_point=0)
    bias = g.constant("dense/bias", weights(6, (2,)), "INT32", scale=0.0005)
    g.op("FULLY_CONNECTED", [last, kernel, bias], [g.output("open", (1, 2), scale=0.1)])
    return build(g)


def _convolution(g: Graph, x: int, number: int, channels: tuple[int, int], shape: tuple[int, int], fused: bool) -> int:
    """A 3×3 convolution and its ReLU. `channels`: in and out; `shape`: the output's side, and the stride."""
    name, (side, stride) = f"conv{number}", shape
    kernel = g.constant(f"{name}/kernel", weights(number, (channels[1], 3, 3, channels[0])),
                        scale=[0.004] * channels[1], axis=0)  # fmt: skip
    bias = g.constant(f"{name}/bias", weights(number + 2, (channels[1],)), "INT32", scale=[0.0001] * channels[1])
    activation = RELU if fused else NONE
    facts = {"padding": SAME, "stride_w": stride, "stride_h": stride, "fused_activation_function": activation}
    out = g.tensor(f"{name}/relu" if fused else name, (1, side, side, channels[1]), scale=0.05, zero_point=-128)
    g.op("CONV_2D", [x, kernel, bias], [out], **facts)
    if fused:
        return out
    relu = g.tensor(f"{name}/relu", (1, side, side, channels[1]), scale=0.05, zero_point=-128)
    g.op("RELU", [out], [relu])
    return relu


@cache
def planned(filters: tuple[int, int] = (16, 32), fused: bool = False, in_place: bool = True) -> Layout:
    """The plan of a variant, as the command line makes it without options, or with `--no-in-place`."""
    model = parse_model(door_lock(filters, fused), "door_lock.tflite")
    return plan_layout(model, replace(PlanOptions(), in_place=in_place))


def walk_through() -> dict[str, str]:
    """The files of the walk-through: its text, and the pictures of the plan and of its best variant."""
    plan, apart = planned(), planned(in_place=False)
    parts = (
        _opening(plan), _layers(plan), _lifetimes(plan), _sharing(plan), _in_place(plan, apart), _plan(plan),
        _smaller(plan), _board(plan),
    )  # fmt: skip
    small = planned((8, 32), fused=True)
    return {"README.md": wrapped("\n".join(parts)), "door_lock.svg": render_svg(plan), "smaller.svg": render_svg(small)}


def _opening(plan: Layout) -> str:
    return f"""\
# A door lock, from five layers to {plan.peak} bytes

A camera decides whether a door opens: an image of 32×32 pixels in three colours, two convolutions with a ReLU behind
each, one fully connected layer, int8, on an STM32F746 with 320 KB of RAM. How large must the arena be, why, and how
could it be smaller? Every number below is computed; `make gallery` writes this page.

```sh
python -m tests.support.door_lock door_lock.tflite
arena-codegen door_lock.tflite -o door_lock_plan.h --svg door_lock.svg --html door_lock.html
```
"""


def _layers(plan: Layout) -> str:
    tensors = {row.tensor: row for row in plan.tensors}
    rows = []
    for operator in plan.operators:
        read, written = tensors[operator.inputs[0]], tensors[operator.outputs[0]]
        shapes = f"{_shape(read.shape)} → {_shape(written.shape)}"
        rows.append(f"| {operator.index} | {operator.name} | {shapes} | {read.bytes} | {written.bytes} |")
    total = sum(row.bytes for row in plan.buffers if row.kind == "tensor")
    scratch = sum(row.bytes for row in plan.buffers if row.kind == "scratch")
    table = "\n".join(rows)
    return f"""\
## What has to be somewhere

| op | | shape | bytes it reads | bytes it writes |
| ---: | --- | --- | ---: | ---: |
{table}

The tensors have {total} bytes in all, and the kernels (CMSIS-NN) ask for {scratch} bytes of scratch. With bytes of
its own for each of them, which is the strategy `naive`, the arena takes **{plan.naive} bytes**.
"""


def _lifetimes(plan: Layout) -> str:
    timeline = [step for step in steps(plan) if step.scope >= 0]
    wide = max(len(_called(row)) for row in plan.buffers)
    head = " " * wide + "        bytes  " + " ".join(f"{step.number:>5}" for step in timeline)
    lines = [f"{_called(row):<{wide}}{row.bytes:>13}  {_life(row, timeline)}" for row in _by_birth(plan)]
    alive = f"{'bytes alive':<{wide}}{'':>13}  " + " ".join(f"{step.alive:>5}" for step in timeline)
    bars = "\n".join([head, *lines, alive])
    highest = max(timeline, key=lambda step: (step.alive, -step.scope))
    return f"""\
## Who lives when

A buffer is needed from the operator that writes it to the last one that reads it. A column for each operator:

```text
{bars}
```

Most is alive at {highest.label}: {highest.alive} bytes. That is far below the {plan.naive} of `naive`: buffers
that never live at the same time can have the same bytes.
"""


def _life(row: BufferRow, timeline: list[Step]) -> str:
    return " ".join("█████" if row.first <= step.scope <= row.last else "    ·" for step in timeline).rstrip()


def _sharing(plan: Layout) -> str:
    tensors = [row for row in _by_birth(plan) if row.kind == "tensor"]
    lines = []
    for row in tensors:
        free = [other.label for other in tensors if other.first > row.last]
        if free:
            lines.append(f"- the bytes of `{row.label}` can go to " + ", ".join(f"`{label}`" for label in free))
    listed = "\n".join(lines)
    return f"""\
## Who can follow whom

{listed}

TFLM's own planner, `greedy`, packs them into **{plan.greedy} bytes**.
"""


def _in_place(plan: Layout, apart: Layout) -> str:
    shared = [
        f"- `{row.label}` on `{plan.buffers[share.index].label}` ({share.rule})"
        for row in plan.buffers
        for share in row.shares
        if row.offset < plan.buffers[share.index].end and plan.buffers[share.index].offset < row.end
    ]
    relu = next(row for row in plan.operators if row.name == "RELU")
    listed = "\n".join(shared)
    return f"""\
## ReLU in place

A ReLU reads an element, writes one, and never looks back: its output may lie on its input. Without that
(`--no-in-place`), the arena has {apart.peak} bytes, and {_decides(apart)} decides: the
{_output(apart, relu.index)} bytes of its output beside as many of its input. With it, this plan puts

{listed}

and needs **{plan.peak} bytes**. Now {_decides(plan)} decides.
"""


def _plan(plan: Layout) -> str:
    rows = "\n".join(
        f"| {_called(row)} | {row.bytes} | {row.offset} | {row.end} | {row.first} … {row.last} |"
        for row in _by_birth(plan)
    )
    proof = f"The proven lower bound is {plan.lower_bound} bytes" + (": no plan is smaller." if plan.optimal else ".")
    alive = ", ".join(f"`{_called(row)}` ({row.size})" for row in plan.alive(plan.peak_scope))
    return f"""\
## The plan

![The arena of the door lock over time](door_lock.svg)

| buffer | bytes | from | to | steps |
| --- | ---: | ---: | ---: | --- |
{rows}

{proof} At {_decides(plan)} live {alive}: {sum(row.size for row in plan.alive(plan.peak_scope))} bytes together.
"""


def _smaller(plan: Layout) -> str:
    variants = (
        ("as it is", planned()),
        ("without in-place (`--no-in-place`)", planned(in_place=False)),
        ("ReLU fused into the convolutions", planned(fused=True)),
        ("8 filters instead of 16 in the first convolution", planned((8, 32))),
        ("16 filters instead of 32 in the second", planned((16, 16))),
        ("8 filters in the first, ReLU fused", planned((8, 32), fused=True)),
    )
    rows = "\n".join(
        f"| {what} | {found.peak} | {_change(found.peak - plan.peak)} | {_decides(found)} |" for what, found in variants
    )
    return f"""\
## Fewer filters

| variant | bytes | against the plan | decided by |
| --- | ---: | ---: | --- |
{rows}

Fusing a ReLU that works in place already saves {plan.peak - planned(fused=True).peak} bytes. Half the filters
in the first convolution save {plan.peak - planned((8, 32)).peak}, since its output is what {_decides(plan)} reads.

![The arena with 8 filters and fused ReLU](smaller.svg)
"""


def _change(size: int) -> str:
    return f"{size:+d}" if size else "0"


def _board(plan: Layout) -> str:
    tail = plan.tail
    assert tail is not None
    return f"""\
## On the board

TFLM keeps {tail.bytes} bytes of its own behind the plan, and boots in {tail.min_arena} bytes:
{100 * tail.min_arena / BOARD_RAM:.1f} % of the {BOARD_RAM} bytes of RAM. Without reuse, it would be
{plan.naive + tail.bytes} bytes, {100 * (plan.naive + tail.bytes) / BOARD_RAM:.1f} %. The model itself lies in flash:
{plan.model.bytes} bytes, {plan.constants.bytes} of them weights and other constants.
"""


def _by_birth(plan: Layout) -> list[BufferRow]:
    return sorted(plan.buffers, key=lambda row: (row.first, row.kind != "tensor", row.index))


def _called(row: BufferRow) -> str:
    return row.label if row.kind == "tensor" else f"scratch of op {row.operator}"


def _decides(plan: Layout) -> str:
    assert plan.peak_operator is not None
    operator = plan.operators[plan.peak_operator]
    return f"op {operator.index} {operator.name}"


def _output(plan: Layout, operator: int) -> int:
    return next(row.bytes for row in plan.tensors if row.producer == operator)


def _shape(shape: tuple[int, ...]) -> str:
    return "×".join(map(str, shape[1:]))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    Path(sys.argv[1]).write_bytes(door_lock())
