"""Plan + Requests → Layout.

F4. Nothing is decided here but the size of the emitted buffer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from arena_codegen.errors import Finding, FitError, UsageError
from arena_codegen.layout.pins import sharing_at_peak
from arena_codegen.layout.static import constants, metadata, variables, weights
from arena_codegen.layout.types import (
    BufferRow,
    Layout,
    ModelInfo,
    OperatorRow,
    ShareRow,
    Tail,
    TensorRow,
    live_bytes,
    used_bytes,
)
from arena_codegen.model.types import Model
from arena_codegen.options import PlanOptions
from arena_codegen.planning.problem import Problem, align_up
from arena_codegen.planning.result import Plan
from arena_codegen.requests import Request, Requests
from arena_codegen.timeline import Timeline
from arena_codegen.version import VERSION


def lay_out(
    requests: Requests, problem: Problem, plan: Plan, peers: Mapping[str, int], tail: Tail | None = None
) -> Layout:
    """The layout of a judged plan.

    `peers` are the peaks of `naive`, `linear` and `greedy` on the same requests. Raises FitError where `--arena SIZE`
    is smaller than the plan, UsageError where it asks for a tail that is not known.
    """
    model, timeline = requests.model, requests.timeline
    buffers = _buffers(requests, plan)
    live, used = live_bytes(buffers, timeline.end), used_bytes(buffers, timeline.end)
    # of the tallest steps the first one in which an operator runs: people can change an operator
    peak_scope = max(used, key=lambda scope: (used[scope], scope > 0, -scope), default=0)
    step = timeline.steps[peak_scope] if peak_scope > 0 else None
    layout = Layout(
        tool=f"arena-codegen {VERSION}",
        model=_model_info(model),
        options=_shaping(requests.options),
        kernels=requests.kernels.version,
        profile=requests.kernels.profile,
        strategy=plan.strategy,
        alignment=problem.alignment,
        warnings=requests.warnings,
        peak=plan.peak,
        lower_bound=plan.lower_bound,
        refuted=plan.refuted,
        naive=peers["naive"],
        linear=peers["linear"],
        greedy=peers["greedy"],
        fragmentation=round((plan.peak - used[peak_scope]) / plan.peak, 6) if plan.peak else 0.0,
        peak_scope=peak_scope,
        peak_operator=_position(model, step) if step else None,
        peak_reason="",
        end_scope=timeline.end,
        steps=_steps(model, timeline),
        arena_bytes=_arena_bytes(requests, plan.peak, tail),
        tail=tail,
        constants=constants(model),
        weights=weights(model),
        metadata=metadata(model),
        variables=variables(model),
        unknown_scratch=requests.unknown_scratch,
        inputs=model.subgraphs[0].inputs,
        outputs=model.subgraphs[0].outputs,
        tensors=_tensors(model, timeline, buffers),
        buffers=buffers,
        operators=_operators(model, timeline, live),
    )
    return replace(layout, peak_reason=sharing_at_peak(layout, requests))


def _model_info(model: Model) -> ModelInfo:
    return ModelInfo(model.file, model.sha256, model.crc32, len(model.data), len(model.subgraphs), model.operators)


def _shaping(options: PlanOptions) -> dict[str, Any]:
    """What shapes the plan, by the names of the command line; wishes that nobody made are left out."""
    shaping: dict[str, Any] = {
        "strategy": options.strategy,
        "effort": options.effort,
        "kernels": options.kernels,
        "target": options.target,
        "align": options.align,
        "in_place": options.in_place,
        "overlap": options.overlap,
    }
    wishes: dict[str, Any] = {
        "keep": list(options.keep),
        "pin": [f"{tensor}@{offset}" for tensor, offset in options.pins],
        "segment": options.segment,
        "shape": [f"{tensor}={','.join(map(str, shape))}" for tensor, shape in options.shapes],
        "honor_plan": options.honor_plan,
        "requests": options.requests is not None,
        "arena": options.arena,
    }
    return shaping | {name: wish for name, wish in wishes.items() if wish}


def _buffers(requests: Requests, plan: Plan) -> tuple[BufferRow, ...]:
    shares: dict[int, list[ShareRow]] = {}
    for share in requests.shares:
        row = ShareRow(share.input, share.rule, share.distance, share.why)
        shares.setdefault(share.output, []).append(row)
    return tuple(
        BufferRow(
            index=index,
            kind=row.kind,
            subgraph=row.subgraph,
            tensor=row.tensor,
            operator=row.operator,
            name=row.name,
            role=row.role,
            dtype=row.dtype,
            shape=row.shape,
            bytes=row.bytes,
            size=row.size,
            first=row.first,
            last=row.last,
            offset=offset,
            shares=tuple(shares.get(index, ())),
            uses=_uses(requests.timeline, row),
        )
        for index, (row, offset) in enumerate(zip(requests.rows, plan.offsets, strict=True))
    )


def _uses(timeline: Timeline, row: Request) -> tuple[int, ...]:
    """When the references to a buffer end; scratch has none."""
    if row.tensor is None:
        return ()
    life, spans = timeline.lives[row.subgraph][row.tensor], timeline.spans[row.subgraph]
    return tuple(sorted([*(spans[reader].last for reader in life.readers), *([life.last] * life.is_output)]))


def _tensors(model: Model, timeline: Timeline, buffers: tuple[BufferRow, ...]) -> tuple[TensorRow, ...]:
    places = {(row.subgraph, row.tensor): row.index for row in buffers if row.tensor is not None}
    return tuple(
        TensorRow(
            subgraph=graph.index,
            tensor=tensor.index,
            name=tensor.name,
            dtype=tensor.dtype.name,
            shape=tensor.shape,
            role=life.role,
            bytes=len(tensor.data) if tensor.data is not None else tensor.bytes,
            producer=life.producer,
            readers=life.readers,
            buffer=places.get((graph.index, tensor.index)),
        )
        for graph in model.subgraphs
        for tensor, life in zip(graph.tensors, timeline.lives[graph.index], strict=True)
    )


def _operators(model: Model, timeline: Timeline, live: Mapping[int, int]) -> tuple[OperatorRow, ...]:
    return tuple(
        OperatorRow(
            index=operator.index,
            subgraph=graph.index,
            name=operator.name,
            scope=span.first,
            inputs=operator.inputs,
            outputs=operator.outputs,
            live=live.get(span.first, 0),
        )
        for graph in model.subgraphs
        for operator, span in zip(graph.operators, timeline.spans[graph.index], strict=True)
    )


def _position(model: Model, step: tuple[int, int]) -> int:
    """Where (subgraph, operator) stands in the list of all operators; its own index in the main graph."""
    subgraph, operator = step
    return sum(len(graph.operators) for graph in model.subgraphs[:subgraph]) + operator


def _steps(model: Model, timeline: Timeline) -> tuple[int, ...]:
    """The position of the operator that runs in each scope, −1 for none."""
    starts = [0]
    for graph in model.subgraphs:
        starts.append(starts[-1] + len(graph.operators))
    return tuple(-1 if step is None else starts[step[0]] + step[1] for step in timeline.steps)


def _arena_bytes(requests: Requests, peak: int, tail: Tail | None) -> int:
    """Bytes of the emitted buffer, as `--arena` says; at least one, since C has no empty array."""
    wish = requests.options.arena
    if wish == "tflm" and tail is None:
        why = f"TFLM's tail is not known with --kernels {requests.options.kernels}"
        raise UsageError(Finding(f"--arena tflm: {why}", requests.model.file, "use --arena plan, or --arena SIZE"))
    if isinstance(wish, int):
        if wish < peak:
            what = f"--arena {wish}: the plan alone needs {peak} bytes"
            raise FitError(Finding(what, requests.model.file, f"give at least {peak} bytes"))
        return max(wish, 1)
    if wish == "plan" or tail is None:
        return max(peak, 1)
    return max(align_up(tail.min_arena, 16), 1)
