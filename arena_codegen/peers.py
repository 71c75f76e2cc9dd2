"""Layouts of the same model by other strategies: what a page sets beside a plan.

F7. By running the pipeline again; strategies without a search take no time to speak of.
"""

from __future__ import annotations

from dataclasses import replace

from arena_codegen.layout.types import Layout
from arena_codegen.model.types import Model
from arena_codegen.options import PlanOptions
from arena_codegen.pipeline import plan_layout

COMPARED = ("greedy", "naive")
"""TFLM's own strategy, and the one that uses no byte twice."""


def plan_peers(model: Model, options: PlanOptions) -> dict[str, Layout]:
    """Layouts of the compared strategies under the same wishes; the size of the emitted buffer is none of them."""
    free = replace(options, arena=None, max_arena=None)
    return {name: plan_layout(model, replace(free, strategy=name)) for name in COMPARED if name != options.strategy}
