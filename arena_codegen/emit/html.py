"""The page: everything about a plan in one file that needs nothing else, no network and no server.

F5. Text of the model is escaped by the templates and never reaches the script; the script reads the page's own tables.
A policy in the page allows this style and this script alone, by their hashes.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256

from arena_codegen.emit import page_tables as tables
from arena_codegen.emit.banner import option_text
from arena_codegen.emit.environment import render
from arena_codegen.emit.picture import roles
from arena_codegen.emit.story import tell
from arena_codegen.emit.views import main_view, peer_views
from arena_codegen.emit.words import kib
from arena_codegen.errors import Finding
from arena_codegen.layout.advice import Advice
from arena_codegen.layout.types import Layout
from arena_codegen.text import counted, printable


def render_page(layout: Layout, peers: Mapping[str, Layout] | None = None, advice: Sequence[Advice] = ()) -> str:
    """The page of a layout; equal values give equal bytes.

    `peers` are layouts of the same model by other strategies, drawn side by side; `advice` are steps that were tried.
    """
    style, script = render("html/page.css"), render("html/page.js")
    story = tell(layout, advice)
    model = layout.model
    searchable = (tables.buffer_table(layout), tables.step_table(layout), tables.other_table(layout))
    views = [main_view(layout), *peer_views(layout, peers or {})]
    return render(
        "html/page.html.j2",
        style=style,
        script=script,
        policy=f"default-src 'none'; base-uri 'none'; style-src {_hash(style)}; script-src {_hash(script)}",
        title=printable(model.file),
        tool=layout.tool,
        lead=_lead(layout),
        story=story,
        peak_table=tables.peak_table(story),
        view=views[0],
        peers=views[1:],
        roles=roles([layout]),
        shared=any(view.shared for view in views),
        strategies=tables.strategy_table(layout),
        advice=tables.advice_table(layout, advice) if advice else None,
        memory=tables.memory_tables(layout),
        searchable=[table for table in searchable if table.rows],
        warnings=[_finding(finding) for finding in sorted(layout.warnings, key=lambda finding: finding.is_note)],
        unknown=[printable(name) for name in layout.unknown_scratch],
        facts=_facts(layout),
    )


def _finding(finding: Finding) -> tuple[str, str, str, str]:
    """Kind, what, where, hint."""
    kind = "note" if finding.is_note else "warning"
    return kind, printable(finding.what), printable(finding.where), printable(finding.hint)


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _lead(layout: Layout) -> str:
    parts = [f"{kib(layout.peak)} of head planned for {counted(len(layout.buffers), 'buffer')}"]
    if layout.arena_bytes != max(layout.peak, 1):
        parts.append(f"{kib(layout.arena_bytes)} of arena" + (", with TFLM's tail" if layout.tail else ""))
    parts.append(f"{kib(layout.model.bytes)} of flash for the model")
    return "; ".join(parts) + "."


def _facts(layout: Layout) -> list[tuple[str, str]]:
    model = layout.model
    counts = (counted(model.subgraphs, "subgraph"), counted(model.operators, "operator"),
              counted(len(layout.tensors), "tensor"), counted(len(layout.buffers), "buffer"))  # fmt: skip
    return [
        ("model", f"{printable(model.file)}: {counted(model.bytes, 'byte')}, {', '.join(counts)}"),
        ("SHA-256", model.sha256),
        ("options", printable(option_text(layout.options))),
        ("kernels", printable(layout.kernels)),
        ("strategy", f"{layout.strategy}, {'optimal' if layout.optimal else 'not proven optimal'}"),
        ("alignment", counted(layout.alignment, "byte")),
        ("not used at the tallest step", f"{layout.fragmentation:.2%} of the planned bytes"),
        ("tool", layout.tool),
    ]
