"""Why the arena is as big as it is, in three sentences: who decides, why, and what to do first.

F5. Every number is the layout's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena_codegen.emit.steps import Step, steps
from arena_codegen.layout.advice import Advice, ranked
from arena_codegen.layout.types import BufferRow, Layout
from arena_codegen.layout.words import deciding_pin, numbered
from arena_codegen.names import shorten
from arena_codegen.text import counted, printable

KINDS = ("reads", "writes", "scratch", "waits")
SOURCE = re.compile(r" \([^()]*\.(?:c|h|cc)\b[^()]*\)")
LISTED = 5
"""So many runs of steps are named before the rest is counted."""


@dataclass(frozen=True, slots=True)
class Part:
    """A buffer that is alive at the peak: of which kind, and why it cannot be elsewhere."""

    row: BufferRow
    kind: str
    why: str


@dataclass(frozen=True, slots=True)
class Story:
    """Who decides and how small a plan could be at all; why; the step to take first, and how far it can get."""

    decides: str
    proof: str
    why: str
    first: str
    then: str
    parts: tuple[Part, ...]


def tell(layout: Layout, advice: Sequence[Advice] = ()) -> Story:
    """The story of a layout; `advice` are steps that were tried, best first, where any were."""
    if not layout.peak:
        nothing = "No tensor of this model needs memory in the arena."
        return Story("nothing", "", nothing, "There is nothing to do.", "", ())
    timeline = {step.scope: step for step in steps(layout)}
    peak = timeline[layout.peak_scope]
    parts = _parts(layout, peak, timeline)
    level = [step for step in timeline.values() if step.used == peak.used]
    if (pin := deciding_pin(layout)) is not None:
        why = f"Its buffer ends at {pin[1]} bytes. The tallest step, {peak.label}, has no more than {peak.used} in use."
        return Story(printable(pin[0]), _proof(layout), why, "Pin it to a lower offset.", "", parts)
    why = _why(peak, parts, level) + _sharing(layout)
    then = "" if _goes_further(peak, level, timeline, advice) else _then(layout, peak, level, timeline)
    return Story(peak.label, _proof(layout), why, _first(layout, peak, parts, advice), then, parts)


def called(row: BufferRow, limit: int = 60) -> str:
    """A buffer in a sentence, fit for one line: `tensor 22 conv/Relu`.

    Of the names that a converter joined with semicolons when it fused operators, the first; long ones lose their
    middle.
    """
    name = shorten(printable(row.name.partition(";")[0]), limit)
    return name if row.tensor is None else f"tensor {numbered(row.subgraph, row.tensor)} {name}".rstrip()


def _parts(layout: Layout, peak: Step, timeline: Mapping[int, Step]) -> tuple[Part, ...]:
    alive = sorted(layout.alive(peak.scope), key=lambda row: (-row.size, row.index))
    return tuple(_part(row, peak, timeline) for row in alive)


def _part(row: BufferRow, peak: Step, timeline: Mapping[int, Step]) -> Part:
    operator = peak.operator
    later = [timeline[use].label for use in row.uses if use > peak.scope and use in timeline]
    also = f", and {later[0]} later" if later else ""
    if operator is not None and row.subgraph == operator.subgraph:
        if row.tensor is None and row.operator == operator.index:
            return Part(row, "scratch", f"the kernel of {peak.label} works in it")
        if row.tensor is not None and row.tensor in operator.inputs:
            return Part(row, "reads", f"{peak.label} reads it{also}")
        if row.tensor is not None and row.tensor in operator.outputs:
            return Part(row, "writes", f"{peak.label} writes it{also}")
    if row.first < 0:
        return Part(row, "waits", "no operator uses it, yet TFLM allocates it")
    if later:
        return Part(row, "waits", f"{later[0]} reads it later")
    if row.role == "output":
        return Part(row, "waits", "an output: whole until the end")
    return Part(row, "waits", f"alive until {timeline[row.last].label}")


def _proof(layout: Layout) -> str:
    if layout.optimal and layout.refuted:
        return "No plan of these buffers can be smaller: a search has refuted every smaller size."
    if layout.optimal:
        return "No plan of these buffers can be smaller: that is proven."
    gap = layout.peak - layout.lower_bound
    return f"A plan may be up to {counted(gap, 'byte')} smaller: {layout.lower_bound} is the proven bound."


def _sum(parts: Sequence[Part], kind: str) -> int:
    return sum(part.row.size for part in parts if part.kind == kind)


def _why(peak: Step, parts: Sequence[Part], level: Sequence[Step]) -> str:
    words = {
        "reads": "{} that it reads", "writes": "{} that it writes", "scratch": "{} of scratch for its kernel",
        "waits": "{} that wait for later operators",
    }  # fmt: skip
    if peak.operator is None:
        words["waits"] = "{} that wait for their operators" if peak.scope >= 0 else "{} that no operator uses"
    groups = [words[kind].format(counted(_sum(parts, kind), "byte")) for kind in KINDS if _sum(parts, kind)]
    together = " and ".join([", ".join(groups[:-1]), groups[-1]] if len(groups) > 1 else groups)
    text = f"While it runs, {together} must be there at the same time."
    if peak.operator is None:
        text = f"There, {together} must be there at the same time."
    if peak.alive > peak.used:
        text += f" Buffers share {counted(peak.alive - peak.used, 'byte')} of these {peak.alive}."
    if len(level) > 1:
        text += f" {len(level)} steps are equally tall: {_listed(level)}."
    return text


def _sharing(layout: Layout) -> str:
    """Why the output does not lie on the input, without the kernel's source, which `inspect` names."""
    reason = SOURCE.sub("", printable(layout.peak_reason))
    return f" Sharing: {reason}." if reason else ""


def _listed(level: Sequence[Step]) -> str:
    """Steps by their labels; those that follow each other as one."""
    runs: list[list[Step]] = []
    for step in level:
        if runs and runs[-1][-1].scope == step.scope - 1:
            runs[-1].append(step)
        else:
            runs.append([step])
    names = [run[0].label + (f" to {run[-1].label}" if len(run) > 1 else "") for run in runs[:LISTED]]
    more = sum(map(len, runs[LISTED:]))
    return ", ".join(names) + (f" and {more} more" if more else "")


def _then(layout: Layout, peak: Step, level: Sequence[Step], timeline: Mapping[int, Step]) -> str:
    """How far it can get, before another step decides."""
    others = [step for step in timeline.values() if step.used < peak.used]
    following = max(others, key=lambda step: (step.used, -step.scope), default=None)
    limit = ""
    if following is not None:
        what = counted(peak.used - following.used, "byte")
        limit = f"At {following.used} bytes {following.label} takes over: at most {what} can be saved before."
    if len(level) == 1:
        return limit
    always = [row for row in layout.alive(peak.scope) if all(row.first <= step.scope <= row.last for step in level)]
    if always:
        largest = max(always, key=lambda row: (row.size, -row.index))
        which = "Both" if len(level) == 2 else f"All {len(level)}"
        return f"{which} of the tallest steps hold {called(largest)}. {limit}".rstrip()
    return f"One of the {len(level)} alone saves nothing: the others need {peak.used} bytes too."


def _goes_further(
    peak: Step, level: Sequence[Step], timeline: Mapping[int, Step], advice: Sequence[Advice]
) -> bool:
    """Does the step that is advised make other steps smaller too, so that these are no limit to it?"""
    saves = ranked(advice)[0].saves if advice else 0
    following = max((step.used for step in timeline.values() if step.used < peak.used), default=0)
    return saves > 0 and (len(level) > 1 or saves > peak.used - following)


def _first(layout: Layout, peak: Step, parts: Sequence[Part], advice: Sequence[Advice]) -> str:
    if advice:
        best = ranked(advice)[0]
        if best.saves > 0:
            return f"{printable(best.title)}: {best.peak} bytes, which saves {best.saves}."
        return f"Nothing that was tried helps: {peak.label} alone needs {peak.used} bytes."
    if not layout.optimal and layout.strategy in ("greedy", "linear", "naive"):
        return f"Plan with --strategy best: the bound is {layout.lower_bound} bytes, this plan takes {layout.peak}."
    return _known(peak, parts) or _largest(layout, peak, parts)


def _known(peak: Step, parts: Sequence[Part]) -> str | None:
    """What is usual for some operators."""
    name = peak.operator.name if peak.operator is not None else ""
    reads = next((part.row for part in parts if part.kind == "reads"), None)
    writes = next((part.row for part in parts if part.kind == "writes"), None)
    if name == "QUANTIZE" and reads is not None and reads.role == "input" and reads.dtype == "FLOAT32":
        return f"Convert the model with integer inputs: {called(reads)} ({reads.size} bytes of float) then goes."
    if name == "DEQUANTIZE" and writes is not None and writes.role == "output":
        return f"Convert the model with integer outputs: {called(writes)} ({writes.size} bytes of float) then goes."
    if name in ("PAD", "PADV2") and writes is not None:
        return f"Fold {peak.label} into the convolution behind it: {called(writes)} ({writes.size} bytes) then goes."
    return None


def _largest(layout: Layout, peak: Step, parts: Sequence[Part]) -> str:
    """What can be done about the kind of buffers that has most bytes; large ones come first in `parts`."""
    kind = max(KINDS, key=lambda kind: _sum(parts, kind))
    row = next(part.row for part in parts if part.kind == kind)
    what = f"{called(row)} ({counted(row.size, 'byte')})"
    if row.first < 0:
        return f"Remove {what} from the model: no operator uses it, yet TFLM allocates it."
    if kind == "scratch":
        return f"The kernel's scratch is most of it: compare --kernels reference, or shrink the window of {peak.label}."
    if kind == "waits":
        why = next(part.why for part in parts if part.row is row)
        return f"Free {what} earlier: {why}. Bring reader and writer closer, or make it smaller."
    if row.dtype == "FLOAT32":
        return f"Quantise the model to int8: {what} of float at {peak.label} become a quarter."
    return (
        f"Make what {peak.label} {kind} smaller, {what} first: "
        "fewer channels there, or a larger stride or lower resolution before it."
    )
