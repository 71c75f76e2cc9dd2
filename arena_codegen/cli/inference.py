"""F8. The second half of `verify`: a model is computed from its plan, and what came out is told."""

from __future__ import annotations

import json as encoder
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena_codegen.cli import console
from arena_codegen.errors import Finding, ModelError, VerdictError
from arena_codegen.text import counted, grid, printable
from arena_codegen.version import VERSION

if TYPE_CHECKING:
    from arena_codegen.inference import Network
    from arena_codegen.layout.types import GreedyTail, Layout
    from arena_codegen.model.types import Model
    from arena_codegen.verify import Verdict
    from arena_codegen.verify.cmsis import Sources
    from arena_codegen.verify.findings import Computed, Inference

SCHEMA = 1
WIDTH = 100
HEAD = ("op", "operator", "kernel", "instructions", "read", "written", "verdict")


def infer(
    model: Model, layout: Layout, pattern: Verdict, *, build_dir: Path | None, timeout: float | None, json: bool
) -> None:
    """Computes the model on the board and says what came out.

    Raises ModelError where operators have no kernel, ToolError where CMSIS-NN or TFLM is missing, VerdictError where a
    tensor is not what it must be.
    """
    from arena_codegen.inference import describe
    from arena_codegen.verify.cmsis import find_sources
    from arena_codegen.verify.golden import run_tflm
    from arena_codegen.verify.inference import TIMEOUT, run_inference

    network = describe(model)
    _refuse_missing(network)
    sources = find_sources()
    _progress(f"kernels: CMSIS-NN {sources.version}")
    _compare_versions(layout, sources)
    goldens = run_tflm(network)
    _progress(f"TFLM computed {counted(len(goldens), 'invocation')}; building the firmware")
    inference = run_inference(
        network, layout, goldens, sources, build_dir=build_dir, timeout=timeout or TIMEOUT, progress=_progress
    )
    if not inference.passed:
        raise VerdictError(inference.failures)
    tail = _tail(model)
    if json:
        console.say(encoder.dumps(_data(layout, network, pattern, inference, sources, tail), indent=2))
        return
    for line in _report(layout, network, inference, tail):
        console.say(printable(line))


def _progress(text: str) -> None:
    console.say(f"arena-codegen: {text}", sys.stderr)


def _refuse_missing(network: Network) -> None:
    """Raises ModelError with every operator that the firmware has no kernel for."""
    if not network.missing:
        return
    names = sorted({one.operator.name for one in network.missing})
    hint = f"the pattern check ran, and passed; nothing was computed for want of {', '.join(names)}"
    raise ModelError(
        Finding(
            f"the firmware has no kernel for {one.operator.name}" + (f": {one.why}" if one.why else ""),
            network.model.where(one.operator.subgraph, one.operator.index),
            hint,
        )
        for one in network.missing
    )


def _compare_versions(layout: Layout, sources: Sources) -> None:
    from arena_codegen.emit.network import KERNELS, TARGET
    from arena_codegen.kernels import library

    if layout.profile != library(sources.kernels or KERNELS, TARGET).profile:
        what = f"the plan is for {layout.kernels}: its scratch is not compared with CMSIS-NN {sources.version}"
        hint = f"--kernels {sources.kernels} plans for it" if sources.kernels else ""
        console.report("note", [Finding(what, hint=hint)])
    elif sources.kernels is None:
        what = f"no profile knows CMSIS-NN {sources.version}, which computes what was planned for {layout.kernels}"
        console.report("warning", [Finding(what, hint="the board asks it for its scratch sizes and compares them")])


def _tail(model: Model) -> GreedyTail | None:
    """What TFLM as shipped, with the CMSIS-NN that it pins, needs for the model."""
    from arena_codegen.options import PlanOptions
    from arena_codegen.pipeline import plan_layout

    tail = plan_layout(model, PlanOptions(strategy="greedy")).tail
    return None if tail is None else tail.greedy


def _report(layout: Layout, network: Network, inference: Inference, tail: GreedyTail | None) -> list[str]:
    """The table, what the network needs, and the verdict as the last line."""
    rows = [
        (_number(one), one.name, one.kernel, one.instructions, one.read, one.written, one.verdict)
        for one in inference.operators
    ]
    lines = grid(HEAD, rows, left=("operator", "kernel", "verdict"), elastic="operator", width=WIDTH)
    state = network.state_bytes
    lines += ["", f"{layout.peak} bytes of arena and {state} of state, {layout.peak + state} in all"]
    if tail is not None:
        head = tail.arena_used - tail.bytes
        lines[-1] += f"; TFLM as shipped: {head} of head and {tail.bytes} of tail, {tail.arena_used} in all"
    return [*lines, _last_line(layout, inference)]


def _number(operator: Computed) -> str:
    return f"{operator.subgraph}:{operator.index}" if operator.subgraph else str(operator.index)


def _last_line(layout: Layout, inference: Inference) -> str:
    facts = f"operators={len(inference.operators)} invocations={inference.invocations}"
    facts += f" instructions={inference.instructions} high-water={inference.used} planned={inference.planned}"
    return f"arena-codegen: {layout.model.file} {_word(inference)} on Cortex-M4: {facts}"


def _word(inference: Inference) -> str:
    return "bit-exact" if inference.worst == 0.0 else f"within tolerance ({inference.worst:.2g} of it)"


def _data(
    layout: Layout, network: Network, pattern: Verdict, inference: Inference, sources: Sources, tail: GreedyTail | None
) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "tool": f"arena-codegen {VERSION}",
        "model": {"file": layout.model.file, "sha256": layout.model.sha256},
        "kernels": layout.kernels,
        "cmsis_nn": sources.version,
        "verdict": "bit-exact" if inference.worst == 0.0 else "within tolerance",
        "worst": inference.worst,
        "invocations": inference.invocations,
        "checks": {"pattern": pattern.points, "inference": inference.points},
        "high_water": {"pattern": pattern.used, "inference": inference.used, "planned": inference.planned},
        "memory": {
            "arena": layout.peak,
            "state": network.state_bytes,
            "tflm_head": None if tail is None else tail.arena_used - tail.bytes,
            "tflm_tail": None if tail is None else tail.bytes,
        },
        "instructions": inference.instructions,
        "operators": [asdict(operator) for operator in inference.operators],
    }
