"""F1. How users name tensors: an index `17`, `1:17` for subgraph 1, or the tensor's name."""

from __future__ import annotations

import difflib
import re

from arena_codegen.errors import Finding, UsageError
from arena_codegen.model.types import Model

_INDEX = re.compile(r"(?:(\d{1,9}):)?(\d{1,9})")


def find_tensor(model: Model, text: str) -> tuple[int, int]:
    """(subgraph, tensor) of the tensor that a user names.

    Raises UsageError for a name that no tensor has, for one that several have, for an index that does not exist, and
    for a text that is the name of one tensor and the index of another.
    """
    named = [
        (graph.index, tensor.index)
        for graph in model.subgraphs
        for tensor in graph.tensors
        if tensor.name == text and text
    ]
    counted = _counted(model, text)
    meant = sorted({*named, *([counted] if counted else [])})
    if len(meant) == 1:
        return meant[0]
    if meant:
        first = ", ".join(f"{subgraph}:{tensor}" for subgraph, tensor in meant[:4])
        raise UsageError(
            Finding(f"'{text}' can mean {len(meant)} tensors", model.file, f"name one by its index: {first}")
        )
    if match := _INDEX.fullmatch(text):
        raise UsageError(Finding(f"there is no tensor {text}", model.file, _extent(model, int(match[1] or 0))))
    raise UsageError(Finding(f"no tensor is called '{text}'", model.file, _close(model, text)))


def _counted(model: Model, text: str) -> tuple[int, int] | None:
    """The tensor whose index this is, if there is one."""
    match = _INDEX.fullmatch(text)
    if match is None:
        return None
    subgraph, tensor = int(match[1] or 0), int(match[2])
    exists = subgraph < len(model.subgraphs) and tensor < len(model.subgraphs[subgraph].tensors)
    return (subgraph, tensor) if exists else None


def _extent(model: Model, subgraph: int) -> str:
    if subgraph >= len(model.subgraphs):
        return f"the model has {len(model.subgraphs)} subgraph(s)"
    return f"subgraph {subgraph} has tensors 0 to {len(model.subgraphs[subgraph].tensors) - 1}"


def _close(model: Model, text: str) -> str:
    names = dict.fromkeys(tensor.name for graph in model.subgraphs for tensor in graph.tensors if tensor.name)
    close = difflib.get_close_matches(text, names, n=3, cutoff=0.5)
    return f"did you mean {' or '.join(repr(name) for name in close)}?" if close else "arena-codegen inspect lists them"
