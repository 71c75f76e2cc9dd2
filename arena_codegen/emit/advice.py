"""Steps that were tried, as text and as data.

F5. Every number is that of a plan that was made; nothing is said of what was not tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from textwrap import wrap
from typing import Any

from arena_codegen.emit.steps import steps
from arena_codegen.layout.advice import Advice
from arena_codegen.layout.types import Layout
from arena_codegen.text import counted, printable


def advice_lines(layout: Layout, advice: Sequence[Advice], width: int) -> list[str]:
    """What saves something, as `ranked` orders it, then what was tried in vain, in lines of at most `width`."""
    helping = [row for row in advice if row.saves > 0]
    digits = max([len(str(number)) for row in helping for number in (row.saves, row.peak)] + [5])
    lines = [f"{'saves':>{digits}}  {'head':>{digits}}  step"] if helping else [nothing_helps(layout)]
    indent = " " * (2 * digits + 4)
    for row in helping:
        first = f"{row.saves:>{digits}}  {row.peak:>{digits}}  "
        lines += wrap(printable(row.title), max(width, 50), initial_indent=first, subsequent_indent=indent)
        how = "; ".join(part for part in (row.how, row.why) if part)
        lines += wrap(printable(how), max(width, 50), initial_indent=f"{indent}  ", subsequent_indent=f"{indent}  ",
                      break_on_hyphens=False)  # fmt: skip
    vain = [row.title[:1].lower() + row.title[1:] for row in advice if row.saves <= 0]
    if vain:
        lines += ["", *_wrapped(f"tried, and saves nothing: {printable('; '.join(vain))}", width)]
    return lines


def question_lines(layout: Layout, answer: Advice, width: int) -> list[str]:
    """The answer to a what-if question."""
    change = f"{abs(answer.saves)} {'fewer' if answer.saves > 0 else 'more'}" if answer.saves else "as many as now"
    return _wrapped(f"{printable(answer.step)}: {counted(answer.peak, 'byte')} of head, {change}; {answer.why}", width)


def nothing_helps(layout: Layout) -> str:
    """`nothing helps: op 2 CONV_2D alone needs 55296 bytes`."""
    step = next((one for one in steps(layout) if one.scope == layout.peak_scope), None)
    if step is None or not layout.peak:
        return "nothing helps: no tensor needs memory"
    return f"nothing that was tried helps: {step.label} alone needs {counted(step.used, 'byte')}"


def advice_data(advice: Sequence[Advice]) -> list[dict[str, Any]]:
    """The steps as plain data."""
    return [asdict(row) for row in advice]


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(text, max(width, 50), subsequent_indent="  ", break_on_hyphens=False)
