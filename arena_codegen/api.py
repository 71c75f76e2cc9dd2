"""F7. The Python API in two functions: a model in, a layout or a number out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arena_codegen.layout.types import Layout
from arena_codegen.options import PlanOptions, plan_options
from arena_codegen.pipeline import plan_layout


def plan_model(model: str | Path | bytes, *, options: PlanOptions | None = None, **wishes: Any) -> Layout:
    """The layout of a model: a path, or its bytes.

    `wishes` are the options of the command line by their names in `PlanOptions`, as loosely as there:
    `max_arena="48K"`, `keep=["conv1"]`, `pins={"input": 0}`. Raises the `ArenaError`s of the command line; their
    `exit_code` is its own.
    """
    from arena_codegen.model.reader import parse_model, read_model

    chosen = options if options is not None else plan_options(**wishes)
    if isinstance(model, bytes | bytearray | memoryview):
        return plan_layout(parse_model(bytes(model), "model.tflite", chosen.shapes), chosen)
    return plan_layout(read_model(model, shapes=chosen.shapes), chosen)


def peak_bytes(model: str | Path | bytes, **wishes: Any) -> int:
    """Bytes of arena that a model's plan needs: what an architecture search minimises. Options as in `plan_model`."""
    return plan_model(model, **wishes).peak
