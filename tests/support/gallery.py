"""Pictures of real models, with the numbers to them, as the README shows them."""

from __future__ import annotations

from arena_codegen.api import plan_model
from arena_codegen.emit.story import tell
from arena_codegen.emit.svg import render_svg
from arena_codegen.layout.types import Layout
from tests.support.prose import wrapped
from tests.support.real_models import real_model

SHOWN = ("keyword_spotting", "image_classification", "visual_wake_words", "keyword_spotting_on_off_v3")
"""Small ones and a large one; the first three are the networks of MLPerf Tiny."""


def gallery() -> dict[str, str]:
    """The files of the gallery by their names; skips where the models are not there."""
    layouts = {name: plan_model(real_model(name)) for name in SHOWN}
    files = {f"{name}.svg": render_svg(layout) for name, layout in layouts.items()}
    return {"README.md": _page(layouts), **files}


def _page(layouts: dict[str, Layout]) -> str:
    rows = [
        f"| [{name}](#{name}) | {len(row.operators)} | {len(row.buffers)} | {row.naive} | {row.greedy} | {row.peak} "
        f"| {row.lower_bound} |"
        for name, row in layouts.items()
    ]
    return wrapped(
        "\n".join(
            [
                "# Gallery",
                "",
                "Arenas of real models, planned without options. `make gallery` writes this page and its pictures;",
                "every number is the layout's. The worked example is [the door lock](../door_lock/README.md).",
                "",
                "| model | operators | buffers | naive | greedy (TFLM) | this plan | lower bound |",
                "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
                *rows,
                "",
                *(line for name, layout in layouts.items() for line in _section(name, layout)),
            ]
        )
    )


def _section(name: str, layout: Layout) -> list[str]:
    story = tell(layout)
    return [
        f"## {name}",
        "",
        f"**{story.decides}** decides. {story.proof} {story.why}",
        "",
        f"First step: {story.first} {story.then}".rstrip(),
        "",
        f"![The arena of {name} over time]({name}.svg)",
        "",
    ]
