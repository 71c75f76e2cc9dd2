"""The comment that opens a generated header: what was planned, how it is used, the memory map, and what to know.

F5. Lines of safe ASCII for a block comment, each with the space that follows the ` *`; "" is an empty line. Base names
only, no path, no time, no host.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from arena_codegen.emit.buffer_list import map_lines, share_texts
from arena_codegen.emit.comment import fold
from arena_codegen.layout.types import Layout
from arena_codegen.layout.words import deciding_pin
from arena_codegen.names import shorten

KEY = 10
"""Columns of a fact's name."""

MOST_WARNINGS = 20


def banner_lines(layout: Layout, symbol: str, section: str | None = None) -> list[str]:
    """The lines between the head of the comment and its end."""
    return [
        "",
        *_facts(layout, symbol, section),
        "",
        *_usage(symbol),
        *_map(layout),
        *_shares(layout),
        *_warnings(layout),
    ]


def option_text(options: Mapping[str, Any]) -> str:
    """The options that shaped the plan, as the command line takes them."""
    words: list[str] = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if name in ("in_place", "overlap"):
            words.append(flag if value else f"--no-{flag[2:]}")
        elif name in ("requests", "metadata"):
            words.append(f"{flag} FILE")
        elif value is True:
            words.append(flag)
        elif isinstance(value, list | tuple):
            words += [f"{flag} {shlex.quote(str(item))}" for item in value]
        else:
            words.append(f"{flag} {shlex.quote(str(value))}")
    return " ".join(words)


def _facts(layout: Layout, symbol: str, section: str | None) -> list[str]:
    model = layout.model
    options = layout.options if section is None else {**layout.options, "section": section}
    facts = [
        ("model", f"{model.file}: {_count(model.bytes, 'byte')}, {_count(model.subgraphs, 'subgraph')}, "
                  f"{_count(model.operators, 'operator')}"),
        ("sha256", model.sha256),
        ("options", option_text(options)),
        ("kernels", layout.kernels),
        ("planned", _planned(layout)),
        ("decided by", _decided(layout)),
        ("other ways", f"greedy {layout.greedy}, linear {layout.linear}, naive {layout.naive} bytes"),
        ("emitted", f"{symbol}_arena has {_count(layout.arena_bytes, 'byte')}: {_emitted(layout)}"),
        ("state", _state(layout)),
        ("missing", _missing(layout)),
    ]  # fmt: skip
    return [line for key, text in facts if text for line in fold(text, KEY + 5, f"   {key}")]


def _planned(layout: Layout) -> str:
    what = f"{_count(layout.peak, 'byte')} by strategy {layout.strategy}"
    if layout.optimal and layout.refuted:
        return f"{what}: no plan is smaller, a search has refuted every smaller size"
    if layout.optimal:
        return f"{what}: the lower bound, no plan is smaller"
    return f"{what}; the lower bound is {layout.lower_bound}"


def _decided(layout: Layout) -> str:
    if not layout.buffers:
        return ""
    if (pin := deciding_pin(layout)) is not None:
        return f"{pin[0]}, which ends at {pin[1]}"
    alive = sum(row.size for row in layout.alive(layout.peak_scope))
    step = f"scope {layout.peak_scope}"
    if layout.peak_operator is not None:
        operator = layout.operators[layout.peak_operator]
        inside = f" of subgraph {operator.subgraph}" if operator.subgraph else ""
        step += f", op {operator.index} {shorten(operator.name, 40)}{inside}"
    shared = ", some of them in the same bytes" if alive > layout.peak else ""
    searched = "no step by itself; the tallest is " if layout.optimal and layout.refuted else ""
    return f"{searched}{step}: {_count(alive, 'byte')} are alive there{shared}"


def _emitted(layout: Layout) -> str:
    tail = layout.tail
    if layout.arena_bytes <= max(layout.peak, 1):
        return "the plan alone; TFLM's own structures, its tail, need memory besides"
    if tail is None:
        return f"the plan, and {layout.arena_bytes - layout.peak} for TFLM's tail, whose size is not known here"
    if layout.arena_bytes < tail.min_arena:
        return f"less than the {tail.min_arena} that TFLM needs to boot"
    spare = layout.arena_bytes - tail.min_arena
    return "the plan, TFLM's tail, and what booting needs" + (f"; {spare} to spare" if spare >= 16 else "")


def _state(layout: Layout) -> str:
    if not layout.variables.count:
        return ""
    return (
        f"{_count(layout.variables.count, 'variable')} of {_count(layout.variables.bytes, 'byte')}, "
        "outside of the plan: TFLM keeps them in its tail"
    )


def _missing(layout: Layout) -> str:
    if not layout.unknown_scratch:
        return ""
    names = ", ".join(shorten(name, 40) for name in layout.unknown_scratch)
    return f"the scratch of {names}: nobody knows it here, so it is not in this plan, which needs --requests"


def _usage(symbol: str) -> list[str]:
    macro = symbol.upper()
    define = (
        f"{symbol}_plan and {symbol}_arena may be used wherever this header is included, in C or C++. In exactly one "
        "file, write"
    )
    before = (
        f"before an include: that file then holds the two. {macro}_PLAN_NO_ARENA, defined there as well, leaves the "
        "arena to you; arena_plan_base_ok() checks a buffer of your own, arena_plan_matches() the model."
    )
    inputs = (
        "After its last reader the bytes of an input go to other buffers: fill every input before every invocation, or "
        f"plan with --keep TENSOR ({macro}_INPUTS_KEPT tells). Outputs are whole until the next invocation."
    )
    return [
        *fold(define, 1),
        "",
        f"     #define {macro}_PLAN_IMPLEMENTATION",
        "",
        *fold(before, 1),
        "",
        *fold(inputs, 1),
    ]


def _map(layout: Layout) -> list[str]:
    lines = map_lines(layout)
    if not lines:
        return ["", " Nothing needs memory: the plan is empty."]
    head = (
        "Memory map, in bytes from the start of the arena; sizes are raw, ends rounded up. A buffer is alive from its "
        "first scope to its last, both included: scope 0 is before the first operator, each operator opens one, each "
        "call of a subgraph one more; -1..N: alive from before the invocation to its end (--segment io); -1..-1: no "
        "operator uses it."
    )
    return ["", *fold(head, 1), "", *lines]


def _shares(layout: Layout) -> list[str]:
    texts = share_texts(layout)
    if not texts:
        return []
    head = f"Shared bytes (output over input), right for these kernels only: {layout.kernels}."
    return ["", *fold(head, 1), "", *(line for text in texts for line in fold(text, 5, "   -"))]


def _warnings(layout: Layout) -> list[str]:
    lines = []
    for finding in layout.warnings[:MOST_WARNINGS]:
        place = f"{finding.where}: " if finding.where else ""
        hint = f" ({finding.hint})" if finding.hint else ""
        lines += fold(shorten(f"{place}{finding.what}{hint}", 600), 5, "   -")
    if (more := len(layout.warnings) - MOST_WARNINGS) > 0:
        lines.append(f"   - and {more} more, which arena-codegen inspect names")
    return ["", " Warnings:", "", *lines] if lines else []


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
