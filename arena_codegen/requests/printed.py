"""F3. Requests for scratch buffers, as a device printed them; loaded with --requests only."""

from __future__ import annotations

from arena_codegen.errors import Finding, ModelError
from arena_codegen.kernels.recorded import Expected, read_log, scratch_of
from arena_codegen.model.types import Model
from arena_codegen.options import PlanOptions
from arena_codegen.planning.problem import align_up
from arena_codegen.requests.scratch import scratch_request
from arena_codegen.requests.types import TFLM_ALIGNMENT, Request, place_of
from arena_codegen.timeline import Timeline


def recorded_scratch(model: Model, timeline: Timeline, options: PlanOptions, tensors: list[Request]) -> list[Request]:
    """The scratch that a device printed after all tensors; each belongs to the operator of its first scope.

    Raises ModelError where the log is not one of this model: TFLM lets scratch live exactly as long as its operator.
    """
    expected = [_expected(model, timeline, row) for row in tensors]
    rows: list[Request] = []
    numbers: dict[tuple[int, int], int] = {}
    for record in scratch_of(read_log(options.requests or ""), expected):
        step = timeline.steps[record.first] if 0 <= record.first <= record.last <= timeline.end else None
        if step is None:
            what = f"{record.size} bytes of scratch in scopes {record.first}..{record.last}, where no operator runs"
            raise ModelError(Finding(what, f"requests log · line {record.line}", "is it the log of this model?"))
        operator, span = model.subgraphs[step[0]].operators[step[1]], timeline.spans[step[0]][step[1]]
        if (record.first, record.last) != (span.first, span.last):
            what = f"scratch lives in scopes {record.first}..{record.last}, its operator in {span.first}..{span.last}"
            where = f"requests log · line {record.line} · {model.where(step[0], step[1])}"
            raise ModelError(Finding(what, where, "is it the log of this model?"))
        if numbers and step < max(numbers):
            what = f"scratch of {operator.label} follows that of a later operator, which TFLM prepares after it"
            where = f"requests log · line {record.line} · {model.where(step[0], step[1])}"
            raise ModelError(Finding(what, where, "is it the log of this model?"))
        number = numbers[step] = numbers.get(step, -1) + 1
        rows.append(scratch_request(operator, number, record.size, record.first, record.last, options))
    return rows


def _expected(model: Model, timeline: Timeline, row: Request) -> Expected:
    """A tensor as TFLM asks for it: of state with an offset, TFLM counts no more than the scopes that use it."""
    assert row.tensor is not None
    life = timeline.lives[row.subgraph][row.tensor]
    return Expected(align_up(row.bytes, TFLM_ALIGNMENT), life.first, life.last, place_of(model, row))
