"""F1. `.tflite` bytes → `Model`, or a `ModelError` that lists all that is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from arena_codegen.errors import Finding, ModelError
from arena_codegen.model.calls import check_arguments, check_calls
from arena_codegen.model.checks import check_indices, check_order, check_outputs, check_signatures, check_sizes
from arena_codegen.model.decode import decode
from arena_codegen.model.faults import Faults
from arena_codegen.model.formats import foreign
from arena_codegen.model.shapes import settle, wished_shapes
from arena_codegen.model.types import Model

Shape = tuple[int, ...]
Wishes = Mapping[str, Shape] | Iterable[tuple[str, Shape]]


def read_model(path: str | Path, shapes: Wishes = ()) -> Model:
    """The model in a file, as `parse_model` gives it. Raises `ModelError` also where the file cannot be read."""
    path = Path(path)
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        hint = _nearby(path) if isinstance(error, FileNotFoundError) else ""
        raise ModelError(Finding(f"model cannot be read: {reason}", str(path), hint)) from error
    return parse_model(data, path.name, shapes)


def _nearby(path: Path) -> str:
    """Which file may have been meant: the most alike of the models in its folder, or the only one."""
    if not path.parent.is_dir():
        return f"there is no folder {path.parent}"
    models = sorted(file.stem for file in path.parent.glob("*.tflite"))
    close = get_close_matches(path.stem, models, 1) or (models if len(models) == 1 else [])
    return f"did you mean {path.parent / f'{close[0]}.tflite'}?" if close else ""


def parse_model(data: bytes, file: str, shapes: Wishes = ()) -> Model:
    """The model in these bytes; `file` is what messages call it.

    `shapes`, a mapping or pairs of TENSOR and dimensions, fix what the file leaves open. Whatever the bytes are, the
    result is a model that the other stages can trust, or a `ModelError`; wishes that do not fit are a `UsageError`.
    """
    faults = Faults(file)
    if problem := foreign(data):
        faults.add(problem[0], hint=problem[1])
        faults.stop_if_any()
    decoded = decode(data, file, faults)
    model = decoded.model
    before = len(faults)
    for graph in model.subgraphs:
        check_indices(model, graph, faults)
    sound = decoded.complete and len(faults) == before
    if sound:
        check_signatures(model, faults)
    finite = sound and check_calls(model, faults)
    wishes = wished_shapes(model, shapes.items() if isinstance(shapes, Mapping) else shapes) if not faults else {}
    model = settle(model, wishes, faults, follow_calls=finite)
    for graph in model.subgraphs:
        check_sizes(model, graph, faults)
        check_order(model, graph, faults)
        check_outputs(model, graph, faults)
    if finite:
        check_arguments(model, faults)
    faults.stop_if_any()
    return replace(model, warnings=tuple(faults.warnings))
