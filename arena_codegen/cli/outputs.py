"""F8. What a build step writes: which files were asked for, and what goes into each."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from arena_codegen.errors import Finding, UsageError
from arena_codegen.files import Artifact, check_outputs
from arena_codegen.names import c_prefix, check_prefix

if TYPE_CHECKING:
    from arena_codegen.layout.advice import Advice
    from arena_codegen.layout.types import Layout
    from arena_codegen.model.types import Model
    from arena_codegen.options import PlanOptions


@dataclass(frozen=True, slots=True)
class Outputs:
    """Files by what they are, named as the user named them, None where not asked for; and what the header is to say."""

    header: str | None
    json: str | None
    html: str | None
    svg: str | None
    metadata: str | None
    depfile: str | None
    stamp: str | None
    prefix: str
    section: str | None

    @property
    def paths(self) -> list[str]:
        """All that will be written, the header first."""
        rows = (self.header, self.json, self.html, self.svg, self.metadata, self.depfile, self.stamp)
        return [path for path in rows if path is not None]


@dataclass(frozen=True, slots=True)
class Beside:
    """What a page shows beside the plan: layouts by other strategies, and steps that were tried to make it smaller."""

    peers: Mapping[str, Layout] = field(default_factory=dict)
    advice: Sequence[Advice] = ()


def beside(model: Model, options: PlanOptions, layout: Layout) -> Beside:
    """What a page shows beside the plan of this model, made by planning again."""
    from arena_codegen.advise import advise
    from arena_codegen.peers import plan_peers

    advice = advise(model, options, layout) if "metadata" not in layout.options else ()
    return Beside(plan_peers(model, options), advice)


def check(wanted: Outputs, inputs: list[str]) -> None:
    """Refuses, before the model is read, what cannot be written. Raises UsageError."""
    if not [path for path in wanted.paths if path != wanted.depfile]:
        raise UsageError(
            Finding("no output was asked for", hint=f"arena-codegen {inputs[0]} -o PLAN.h, or --json FILE")
        )
    if wanted.depfile is not None and wanted.header is None and wanted.stamp is None:
        raise UsageError(Finding("--depfile has no target", hint="give -o FILE.h or --stamp FILE too"))
    if wanted.section is not None:
        from arena_codegen.emit.header import check_section

        check_section(wanted.section)
    check_outputs(wanted.paths, inputs=inputs)


def prefix_of(given: str | None, model: str) -> str:
    """The C prefix: the user's, else one made from the model's file name. Raises UsageError."""
    return check_prefix(given) if given is not None else c_prefix(os.path.basename(model))


def render(layout: Layout, wanted: Outputs, inputs: list[str], besides: Beside, copy: bytes = b"") -> list[Artifact]:
    """Every artifact, whole, in the order in which it will be written: the stamp last.

    `besides` is for the page, `copy` for --metadata.
    """
    rows: tuple[tuple[str | None, Callable[[], bytes]], ...] = (
        (wanted.header, lambda: _header(layout, wanted)),
        (wanted.json, lambda: _json(layout)),
        (wanted.html, lambda: _html(layout, besides)),
        (wanted.svg, lambda: _svg(layout)),
        (wanted.metadata, lambda: copy),
        (wanted.depfile, lambda: _depfile(wanted, inputs)),
    )
    artifacts = [Artifact(path, make()) for path, make in rows if path is not None]
    return artifacts if wanted.stamp is None else [*artifacts, Artifact(wanted.stamp, b"", touch=True)]


def check_pictures(html: str | None, svg: str | None, models: list[str]) -> None:
    """Refuses pages and pictures that cannot be written, and those of several models. Raises UsageError."""
    paths = [path for path in (html, svg) if path is not None]
    if paths and len(models) > 1:
        what = f"{'--html' if html is not None else '--svg'} shows one model, not {len(models)}"
        raise UsageError(Finding(what, hint="give each model a run of its own"))
    check_outputs(paths, inputs=models)


def render_pictures(layout: Layout, html: str | None, svg: str | None, besides: Beside) -> list[Artifact]:
    """The page and the picture, as far as they are asked for."""
    page = [] if html is None else [Artifact(html, _html(layout, besides))]
    return page if svg is None else [*page, Artifact(svg, _svg(layout))]


def notes(wanted: Outputs) -> list[Finding]:
    """What the user should know about what was written."""
    if wanted.header is None or wanted.section is None:
        return []
    from arena_codegen.emit.header import section_note

    note = section_note(wanted.section)
    return [note] if note else []


def _header(layout: Layout, wanted: Outputs) -> bytes:
    from arena_codegen.emit.header import render_header

    return render_header(layout, prefix=wanted.prefix, section=wanted.section).encode()


def _json(layout: Layout) -> bytes:
    from arena_codegen.layout.json import layout_to_json

    return layout_to_json(layout).encode()


def _html(layout: Layout, besides: Beside) -> bytes:
    from arena_codegen.emit.html import render_page

    return render_page(layout, besides.peers, besides.advice).encode()


def _svg(layout: Layout) -> bytes:
    from arena_codegen.emit.svg import render_svg

    return render_svg(layout).encode()


def _depfile(wanted: Outputs, inputs: list[str]) -> bytes:
    from arena_codegen.emit.depfile import render_depfile

    target = wanted.stamp if wanted.stamp is not None else wanted.header
    return render_depfile(target or "", inputs)
