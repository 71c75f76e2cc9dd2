"""F8. `arena-codegen inspect MODEL.tflite…`: what an arena is made of."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

from arena_codegen.cli import console, outputs
from arena_codegen.cli import parameters as given
from arena_codegen.cli.models import read_requests, some_models
from arena_codegen.files import write_artifacts
from arena_codegen.options import plan_options

if TYPE_CHECKING:
    from arena_codegen.layout.types import Layout

PIPED_WIDTH = 100


def inspect(
    models: given.Models = None,
    json: given.JsonFlag = False,
    html: given.Html = None,
    svg: given.Svg = None,
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
    """Shows each model's layout as text, or as the JSON that the build step writes; of one, a page and a picture."""
    paths = some_models(models, "inspect")
    options = plan_options(
        strategy=strategy, effort=effort, kernels=kernels, target=target, align=align, in_place=in_place,
        overlap=overlap, keep=keep, pins=pin, segment=segment, shapes=shape, arena=arena,
        requests=read_requests(requests),
    )  # fmt: skip

    outputs.check_pictures(html, svg, paths)

    from arena_codegen.model.reader import read_model
    from arena_codegen.pipeline import plan_layout

    models_read = [read_model(path, options.shapes) for path in paths]
    layouts = [plan_layout(model, options) for model in models_read]
    if html is not None or svg is not None:
        from arena_codegen.peers import plan_peers

        peers = plan_peers(models_read[0], options) if html is not None else {}
        write_artifacts(outputs.render_pictures(layouts[0], html, svg, peers), inputs=paths)
    if json:
        _say_json(layouts)
    for layout in layouts:
        console.report("warning", layout.warnings)
        if not json:
            _say(layout)


def _say_json(layouts: list[Layout]) -> None:
    """One layout as `--json` of the build step writes it, several as a list of them."""
    from arena_codegen.layout.json import layout_to_json

    texts = [layout_to_json(layout).rstrip("\n") for layout in layouts]
    console.say(texts[0] if len(texts) == 1 else "[\n" + ",\n".join(texts) + "\n]")


def _say(layout: Layout) -> None:
    from arena_codegen.emit.table import sections

    width = shutil.get_terminal_size((PIPED_WIDTH, 24)).columns
    for section in sections(layout, width - 2):
        console.say(console.painted(section.title, "title", sys.stdout))
        console.say("".join(f"  {line}\n" if line else "\n" for line in section.lines))
