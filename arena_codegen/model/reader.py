"""F1. `.tflite` bytes → `Model`, or a `ModelError` that lists all that is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from arena_codegen.errors import Finding, ModelError
from arena_codegen.model.decode import decode
from arena_codegen.model.faults import Faults
from arena_codegen.model.types import Model


def read_model(path: str | Path, shapes: Mapping[str, tuple[int, ...]] | None = None) -> Model:
    """The model in a file; `shapes` as in `parse_model`. Raises `ModelError`."""
    path = Path(path)
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ModelError(Finding(f"model cannot be read: {reason}", str(path))) from error
    return parse_model(data, path.name, shapes)


def parse_model(data: bytes, file: str, shapes: Mapping[str, tuple[int, ...]] | None = None) -> Model:
    """The model in these bytes; `file` is what messages call it."""
    faults = Faults(file)
    decoded = decode(data, file, faults)
    faults.stop_if_any()
    return replace(decoded.model, warnings=tuple(faults.warnings))
