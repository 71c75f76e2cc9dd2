"""What keeps a plan from needing less: the operator of the peak's step, and why its output cannot take over its input.

F4. The kernel library says what an operator permits, the layout what came of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena_codegen.layout.types import BufferRow, Layout, OperatorRow, ShareRow, used_bytes
from arena_codegen.layout.words import deciding_pin, numbered
from arena_codegen.names import shorten
from arena_codegen.requests import Requests
from arena_codegen.text import counted, printable

WINDOWED = ("CONV_2D", "DEPTHWISE_CONV_2D", "TRANSPOSE_CONV")
"""Operators whose second input is a filter with its height and width in the middle."""

NAME_LENGTH = 40


@dataclass(frozen=True, slots=True)
class Pin:
    """The operator of the peak's step, and in one line what holds the peak there; both are fit for a report."""

    operator: str
    why: str


def pinned_by(layout: Layout, requests: Requests) -> Pin:
    """What decides the peak of a layout that was made from these requests.

    Of several steps that are equally tall, the first one in which nothing more can be shared, and an operator runs.
    """
    if not layout.peak:
        return Pin("no operator", "nothing needs memory")
    used = used_bytes(layout.buffers, layout.end_scope)
    highest = used[layout.peak_scope]
    tallest = [scope for scope, height in used.items() if height == highest]
    found = None
    for scope in sorted(tallest, key=lambda scope: (scope <= 0, scope)):
        found, avoidable = _pin(layout, requests, scope)
        if not avoidable:
            break
    assert found is not None
    if (pin := deciding_pin(layout)) is not None:
        return Pin(pin[0], f"its buffer ends at {pin[1]}; no step has more than {counted(highest, 'byte')} in use")
    if layout.peak > highest:
        return Pin(found.operator, f"{found.why}; {counted(layout.peak - highest, 'byte')} unused there")
    return found


def _pin(layout: Layout, requests: Requests, scope: int) -> tuple[Pin, bool]:
    """What holds one step up, and whether more could be shared there."""
    alive = layout.alive(scope)
    position = layout.steps[scope] if scope >= 0 else -1
    if position < 0:
        where = "before the first operator" if scope >= 0 else "no operator"
        return Pin(where, f"{_bytes(alive)} alive there"), False
    operator = layout.operators[position]
    reads, writes, scratch, waits = _roles(alive, operator)
    kinds = ((reads, "read"), (writes, "written"), (scratch, "of scratch"), (waits, "kept for later"))
    amounts = ", ".join(f"{_bytes(rows)} {what}" for rows, what in kinds if rows)
    reasons, avoidable = _apart(layout, requests, operator, reads, writes)
    return Pin(operator_label(layout, operator), "; ".join(map(printable, [amounts, *reasons]))), avoidable


def sharing_at_peak(layout: Layout, requests: Requests) -> str:
    """Why what the peak's operator writes does not lie on what it reads, or how far it does; "" without an operator.

    Where --overlap would help there, but not in another step that is as tall, that one is named too.
    """
    if layout.peak_operator is None:
        return ""
    reasons = _reasons(layout, requests, layout.peak_scope)
    if reasons and _trails(requests, layout.operators[layout.peak_operator]):
        used = used_bytes(layout.buffers, layout.end_scope)
        for scope, height in used.items():
            if height != used[layout.peak_scope] or scope <= 0 or layout.steps[scope] < 0:
                continue
            operator = layout.operators[layout.steps[scope]]
            if (others := _reasons(layout, requests, scope)) and not _trails(requests, operator):
                reasons.append(f"not so in {operator_label(layout, operator)}: {others[0]}")
                break
    return "; ".join(map(printable, reasons))


def _reasons(layout: Layout, requests: Requests, scope: int) -> list[str]:
    operator = layout.operators[layout.steps[scope]]
    reads, writes, _, _ = _roles(layout.alive(scope), operator)
    return _apart(layout, requests, operator, reads, writes)[0]


def operator_label(layout: Layout, operator: OperatorRow) -> str:
    """`op 7 CONV_2D 1x1`: number, name, and the window of a convolution."""
    label = f"op {numbered(operator.subgraph, operator.index)} {printable(operator.name)}"
    if operator.name in WINDOWED and len(operator.inputs) > 1:
        wanted = (operator.subgraph, operator.inputs[1])
        shape = next((row.shape for row in layout.tensors if (row.subgraph, row.tensor) == wanted), ())
        return f"{label} {shape[1]}x{shape[2]}" if len(shape) == 4 else label
    return label


Rows = Sequence[BufferRow]


def _roles(alive: Rows, operator: OperatorRow) -> tuple[Rows, Rows, Rows, Rows]:
    """Who is alive, by what the operator does with it: reads, writes, works in, lets wait."""
    here = [row for row in alive if row.subgraph == operator.subgraph]
    reads = [row for row in here if row.tensor is not None and row.tensor in operator.inputs]
    writes = [row for row in here if row.tensor is not None and row.tensor in operator.outputs]
    scratch = [row for row in here if row.tensor is None and row.operator == operator.index]
    known = {row.index for row in (*reads, *writes, *scratch)}
    return reads, writes, scratch, [row for row in alive if row.index not in known]


def _bytes(rows: Rows) -> str:
    return counted(sum(row.size for row in rows), "byte")


def _apart(
    layout: Layout, requests: Requests, operator: OperatorRow, reads: Rows, writes: Rows
) -> tuple[list[str], bool]:
    """Why what the operator writes does not lie on what it reads, or how far it does; and whether it could."""
    if not reads or not writes:
        return [], False
    if not requests.options.shares:
        return ["nothing may share bytes"], False
    permitted = [(row, share) for row in writes for share in row.shares if share.index in {row.index for row in reads}]
    used = [_lies(row, layout.buffers[share.index], share) for row, share in permitted]
    if any(used):
        return [text for text in used if text], False
    if permitted:
        return ["output and input may share bytes, but need not here"], True
    return [_forbidden(requests, operator, reads)], False


def _lies(row: BufferRow, other: BufferRow, share: ShareRow) -> str:
    """Who lies on whom, and by which rule; "" where the two are disjoint."""
    if row.offset >= other.end or other.offset >= row.end:
        return ""
    least = f", {counted(share.distance, 'byte')} below it at least" if share.distance > 0 else ""
    return f"{_name(row)} lies on {_name(other)}{least}: {share.why}"


def _forbidden(requests: Requests, operator: OperatorRow, reads: Rows) -> str:
    """Why nothing may be shared: the kernel, an option, or who else needs the bytes."""
    graph = requests.model.subgraphs[operator.subgraph]
    kernel = requests.kernels.why_apart(graph, graph.operators[operator.index])
    if kernel:
        return f"{kernel}; input and output cannot share"
    if why := _trails(requests, operator):
        return f"its output may trail its input with --overlap: {why}"
    later = [_name(row) for row in reads if row.last > operator.scope]
    if later:
        return f"its output may not take over {', '.join(later)}: needed later too"
    return "its output may not take over its input here"


def _trails(requests: Requests, operator: OperatorRow) -> str:
    """Why the output could trail the input with --overlap, which was not given; "" where it could not."""
    graph = requests.model.subgraphs[operator.subgraph]
    rules = requests.kernels.shares(graph, graph.operators[operator.index])
    open_ = not requests.options.overlap and rules and all(rule.kind == "overlap" for rule in rules)
    return rules[0].why if open_ else ""


def _name(row: BufferRow) -> str:
    name = shorten(printable(row.name.partition(";")[0]), NAME_LENGTH)
    return f"tensor {numbered(row.subgraph, row.tensor)} {name}".rstrip()
