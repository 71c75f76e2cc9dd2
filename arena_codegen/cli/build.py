"""F8. `arena-codegen MODEL.tflite -o PLAN.h`: the build step."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from arena_codegen.cli import console, outputs
from arena_codegen.cli import parameters as given
from arena_codegen.cli.models import as_given, one_model, read_requests
from arena_codegen.cli.searching import searching
from arena_codegen.files import write_artifacts
from arena_codegen.options import PlanOptions, plan_options
from arena_codegen.text import printable
from arena_codegen.version import VERSION

if TYPE_CHECKING:
    from arena_codegen.layout.types import Layout


def plan(
    model: given.Models = None,
    output: given.Output = None,
    json: given.Json = None,
    html: given.Html = None,
    svg: given.Svg = None,
    metadata: given.Metadata = None,
    depfile: given.Depfile = None,
    stamp: given.Stamp = None,
    prefix: given.Prefix = None,
    strategy: given.Strategy = None,
    effort: given.Effort = None,
    kernels: given.Kernels = None,
    requests: given.Requests = None,
    target: given.Target = None,
    align: given.Align = None,
    in_place: given.InPlace = True,
    overlap: given.Overlap = False,
    keep: given.Keep = None,
    pin: given.Pin = None,
    segment: given.Segment = None,
    honor_plan: given.HonorPlan = False,
    shape: given.Shape = None,
    arena: given.Arena = None,
    max_arena: given.MaxArena = None,
    section: given.Section = None,
    version: given.Version = False,
    cmake_dir: given.CMakeDir = False,
    include_dir: given.IncludeDir = False,
) -> None:
    """Plans a model's arena and writes what was asked for; the result is one line on standard output."""
    if version or cmake_dir or include_dir:
        return _about(version, cmake_dir)
    path = one_model(model)
    options = plan_options(
        strategy=strategy, effort=effort, kernels=kernels, target=target, align=align, in_place=in_place,
        overlap=overlap, keep=keep, pins=pin, segment=segment, shapes=shape, arena=arena, max_arena=max_arena,
        requests=read_requests(requests), honor_plan=honor_plan,
    )  # fmt: skip
    inputs = [path] if requests is None else [path, requests]
    wanted = outputs.Outputs(
        output, json, html, svg, metadata, depfile, stamp, outputs.prefix_of(prefix, path), section
    )
    outputs.check(wanted, inputs)

    with as_given(path, requests):
        layout, besides, copy = _planned(path, options, wanted)
    write_artifacts(outputs.render(layout, wanted, inputs, besides, copy), inputs=inputs)
    console.report("warning", layout.warnings)
    console.report("warning", outputs.notes(wanted))
    console.say(result_line(layout, os.path.basename(wanted.paths[0])))


def _planned(path: str, options: PlanOptions, wanted: outputs.Outputs) -> tuple[Layout, outputs.Beside, bytes]:
    """The layout; what a page shows beside it; and the copy that carries the plan, where asked for."""
    from arena_codegen.model.reader import read_model
    from arena_codegen.pipeline import plan_copy, plan_layout

    model = read_model(path, options.shapes)
    with searching():
        layout, copy = (
            (plan_layout(model, options), b"")
            if wanted.metadata is None
            else plan_copy(model, options, os.path.basename(wanted.metadata))
        )
    besides = outputs.Beside() if wanted.html is None else outputs.beside(model, options, layout)
    return layout, besides, copy


def result_line(layout: Layout, file: str) -> str:
    """The one line that a script can grep; the tail stands in it where it is known."""
    proof = "optimal" if layout.optimal else f"gap={layout.peak - layout.lower_bound}"
    tail = [f"tail={layout.tail.bytes}"] if layout.tail else []
    at = layout.peak_operator
    operator = f"{layout.operators[at].index} {layout.operators[at].name}" if at is not None else "none"
    fields = [f"arena={layout.arena_bytes}", f"head={layout.peak}", f"bound={layout.lower_bound}", proof, *tail]
    return printable(" ".join([f"arena-codegen: {file}", *fields, f"peak_op={operator}"]))


def _about(version: bool, cmake_dir: bool) -> None:
    if version:
        console.say(f"arena-codegen {VERSION}")
        return
    from arena_codegen import resources

    console.say(str(resources.cmake() if cmake_dir else resources.include()))
