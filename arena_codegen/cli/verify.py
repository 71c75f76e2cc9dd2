"""F8. `arena-codegen verify MODEL.tflite`: a plan is executed on the emulated board."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

from arena_codegen.cli import console
from arena_codegen.cli import parameters as given
from arena_codegen.cli.models import as_given, one_model
from arena_codegen.cli.searching import searching
from arena_codegen.errors import Finding, ToolError, UsageError, VerdictError
from arena_codegen.options import plan_options
from arena_codegen.text import counted, printable

if TYPE_CHECKING:
    from arena_codegen.layout.types import Layout
    from arena_codegen.model.types import Model
    from arena_codegen.verify import Verdict

VERIFICATION = "Verification"
BOARD_KERNELS, BOARD_PROFILE = "cmsis-nn-4.0", "ARENA_KERNELS_CMSIS_NN_4_0"
"""What the firmware stub builds with."""

PROFILES = {
    "ARENA_KERNELS_NONE": "none", "ARENA_KERNELS_CMSIS_NN": "cmsis-nn", BOARD_PROFILE: BOARD_KERNELS,
    "ARENA_KERNELS_REFERENCE": "reference", "ARENA_KERNELS_RECORDED": "recorded",
}  # fmt: skip
"""Kernels as `--kernels` calls them, by the constants of arena_codegen/plan.h."""

EMULATED = "mps2_an386"
"""The board that QEMU runs."""

Plan = Annotated[
    str | None,
    given.option(
        VERIFICATION, "--plan", metavar="FILE.json",
        help="Judges the layout that --json wrote, instead of a plan made now.",
    ),
]  # fmt: skip
BuildDir = Annotated[
    str | None,
    given.option(
        VERIFICATION, "--build-dir", metavar="DIR",
        help="Keeps the generated C, the program and the board's report there. Default: nothing but the compiled "
        "firmware stays, in the user's cache.",
    ),
]  # fmt: skip
Timeout = Annotated[
    str | None,
    given.option(VERIFICATION, "--timeout", metavar="SECONDS", help="How long the board may take; default 120."),
]
Kernels = Annotated[
    str | None,
    given.option(
        given.PLANNING, "--kernels", metavar="NAME",
        help="Whose scratch buffers are planned: cmsis-nn-4.0 (default here; the firmware stub's), cmsis-nn (what TFLM "
        "pins), reference (TFLM's own kernels) or none.",
    ),
]  # fmt: skip

PatternOnly = Annotated[
    bool,
    given.option(
        VERIFICATION, "--pattern-only",
        help="Executes the plan without kernels and ends there: needs neither CMSIS-NN nor TFLM.",
    ),
]  # fmt: skip
BoardName = Annotated[
    str | None,
    given.option(
        VERIFICATION, "--board", metavar="NAME",
        help="stm32f4 or stm32f746: builds the pattern check for a board to flash it, into --build-dir, and checks "
        "where everything lies. Default mps2_an386, which is emulated.",
    ),
]  # fmt: skip
JsonFlag = Annotated[
    bool, given.option(VERIFICATION, "--json", help="What was computed as data, on standard output.")
]


def verify(
    models: given.Models = None,
    plan: Plan = None,
    build_dir: BuildDir = None,
    timeout: Timeout = None,
    pattern_only: PatternOnly = False,
    board: BoardName = None,
    json: JsonFlag = False,
    strategy: given.Strategy = None,
    effort: given.Effort = None,
    kernels: Kernels = None,
    target: given.Target = None,
    align: given.Align = None,
    in_place: given.InPlace = True,
    overlap: given.Overlap = False,
    keep: given.Keep = None,
    pin: given.Pin = None,
    segment: given.Segment = None,
    shape: given.Shape = None,
) -> None:
    """Executes a plan on QEMU's Cortex-M4, without kernels and with them, and compares every tensor with real TFLM.

    A plan that the board refutes is exit 5.
    """
    path = one_model(models, "arena-codegen verify MODEL.tflite" + (f" --plan {plan}" if plan is not None else ""))
    wishes = {
        "strategy": strategy, "effort": effort, "kernels": kernels, "target": target, "align": align, "keep": keep,
        "pins": pin, "segment": segment, "shapes": shape,
    }  # fmt: skip
    seconds = _seconds(timeout)
    if json and pattern_only:
        raise UsageError(Finding("--json tells what was computed; with --pattern-only nothing is"))
    if plan is not None and (not in_place or overlap or any(wish is not None for wish in wishes.values())):
        raise UsageError(Finding("--plan is a plan already: options that shape one do not go with it", plan))
    sharing = {"in_place": in_place, "overlap": overlap}
    options = plan_options(**{**wishes, **sharing, "kernels": kernels or BOARD_KERNELS, "arena": "plan"})

    from arena_codegen.verify import TIMEOUT, run_pattern_check

    runs_kernels = not pattern_only and board in (None, EMULATED)
    if plan is None:
        from arena_codegen.model.reader import read_model
        from arena_codegen.pipeline import plan_layout

        with as_given(path):
            model = read_model(path, shapes=dict(options.shapes))
            with searching():
                layout = plan_layout(model, options)
        if runs_kernels:
            other = f"plan with --kernels {BOARD_KERNELS}, or --no-overlap\n--pattern-only runs it without kernels"
            _refuse_rules(layout, ("overlap",), layout.model.file, other)
        console.report("warning", layout.warnings)
    else:
        with as_given(path):
            model, layout = _load(path, plan, runs_kernels)
    folder = Path(build_dir) if build_dir is not None else None
    if board is not None and board != EMULATED:
        _build_for(board, model, layout, folder)
        return
    verdict = run_pattern_check(model, layout, build_dir=folder, timeout=seconds or TIMEOUT)
    _conclude(verdict, layout, plan, sys.stderr if json else sys.stdout)
    if pattern_only:
        return

    from arena_codegen.cli.inference import infer

    try:
        infer(model, layout, verdict, build_dir=folder, timeout=seconds, json=json)
    except ToolError as error:
        hint = "--pattern-only ends after the check that passed, which needs neither CMSIS-NN nor TFLM"
        raise ToolError([replace(one, hint=f"{one.hint}\n{hint}".strip()) for one in error.findings]) from error


def _build_for(name: str, model: Model, layout: Layout, folder: Path | None) -> None:
    """Builds the pattern check for a board that nothing runs here."""
    from arena_codegen.verify.board import BOARDS
    from arena_codegen.verify.flash import build_for_flash

    if name not in BOARDS:
        raise UsageError(Finding(f"--board is {name!r}", hint=f"one of {', '.join(BOARDS)}"))
    if folder is None:
        raise UsageError(Finding(f"--board {name} builds a program to flash", hint="say where with --build-dir"))
    made = build_for_flash(model, layout, BOARDS[name], folder)
    where = f"arena={layout.peak} memory={made.memory} address={made.address:#x}"
    console.say(printable(f"arena-codegen: {layout.model.file} built for {name}: program={made.program.name} {where}"))


def _seconds(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 86400:
        raise UsageError(Finding(f"--timeout is {text!r}, not a number of seconds", hint="for example --timeout 300"))
    return seconds


def _load(path: str, plan: str, runs_kernels: bool) -> tuple[Model, Layout]:
    """Model and layout of `--plan`. What the judge has to say about it is said, and the board runs all the same."""
    from arena_codegen.model.reader import read_model
    from arena_codegen.verify.belongs import adopt, load_layout, shapes_of
    from arena_codegen.verify.second_opinion import judge_layout

    loaded = load_layout(plan)
    model = read_model(path, shapes=dict(shapes_of(loaded, plan)))
    layout = adopt(model, loaded, plan)
    if runs_kernels:
        _refuse_rules(layout, ("in-place", "overlap"), plan, _other_ways(loaded))
    console.report(
        "warning", [Finding(f"the judge: {fault.what}", fault.where, fault.hint) for fault in judge_layout(layout)]
    )
    return model, layout


def _other_ways(loaded: Layout) -> str:
    """How a plan for other kernels can run: made anew, where no output trails; or without kernels."""
    hints = ["--pattern-only runs this plan without kernels"]
    options = loaded.options
    if not any(options.get(name) for name in ("overlap", "requests", "metadata", "honor_plan")):
        from arena_codegen.emit.banner import option_text

        usual = plan_options()
        shaped = {
            name: value
            for name, value in options.items()
            if name == "kernels" or (name != "arena" and value != getattr(usual, name, None))
        }
        same = f"arena-codegen verify MODEL {option_text(shaped)}"
        hints.insert(0, f"{same} makes the same plan and runs it with kernels")
    return "\n".join(hints)


def _refuse_rules(layout: Layout, refused: tuple[str, ...], where: str, hint: str) -> None:
    """Raises UsageError where the plan shares bytes by rules of kernels that the board does not have."""
    rules = sorted({share.rule for row in layout.buffers for share in row.shares if share.rule in refused})
    if rules and layout.profile != BOARD_PROFILE:
        what = f"its {' and '.join(rules)} rules are those of other kernels: {layout.kernels}"
        raise UsageError(Finding(what, where, hint))


def _conclude(verdict: Verdict, layout: Layout, plan: str | None, stream: TextIO) -> None:
    if not verdict.passed:
        count = Finding(f"{verdict.failed} of {counted(verdict.points, 'check')} failed", layout.model.file)
        raise VerdictError([*verdict.failures, count])
    what = layout.model.file if plan is None else os.path.basename(plan)
    water = f"high-water={verdict.used} planned={verdict.planned} kernels={PROFILES.get(layout.profile, 'unknown')}"
    console.say(printable(f"arena-codegen: {what} verified on Cortex-M4: checks={verdict.points} {water}"), stream)
