"""F7. The Python API in two functions: a model in, a layout or a number out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arena_codegen.layout.types import Layout
from arena_codegen.model.types import Model
from arena_codegen.options import PlanOptions, plan_options
from arena_codegen.pipeline import plan_layout, plan_peak


def plan_model(model: str | Path | bytes, *, options: PlanOptions | None = None, **wishes: Any) -> Layout:
    """The layout of a model: a path, or its bytes.

    `wishes` are the options of the command line by their names in `PlanOptions`, as loosely as there:
    `max_arena="48K"`, `keep=["conv1"]`, `pins={"input": 0}`. Raises the `ArenaError`s of the command line; their
    `exit_code` is its own.
    """
    chosen = options if options is not None else plan_options(**wishes)
    return plan_layout(_read(model, chosen), chosen)


def peak_bytes(model: str | Path | bytes, *, options: PlanOptions | None = None, **wishes: Any) -> int:
    """Bytes of arena that a model's plan needs: what an architecture search minimises. Options as in `plan_model`."""
    chosen = options if options is not None else plan_options(**wishes)
    return plan_peak(_read(model, chosen), chosen)


def _read(model: str | Path | bytes, options: PlanOptions) -> Model:
    from arena_codegen.model.reader import parse_model, read_model

    if isinstance(model, bytes | bytearray | memoryview):
        return parse_model(bytes(model), "model.tflite", options.shapes)
    return read_model(model, shapes=options.shapes)
