"""F8. `arena-codegen check MODEL.tflite`: a plan that was made elsewhere is judged."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

from arena_codegen.cli import console
from arena_codegen.cli import parameters as given
from arena_codegen.cli.models import as_given, one_model
from arena_codegen.errors import Finding, FoundError, ModelError, UsageError
from arena_codegen.options import plan_options
from arena_codegen.text import printable

if TYPE_CHECKING:
    from arena_codegen.layout.types import Layout

Plan = Annotated[
    str | None,
    given.option(
        "Plans", "--plan", metavar="FILE.json",
        help="Judges the layout that --json wrote, instead of the offline plan in the model's metadata.",
    ),
]  # fmt: skip


def check(
    models: given.Models = None, plan: Plan = None, kernels: given.Kernels = None, target: given.Target = None
) -> None:
    """Judges a plan made elsewhere: the offline plan inside the model, whoever wrote it, or a layout.

    A plan with a fault is exit 1.
    """
    path = one_model(models, "arena-codegen check MODEL.tflite" + (f" --plan {plan}" if plan is not None else ""))
    options = plan_options(kernels=kernels, target=target)
    if plan is not None and (kernels is not None or target is not None):
        raise UsageError(Finding("--plan names its kernels itself: --kernels and --target do not go with it", plan))
    with as_given(path):
        line = _offline(path, options.kernels, options.target) if plan is None else _layout(path, plan)
    console.say(printable(f"arena-codegen: {line}"))


def _offline(path: str, kernels: str, target: str) -> str:
    from arena_codegen.model.offline_plan import read_offline_plan
    from arena_codegen.model.reader import read_model
    from arena_codegen.verify.offline import judge_offline_plan

    model = read_model(path)
    plan = read_offline_plan(model)
    if plan is None:
        hint = "arena-codegen --metadata writes one; --plan FILE.json judges a layout"
        raise UsageError(Finding("the model carries no offline plan", model.file, hint))
    judged = judge_offline_plan(model, plan, kernels, target)
    if judged.faults:
        raise FoundError(judged.faults)
    counts = f"peak={judged.head} fixed={judged.fixed} tensors={judged.tensors}"
    return f"{model.file} carries a valid offline plan: {counts}"


def _made_for(layout: Layout, file: str) -> tuple[str, str]:
    """The kernels and the target that a layout was planned for. Raises ModelError."""
    try:
        options = plan_options(kernels=layout.options.get("kernels"), target=layout.options.get("target"))
    except UsageError as error:
        raise ModelError([Finding(f"options: {found.what}", file, found.hint) for found in error.findings]) from error
    return options.kernels, options.target


def _layout(path: str, plan: str) -> str:
    from arena_codegen.kernels import library
    from arena_codegen.model.reader import read_model
    from arena_codegen.verify.belongs import adopt, load_layout, shapes_of
    from arena_codegen.verify.offline import judge_rows, judge_scratch, judge_shares
    from arena_codegen.verify.second_opinion import judge_layout

    loaded = load_layout(plan)
    model = read_model(path, shapes=dict(shapes_of(loaded, plan)))
    layout = adopt(model, loaded, plan)
    file = os.path.basename(plan)
    faults = (*judge_rows(model, layout, file), *judge_layout(layout))
    recorded = "requests" in loaded.options
    kernels, target = _made_for(loaded, file)
    faults += judge_shares(model, layout, library(kernels, target, recorded=recorded), file)
    if not recorded:
        faults += judge_scratch(model, layout, kernels, target, file)
    if faults:
        raise FoundError(faults)
    return f"{file} is a valid plan: peak={layout.peak} buffers={len(layout.buffers)}"
