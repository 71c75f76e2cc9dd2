"""A layout that comes from a file → one of this model, whose numbers are for the board to judge.

F7. Names, types and shapes are taken from the model again, so that a file can bring nothing but numbers into the
generated C. An edited offset, size, peak or lifetime passes: that it is wrong is what the board is there to find.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from arena_codegen.errors import Finding, ModelError, UsageError
from arena_codegen.layout import layout_from_json
from arena_codegen.layout.types import BufferRow, Layout, ShareRow
from arena_codegen.model.find import find_tensor
from arena_codegen.model.types import Model
from arena_codegen.options import ALIGNMENTS, PlanOptions, plan_options
from arena_codegen.pipeline import plan_layout

LARGEST = 2**31 - 1
SHAPING = ("align", "keep", "segment")
"""The options that say what a plan promised."""

FIXING = ("pin", "honor_plan")
"""The options that fix offsets, above which no plan can end: a bound may then be higher than the tallest step."""

PROFILES = ("NONE", "CMSIS_NN", "CMSIS_NN_4_0", "REFERENCE", "RECORDED")
"""The ARENA_KERNELS_… of arena_codegen/plan.h."""

AGAIN = "write it again with --json"


def load_layout(path: str | Path) -> Layout:
    """The layout in a JSON file. Raises ModelError where the file cannot be read or is no layout."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise ModelError(Finding(f"cannot be read: {why}", str(path), "--plan takes what --json wrote")) from error
    return layout_from_json(text, str(path))


def shapes_of(layout: Layout, file: str) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The `--shape` wishes that the layout was made with: the model is to be read with them. Raises ModelError."""
    try:
        return plan_options(shapes=layout.options.get("shape", ())).shapes
    except (UsageError, AttributeError, TypeError, ValueError) as error:
        raise ModelError(Finding("options.shape is not what --shape takes", file, AGAIN)) from error


def adopt(model: Model, layout: Layout, file: str) -> Layout:
    """The layout with everything but its numbers taken from the model.

    Raises ModelError where it was made for another model, or its rows are not the model's requests.
    """
    if layout.model.sha256 != model.sha256:
        what = f"the plan was made for another model: {layout.model.file}, SHA-256 {str(layout.model.sha256)[:16]}…"
        raise ModelError(Finding(what, file, f"{model.file} has {model.sha256[:16]}…; plan it again with --json"))
    ours = plan_layout(model, PlanOptions(strategy="naive", kernels="none", arena="plan"))
    faults = (
        list(_bad_options(model, layout)) + list(_bad_numbers(layout))
        or list(_bad_rows(model, layout))
        or list(_missing_rows(ours, layout))
    )
    if faults:
        raise ModelError([Finding(fault, file, AGAIN) for fault in faults])
    tensors = {(row.subgraph, row.tensor): row for row in ours.buffers}
    buffers = tuple(_adopted(row, tensors) for row in layout.buffers)
    places = {(row.subgraph, row.tensor): row.index for row in buffers if row.tensor is not None}
    return replace(
        layout,
        model=ours.model,
        options={name: layout.options[name] for name in SHAPING if name in layout.options},
        refuted=bool(layout.refuted) or any(layout.options.get(name) for name in FIXING),
        naive=ours.naive,
        linear=ours.linear,
        greedy=ours.greedy,
        fragmentation=0.0,
        peak_scope=ours.peak_scope,
        peak_operator=ours.peak_operator,
        peak_reason=ours.peak_reason,
        tail=None,
        constants=ours.constants,
        weights=ours.weights,
        metadata=ours.metadata,
        variables=ours.variables,
        arena_bytes=max(layout.peak, 1),
        warnings=(),
        unknown_scratch=(),
        end_scope=ours.end_scope,
        inputs=ours.inputs,
        outputs=ours.outputs,
        tensors=tuple(replace(row, buffer=places.get((row.subgraph, row.tensor))) for row in ours.tensors),
        operators=ours.operators,
        buffers=buffers,
    )


def _adopted(row: BufferRow, tensors: dict[tuple[int, int | None], BufferRow]) -> BufferRow:
    if row.tensor is None:
        return replace(row, name=str(row.name), role="scratch", dtype=None, shape=())
    known = tensors[row.subgraph, row.tensor]
    return replace(row, name=known.name, role=known.role, dtype=known.dtype, shape=known.shape)


def _bad_options(model: Model, layout: Layout) -> Iterator[str]:
    options = layout.options
    if not isinstance(options, dict) or not _is_alignment(options.get("align")):
        yield "options.align is no alignment"
        return
    if options.get("segment") not in (None, "io"):
        yield f"options.segment is {options['segment']!r}"
    kept = options.get("keep", ())
    if not isinstance(kept, list | tuple) or not all(isinstance(text, str) for text in kept):
        yield "options.keep is no list of tensors"
        return
    for text in kept:
        try:
            find_tensor(model, text)
        except UsageError as error:
            yield f"options.keep: {error.findings[0].what}"


def _bad_numbers(layout: Layout) -> Iterator[str]:
    """What must hold for the generated C to compile."""
    if layout.profile not in [f"ARENA_KERNELS_{name}" for name in PROFILES]:
        yield f"profile is {layout.profile!r}"
    if not _is_alignment(layout.alignment):
        yield f"alignment is {layout.alignment!r}"
    for name in ("peak", "lower_bound"):
        if not _is_count(getattr(layout, name)):
            yield f"{name} is {getattr(layout, name)!r}"
    for position, row in enumerate(layout.buffers):
        for name in ("offset", "bytes", "size"):
            if not _is_count(getattr(row, name)):
                yield f"buffers[{position}].{name} is {getattr(row, name)!r}"
        for name in ("first", "last"):
            if not _is_count(abs(getattr(row, name))):
                yield f"buffers[{position}].{name} is {getattr(row, name)!r}"


def _is_alignment(value: object) -> bool:
    return type(value) is int and value in ALIGNMENTS


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= LARGEST


def _bad_rows(model: Model, layout: Layout) -> Iterator[str]:
    seen: set[tuple[int, int]] = set()
    for position, row in enumerate(layout.buffers):
        where = f"buffers[{position}]"
        if row.index != position:
            yield f"{where}: its index is {row.index}"
        elif not _exists(model, row):
            yield f"{where}: the model has no such tensor or operator"
        elif not all(_is_share(share, row, layout) for share in row.shares):
            yield f"{where}: a share that makes no sense"
        elif row.tensor is not None:
            if (row.subgraph, row.tensor) in seen:
                yield f"{where}: tensor {row.subgraph}:{row.tensor} has two buffers"
            seen.add((row.subgraph, row.tensor))


def _exists(model: Model, row: BufferRow) -> bool:
    if not _is_count(row.subgraph) or row.subgraph >= len(model.subgraphs):
        return False
    graph = model.subgraphs[row.subgraph]
    if row.kind == "tensor" and row.operator is None:
        return _is_count(row.tensor) and row.tensor is not None and row.tensor < len(graph.tensors)
    if row.kind == "scratch" and row.tensor is None:
        return _is_count(row.operator) and row.operator is not None and row.operator < len(graph.operators)
    return False


def _is_share(share: ShareRow, row: BufferRow, layout: Layout) -> bool:
    is_pair = _is_count(share.index) and share.index < len(layout.buffers) and share.index != row.index
    return (
        is_pair
        and share.rule in ("in-place", "overlap")
        and type(share.distance) is int
        and _is_count(abs(share.distance))
    )


def _missing_rows(ours: Layout, layout: Layout) -> Iterator[str]:
    needed = {(row.subgraph, row.tensor) for row in ours.buffers}
    given = {(row.subgraph, row.tensor) for row in layout.buffers if row.tensor is not None}
    for subgraph, tensor in sorted(needed - given):
        yield f"no buffer for tensor {subgraph}:{tensor}"
    for subgraph, tensor in sorted(given - needed):
        yield f"a buffer for tensor {subgraph}:{tensor}, which takes no place in the arena"
