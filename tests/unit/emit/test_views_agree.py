"""One plan, seven views: text, CSV, JSON, page, picture, header and command line say the same numbers."""

from __future__ import annotations

import csv
import io
import json
import re
from functools import cache

import pytest

from arena_codegen.cli.build import result_line
from arena_codegen.emit.header import render_header
from arena_codegen.emit.html import render_page
from arena_codegen.emit.overview import buffers_csv, models_csv
from arena_codegen.emit.svg import render_svg
from arena_codegen.emit.table import sections
from arena_codegen.layout import Layout, layout_to_json
from arena_codegen.model.reader import parse_model
from arena_codegen.options import plan_options
from arena_codegen.pipeline import plan_layout
from tests.support import models
from tests.support.markup import read_page, read_table

MODELS = ("residual", "depthwise_cnn", "if_model", "while_model", "svdf_model", "orphans")
WIDTH = 200

Place = tuple[int, int]
"""Bytes and offset of a buffer."""


@cache
def planned(name: str, overlap: bool) -> Layout:
    return plan_layout(parse_model(getattr(models, name)(), "m.tflite"), plan_options(overlap=overlap))


def lines(shown: Layout, title: str) -> list[str]:
    return next(list(part.lines) for part in sections(shown, WIDTH) if part.title.startswith(title))


def in_text(shown: Layout) -> list[Place]:
    head, *rows = lines(shown, "ARENA")[: len(shown.buffers) + 1]
    ends = {name: head.index(name) + len(name) for name in ("bytes", "offset")}
    return [tuple(int(row[: ends[name]].split()[-1]) for name in ends) for row in rows]  # type: ignore[misc]


def in_header(text: str) -> list[Place]:
    table = text[text.index("/* offset, size, first, last */") :]
    rows = re.findall(r"^ +\{ *(\d+)U, +(\d+)U, ", table[: table.index("};")], re.MULTILINE)
    return [(int(size), int(offset)) for offset, size in rows]


@pytest.mark.parametrize("overlap", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_every_view_has_the_same_bytes_and_offsets(name: str, overlap: bool) -> None:
    shown = planned(name, overlap)
    data = json.loads(layout_to_json(shown))
    expected = [(row["bytes"], row["offset"]) for row in data["buffers"]]
    table = csv.DictReader(io.StringIO(buffers_csv("m", shown)))
    page = read_table(read_page(render_page(shown)), "buffers")
    assert in_text(shown) == expected
    assert [(int(row["bytes"]), int(row["offset"])) for row in table] == expected
    assert [(int(row["bytes"]), int(row["offset"])) for row in page] == expected
    assert in_header(render_header(shown, prefix="m")) == expected


@pytest.mark.parametrize("overlap", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_every_view_has_the_same_totals(name: str, overlap: bool) -> None:
    shown = planned(name, overlap)
    assert shown.weights is not None
    assert shown.metadata is not None
    memory = {row[9:35].strip(): row[35:47].strip() for row in lines(shown, "MEMORY")}
    (row,) = csv.DictReader(io.StringIO(models_csv([("m", shown)])))
    page = read_page(render_page(shown))
    macros = dict(re.findall(r"#define M_(\w+) +(\d+)U?$", render_header(shown, prefix="m"), re.MULTILINE))
    told = dict(re.findall(r"(\w+)=(\w+)", result_line(shown, "plan.h")))
    picture = render_svg(shown)
    by_view = {
        "peak": (shown.peak, memory["head, planned by best"], row["head"], macros["ARENA_SIZE"], told["head"]),
        "arena": (shown.arena_bytes, memory["emitted buffer"], row["arena"], macros["ARENA_BYTES"], told["arena"]),
        "bound": (shown.lower_bound, memory["lower bound"], row["lower_bound"], told["bound"]),
        "weights": (shown.weights.bytes, memory["weights"], row["weights"]),
        "metadata": (shown.metadata.bytes, memory["metadata"], row["metadata"]),
        "flash": (shown.model.bytes, memory["flash for the model"], row["model_bytes"]),
        **{peer: (getattr(shown, peer), memory[f"head by {peer}"], row[peer]) for peer in ("greedy", "linear", "naive")},
    }
    assert {name: {int(value) for value in values} for name, values in by_view.items()} == {
        name: {int(values[0])} for name, values in by_view.items()
    }
    strategies = {row["way to plan"]: int(row["bytes"]) for row in read_table(page, "strategies")}
    assert (strategies["this plan (best)"], strategies["lower bound"]) == (shown.peak, shown.lower_bound)
    assert f"{shown.peak}" in picture
