"""Random graphs on real TFLM: whatever hangs together how, a plan with overlaps gives the same outputs."""

from __future__ import annotations

import random
from pathlib import Path

from arena_codegen.model.reader import parse_model
from arena_codegen.model.writer import with_offline_plan
from arena_codegen.options import PlanOptions
from arena_codegen.pipeline import plan_layout
from tests.support.model_builder import Graph, build, weights
from tests.support.oracle import outputs
from tests.support.tools import need_package

SHAPE, FLAT = (1, 6, 5, 4), (1, 120)
SAME = 0
ONLINE = -1
GRAPHS = 60


def random_graph(seed: int) -> bytes:
    """Ten to twenty operators; each reads the newest tensor or an old one. One or two of the tensors are outputs."""
    draw = random.Random(seed).random
    g = Graph()
    known = [g.input(name, SHAPE, scale=0.1, zero_point=3) for name in ("a", "b")[: 1 + int(draw() * 2)]]
    for number in range(10 + int(draw() * 10)):
        read = known[-1 - int(draw() * draw() * min(len(known), 5))]
        known.append(_operator(g, number, int(draw() * 8), read, known[int(draw() * len(known))]))
    g.outputs = [known[-1]] if draw() < 0.6 else [known[-1], known[-4]]
    return build(g)


def _operator(g: Graph, number: int, kind: int, read: int, other: int) -> int:
    made = g.tensor(f"t{number}", SHAPE, scale=0.1, zero_point=3)
    steps = {"stride_h": 1, "stride_w": 1, "padding": SAME}
    if kind == 0:
        kernel = g.constant(f"k{number}", weights(number, (4, 3, 3, 4)), scale=[0.003] * 4)
        bias = g.constant(f"c{number}", weights(number, (4,)), "INT32", scale=[0.0003] * 4)
        g.op("CONV_2D", [read, kernel, bias], [made], **steps)
    elif kind == 1:
        kernel = g.constant(f"k{number}", weights(number, (1, 3, 3, 4)), scale=[0.006] * 4, axis=3)
        bias = g.constant(f"c{number}", weights(number, (4,)), "INT32", scale=[0.0006] * 4)
        g.op("DEPTHWISE_CONV_2D", [read, kernel, bias], [made], **steps, depth_multiplier=1)
    elif kind == 2:
        g.op("MAX_POOL_2D", [read], [made], **steps, filter_width=3, filter_height=2)
    elif kind == 3:
        g.op("RELU", [read], [made])
    elif kind in (4, 5):
        g.op("ADD" if kind == 4 else "SUB", [read, other], [made])
    elif kind == 6:
        flat, clipped = (g.tensor(f"{name}{number}", FLAT, scale=0.1, zero_point=3) for name in ("flat", "clipped"))
        g.op("RESHAPE", [read, g.constant(f"s{number}", list(FLAT), "INT32")], [flat], new_shape=list(FLAT))
        g.op("LEAKY_RELU", [flat], [clipped], alpha=0.25)
        g.op("RESHAPE", [clipped, g.constant(f"z{number}", list(SHAPE), "INT32")], [made], new_shape=list(SHAPE))
    else:
        wide = g.tensor(f"wide{number}", SHAPE, "FLOAT32")
        g.op("DEQUANTIZE", [read], [wide])
        g.op("QUANTIZE", [wide], [made])
    return made


def test_random_graphs_give_the_same_outputs_with_overlaps(tmp_path: Path) -> None:
    need_package("tflite_micro")
    plain, shared, gained = {}, {}, 0
    for seed in range(GRAPHS):
        data = random_graph(seed)
        model = parse_model(data, "random.tflite")
        align = (1, 4, 16)[seed % 3]
        options = PlanOptions(kernels="reference", overlap=seed % 4 > 0, align=align, effort="quick", arena="plan")
        layout = plan_layout(model, options)
        places = {row.tensor: row.offset for row in layout.buffers if row.tensor is not None}
        plain[str(seed)] = data
        shared[str(seed)] = with_offline_plan(model, [places.get(t.index, ONLINE) for t in model.subgraphs[0].tensors])
        gained += layout.peak < layout.linear
    assert gained > GRAPHS // 2
    expected = outputs(plain, tmp_path, invocations=2)
    assert len(expected) == GRAPHS
    found = outputs(shared, tmp_path, invocations=2)
    assert [seed for seed in plain if found.get(seed) != expected[seed]] == []
