"""F8. `arena-codegen MODEL.tflite -o PLAN.h`: the build step."""

from __future__ import annotations

import os

from arena_codegen.cli import console, parameters as given
from arena_codegen.cli.models import one_model
from arena_codegen.errors import Finding, UsageError
from arena_codegen.files import Artifact, check_outputs, write_artifacts
from arena_codegen.layout.types import Layout
from arena_codegen.options import plan_options
from arena_codegen.version import VERSION


def plan(
    model: given.Models = None,
    output: given.Output = None,
    json: given.Json = None,
    depfile: given.Depfile = None,
    stamp: given.Stamp = None,
    prefix: given.Prefix = None,
    strategy: given.Strategy = None,
    effort: given.Effort = None,
    kernels: given.Kernels = None,
    target: given.Target = None,
    align: given.Align = None,
    in_place: given.InPlace = True,
    keep: given.Keep = None,
    pin: given.Pin = None,
    segment: given.Segment = None,
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
    wishes = plan_options(
        strategy=strategy, effort=effort, kernels=kernels, target=target, align=align, in_place=in_place, keep=keep,
        pins=pin, segment=segment, shapes=shape, arena=arena, max_arena=max_arena,
    )  # fmt: skip
    outputs = [name for name in (output, json, depfile, stamp) if name is not None]
    _check(path, output, json, depfile, stamp, outputs)

    from arena_codegen.api import plan_model

    layout = plan_model(path, options=wishes)
    artifacts = []
    if output is not None:
        artifacts.append(_header(layout, path, output, prefix, section))
    if json is not None:
        from arena_codegen.layout.json import layout_to_json

        artifacts.append(Artifact(json, layout_to_json(layout).encode()))
    if depfile is not None:
        from arena_codegen.emit.depfile import render_depfile

        artifacts.append(Artifact(depfile, render_depfile(stamp or output or "", [path])))
    if stamp is not None:
        artifacts.append(Artifact(stamp, b"", touch=True))
    write_artifacts(artifacts, inputs=[path])
    console.report("warning", layout.warnings)
    console.say(result_line(layout, os.path.basename(outputs[0])))


def result_line(layout: Layout, file: str) -> str:
    """The one line that a script can grep; the tail stands in it where it is known."""
    proof = "optimal" if layout.optimal else f"gap={layout.peak - layout.lower_bound}"
    tail = [f"tail={layout.tail.bytes}"] if layout.tail else []
    at = layout.peak_operator
    operator = f"{layout.operators[at].index} {layout.operators[at].name}" if at is not None else "none"
    fields = [f"arena={layout.arena_bytes}", f"head={layout.peak}", f"bound={layout.lower_bound}", proof, *tail]
    return console.one_line(" ".join([f"arena-codegen: {file}", *fields, f"peak_op={operator}"]))


def _about(version: bool, cmake_dir: bool) -> None:
    if version:
        console.say(f"arena-codegen {VERSION}")
        return
    from arena_codegen import resources

    console.say(str(resources.cmake() if cmake_dir else resources.include()))


def _check(
    path: str, output: str | None, json: str | None, depfile: str | None, stamp: str | None, outputs: list[str]
) -> None:
    """What can be refused before the model is read."""
    if output is None and json is None and stamp is None:
        raise UsageError(Finding("no output was asked for", hint=f"arena-codegen {path} -o PLAN.h, or --json FILE"))
    if depfile is not None and output is None and stamp is None:
        raise UsageError(Finding("--depfile has no target", hint="give -o FILE.h or --stamp FILE too"))
    check_outputs(outputs, inputs=[path])


def _header(layout: Layout, path: str, output: str, prefix: str | None, section: str | None) -> Artifact:
    from arena_codegen.emit.header import render_header, section_note
    from arena_codegen.names import c_prefix, check_prefix

    if prefix is not None:
        check_prefix(prefix)
    chosen = prefix if prefix is not None else c_prefix(os.path.basename(path))
    text = render_header(layout, file_name=os.path.basename(output), prefix=chosen, section=section)
    if section and (note := section_note(section)):
        console.report("note", [note if isinstance(note, Finding) else Finding(note)])
    return Artifact(output, text.encode())


