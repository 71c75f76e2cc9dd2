"""F8. `arena-codegen diff OLD NEW`: what changed between two plans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena_codegen.cli import console
from arena_codegen.cli import parameters as given
from arena_codegen.errors import Finding, FoundError, ModelError, UsageError
from arena_codegen.options import PlanOptions, parse_size, plan_options
from arena_codegen.text import counted, printable

if TYPE_CHECKING:
    from arena_codegen.layout.difference import Difference
    from arena_codegen.layout.types import Layout

DIFFERENCE = "Difference"
FORMATS = ("text", "markdown", "json")

Sides = Annotated[list[str] | None, typer.Argument(metavar="OLD NEW", show_default=False)]
Format = Annotated[
    str | None,
    given.option(
        DIFFERENCE, "--format", metavar="NAME", help="text (default), markdown (for a pull request) or json."
    ),
]  # fmt: skip
Allow = Annotated[
    str | None,
    given.option(DIFFERENCE, "--allow", metavar="SIZE", help="By how much the arena may grow; default 0."),
]


def diff(
    sides: Sides = None,
    format: Format = None,
    allow: Allow = None,
    strategy: given.Strategy = None,
    effort: given.Effort = None,
    kernels: given.Kernels = None,
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
) -> None:
    """Tells what changed from one layout, or one model, to another. An arena that grew is exit 1."""
    paths = _two(sides)
    if format not in (None, *FORMATS):
        raise UsageError(Finding(f"--format is {format!r}", hint=f"one of {', '.join(FORMATS)}"))
    permitted = parse_size(allow, "--allow") if allow is not None else 0
    wishes = {
        "strategy": strategy, "effort": effort, "kernels": kernels, "target": target, "align": align, "keep": keep,
        "pins": pin, "segment": segment, "shapes": shape, "arena": arena,
    }  # fmt: skip
    flags = {"in_place": in_place, "overlap": overlap, "honor_plan": honor_plan}
    options = plan_options(**wishes, **flags)
    has_wishes = not in_place or overlap or honor_plan or any(wish is not None for wish in wishes.values())

    from arena_codegen.layout.difference import differ

    old, new = _layouts(paths, options, has_wishes)
    difference = differ(old, new)
    _show(difference, format, permitted)
    if difference.grown > permitted:
        raise FoundError(_grown(difference, permitted))


def _two(sides: list[str] | None) -> tuple[str, str]:
    if len(sides or ()) != 2:
        what = "two plans are compared" + (f", not {counted(len(sides), 'file')}" if sides else ": no file was given")
        raise UsageError(Finding(what, hint="arena-codegen diff OLD.json NEW.json"))
    assert sides is not None
    return sides[0], sides[1]


def _layouts(paths: tuple[str, str], options: PlanOptions, has_wishes: bool) -> tuple[Layout, Layout]:
    """Both sides. Raises UsageError for wishes where no side is a model."""
    layouts = [_read(path) if _is_layout(path) else None for path in paths]
    read = next((layout for layout in layouts if layout is not None), None)
    if has_wishes and None not in layouts:
        raise UsageError(Finding("both sides are plans already: options that shape one do not go with them"))
    if read is not None and not has_wishes and None in layouts:
        options = _as(read, paths[layouts.index(read)])
    first, second = (layout or _planned(path, options) for layout, path in zip(layouts, paths, strict=True))
    return first, second


def _is_layout(path: str) -> bool:
    """True for a file that begins like JSON, or is called so. What cannot be opened is left to the reader."""
    try:
        with open(path, "rb") as file:
            start = file.read(64)
    except OSError:
        return path.endswith(".json")
    return start[4:8] != b"TFL3" and (
        start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{" or path.endswith(".json")
    )


def _read(path: str) -> Layout:
    from arena_codegen.layout import layout_from_json
    from arena_codegen.layout.typed import check_kind

    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "not UTF-8 text"
        raise ModelError(Finding(f"layout cannot be read: {why.lower()}", path)) from error
    layout = layout_from_json(text, path)
    check_kind(layout, path)
    return layout


def _planned(path: str, options: PlanOptions) -> Layout:
    from arena_codegen.api import plan_model

    return plan_model(path, options=options)


def _as(layout: Layout, path: str) -> PlanOptions:
    """The options that a layout was planned with. Raises UsageError where a model cannot be planned so."""
    wishes: dict[str, Any] = dict(layout.options)
    for name, option in (("requests", "--requests"), ("metadata", "--metadata")):
        if wishes.pop(name, False):
            what = f"it was planned with {option}, which diff does not do"
            raise UsageError(Finding(what, path, f"plan the model with {option} and --json, and compare the layouts"))
    for name, meant in (("pin", "pins"), ("shape", "shapes")):
        if name in wishes:
            wishes[meant] = wishes.pop(name)
    try:
        return plan_options(**wishes)
    except (UsageError, TypeError, AttributeError, ValueError) as error:
        why = error.findings[0].what if isinstance(error, UsageError) else error
        raise ModelError(Finding(f"its options are not those of a plan: {why}", path)) from error


def _show(difference: Difference, format: str | None, allow: int) -> None:
    from arena_codegen.emit import difference as shown

    if format == "json":
        console.say(shown.to_json(difference, allow))
        return
    lines = shown.to_markdown(difference) if format == "markdown" else shown.to_text(difference, console.width())
    console.say("\n".join(lines))


def _grown(difference: Difference, allow: int) -> Finding:
    a, b = difference.old.arena_bytes, difference.new.arena_bytes
    more = f", more than the {allow} that --allow permits" if allow else ""
    where = printable(difference.new.model.file)
    if difference.blame is not None and difference.new.peak > difference.old.peak:
        where += f" · {printable(difference.blame.operator)}"
    return Finding(f"the arena grew by {counted(b - a, 'byte')}, from {a} to {b}{more}", where)
