"""F8. `arena-codegen compare MODEL.tflite…`: every strategy side by side."""

from __future__ import annotations

import sys
import time
from functools import partial
from typing import TYPE_CHECKING, Annotated

from arena_codegen.cli import console
from arena_codegen.cli import parameters as given
from arena_codegen.cli.models import as_given, read_requests, refuse_file, short_names, some_models
from arena_codegen.errors import Finding, UsageError
from arena_codegen.options import PlanOptions, plan_options

if TYPE_CHECKING:
    from arena_codegen.layout.comparison import Comparison

CsvFlag = Annotated[
    bool, given.option(given.OUTPUTS, "--csv", help="A row for each way to plan each model, on standard output.")
]
JsonFlag = Annotated[bool, given.option(given.OUTPUTS, "--json", help="The same as data, on standard output.")]
Time = Annotated[
    bool,
    given.option(
        given.OUTPUTS, "--time/--no-time",
        help="Shows how long each strategy took (default), in milliseconds of processor time, or leaves out this one "
        "number that differs from run to run.",
    ),
]  # fmt: skip


def compare(
    models: given.Models = None,
    csv: CsvFlag = False,
    json: JsonFlag = False,
    show_time: Time = True,
    effort: given.Effort = None,
    kernels: given.Kernels = None,
    requests: given.Requests = None,
    target: given.Target = None,
    align: given.Align = None,
    keep: given.Keep = None,
    pin: given.Pin = None,
    segment: given.Segment = None,
    honor_plan: given.HonorPlan = False,
    shape: given.Shape = None,
) -> None:
    """Plans every model by every strategy, those that can with nothing, in-place and overlap."""
    if csv and json:
        raise UsageError(Finding("--csv and --json do not go together"))
    refuse_file(models, "compare", json=json, csv=csv)
    paths = some_models(models, "compare")
    options = plan_options(
        effort=effort, kernels=kernels, target=target, align=align, keep=keep, pins=pin, segment=segment, shapes=shape,
        requests=read_requests(requests), honor_plan=honor_plan,
    )  # fmt: skip

    from arena_codegen.cli.many import each, raise_failed

    outcomes = each(partial(_compared, options=options, show_time=show_time), paths, "comparing")
    names = dict(zip(paths, short_names(paths), strict=True))
    good = [(outcome.value, names[outcome.path]) for outcome in outcomes if outcome.value is not None]
    if good:
        _show([value for value, _ in good], [name for _, name in good], csv, json)
    with as_given(None, requests):
        raise_failed(outcomes)


def _compared(path: str, options: PlanOptions, show_time: bool) -> Comparison:
    from arena_codegen.compare import compare as compared
    from arena_codegen.model.reader import read_model

    return compared(read_model(path, options.shapes), options, time.process_time if show_time else None)


def _show(comparisons: list[Comparison], names: list[str], csv: bool, json: bool) -> None:
    from arena_codegen.emit import comparison as text

    if csv or json:
        console.say((text.to_csv if csv else text.to_json)(comparisons, names).rstrip("\n"))
        return
    width = console.width()
    for one, name in zip(comparisons, names, strict=True):
        title, *lines = text.compared(one, name, width)
        console.say(console.painted(title, "title", sys.stdout))
        console.say("".join(f"{line}\n" for line in lines))
    if len(comparisons) > 1:
        title = "PEAKS in bytes; those of best by what may share"
        console.say(console.painted(title, "title", sys.stdout))
        console.say("\n".join(text.summary(comparisons, names, width)))
