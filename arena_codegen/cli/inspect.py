"""F8. `arena-codegen inspect MODEL.tflite…`: what an arena is made of, or those of many models in one table."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated

from arena_codegen.cli import console, outputs
from arena_codegen.cli import parameters as given
from arena_codegen.cli.models import as_given, read_requests, refuse_file, short_names, some_models
from arena_codegen.cli.searching import searching
from arena_codegen.errors import Finding, UsageError
from arena_codegen.files import write_artifacts
from arena_codegen.options import PlanOptions, plan_options
from arena_codegen.text import printable

if TYPE_CHECKING:
    from arena_codegen.layout.advice import Advice
    from arena_codegen.layout.types import Layout

ADVICE = "Advice"

CsvFlag = Annotated[
    bool, given.option(given.OUTPUTS, "--csv", help="The planning table; of several models a row for each of them.")
]
AdviseFlag = Annotated[
    bool,
    given.option(
        ADVICE, "--advise", help="Tries what could make the arena smaller, by planning again, and ranks what it saves."
    ),
]
WhatIf = Annotated[
    list[str] | None,
    given.option(
        ADVICE, "--what-if", metavar="QUESTION",
        help="channels:TENSOR=24 gives a layer other channels, input=80x80 (or TENSOR=80x80, TENSOR=1x80x80x3) the "
        "input another size; everything that must change with it does. May be repeated: all of them together.",
    ),
]  # fmt: skip


def inspect(
    models: given.Models = None,
    json: given.JsonFlag = False,
    csv: CsvFlag = False,
    html: given.Html = None,
    svg: given.Svg = None,
    advise: AdviseFlag = False,
    what_if: WhatIf = None,
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
    shape: given.Shape = None,
    arena: given.Arena = None,
) -> None:
    """Shows a model's layout as text, JSON, page or picture, and what would make it smaller; many models as a table."""
    refuse_file(models, "inspect", json=json, csv=csv)
    paths = some_models(models, "inspect")
    options = plan_options(
        strategy=strategy, effort=effort, kernels=kernels, target=target, align=align, in_place=in_place,
        overlap=overlap, keep=keep, pins=pin, segment=segment, shapes=shape, arena=arena,
        requests=read_requests(requests),
    )  # fmt: skip
    outputs.check_pictures(html, svg, paths)
    if csv and json:
        raise UsageError(Finding("--csv and --json do not go together"))
    if len(paths) > 1 and (advise or what_if):
        raise UsageError(Finding(f"{'--advise' if advise else '--what-if'} is for one model, not {len(paths)}"))
    if len(paths) > 1 or (any(os.path.isdir(path) for path in models or ()) and not (html or svg or advise or what_if)):
        with as_given(None, requests):
            return _many(paths, options, json, csv)
    with as_given(paths[0], requests):
        _one(paths[0], options, json, csv, html, svg, advise, what_if or [])


def _one(
    path: str, options: PlanOptions, json: bool, csv: bool, html: str | None, svg: str | None, advise: bool,
    questions: list[str],
) -> None:  # fmt: skip
    """Everything about one model."""
    from arena_codegen.model.reader import read_model
    from arena_codegen.pipeline import plan_layout

    model = read_model(path, options.shapes)
    with searching():
        layout = plan_layout(model, options)
    tried: tuple[Advice, ...] | None = None
    answer: Advice | None = None
    if advise:
        from arena_codegen.advise import advise as try_steps

        tried = try_steps(model, options, layout)
    if questions:
        from arena_codegen.advise import what_if as answer_to

        answer = answer_to(model, options, layout, questions)
    if html is not None or svg is not None:
        besides = outputs.beside(model, options, layout) if html is not None else outputs.Beside()
        write_artifacts(outputs.render_pictures(layout, html, svg, besides), inputs=[path])
    console.report("warning", layout.warnings)
    if json:
        _say_json(layout, tried, answer)
    elif csv:
        from arena_codegen.emit.overview import buffers_csv

        console.say(buffers_csv(layout.model.file, layout).rstrip("\n"))
    elif advise or answer is not None:
        _say_advice(layout, tried, answer)
    else:
        _say(layout)


def _many(paths: list[str], options: PlanOptions, json: bool, csv: bool) -> None:
    """A row for each model, worst first; those that cannot be planned are errors at the end."""
    from arena_codegen.cli.many import each, raise_failed
    from arena_codegen.emit import overview

    outcomes = each(partial(_planned, options=options), paths, "planning")
    names = dict(zip(paths, short_names(paths), strict=True))
    layouts = [(names[outcome.path], outcome.value) for outcome in outcomes if outcome.value is not None]
    if layouts and json:
        from arena_codegen.layout.json import layout_to_json

        texts = (layout_to_json(layout).rstrip("\n") for _, layout in layouts)
        console.say("[\n" + ",\n".join(texts) + "\n]")
    elif layouts and csv:
        console.say(overview.models_csv(layouts).rstrip("\n"))
    elif layouts:
        console.say("\n".join(overview.overview(layouts, console.width())))
    raise_failed(outcomes)


def _planned(path: str, options: PlanOptions) -> Layout:
    from arena_codegen.api import plan_model

    return plan_model(path, options=options)


def _say_json(layout: Layout, tried: tuple[Advice, ...] | None, answer: Advice | None) -> None:
    """The layout as `--json` of the build step writes it, and what was asked besides as further keys."""
    import json

    from arena_codegen.emit.advice import advice_data
    from arena_codegen.layout.json import layout_to_json

    text = layout_to_json(layout).rstrip("\n")
    more = {} if tried is None else {"advice": advice_data(tried)}
    more |= {} if answer is None else {"what_if": advice_data([answer])}
    for key, rows in more.items():
        lines = ",\n".join(f"    {json.dumps(row)}" for row in rows)
        text = f'{text.removesuffix("}").rstrip()},\n  "{key}": [\n{lines}\n  ]\n}}'
    console.say(text)


def _say_advice(layout: Layout, tried: tuple[Advice, ...] | None, answer: Advice | None) -> None:
    from arena_codegen.emit.advice import advice_lines, question_lines

    width = console.width()
    now = f"{layout.peak} bytes of head, {layout.arena_bytes} of arena"
    console.say(console.painted(printable(f"{layout.model.file}: {now}"), "title", sys.stdout))
    lines = question_lines(layout, answer, width - 2) if answer is not None else []
    lines += advice_lines(layout, tried, width - 2) if tried is not None else []
    console.say("\n".join(f"  {line}" if line else "" for line in lines))


def _say(layout: Layout) -> None:
    from arena_codegen.emit.table import sections

    for section in sections(layout, console.width() - 2):
        console.say(console.painted(section.title, "title", sys.stdout))
        console.say("".join(f"  {line}\n" if line else "\n" for line in section.lines))
