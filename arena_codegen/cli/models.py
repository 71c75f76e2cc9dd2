"""F8. Files that a command reads: one model, or several, and what a device printed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from arena_codegen.errors import Finding, ModelError, UsageError

LOG = "requests log"
"""What the stages call the text of `--requests`."""


def one_model(models: list[str] | None, usage: str = "arena-codegen MODEL.tflite -o PLAN.h") -> str:
    """The one model that was given; else a usage error that knows `usage`, and what people tend to mean."""
    models = models or []
    if not models:
        raise UsageError(
            Finding("no model was given", hint=f"{usage}; see arena-codegen --help")
        )
    if len(models) > 1:
        raise UsageError(Finding(f"one model at a time, not {len(models)}: {', '.join(models)}", hint=_meant(models)))
    return models[0]


def some_models(models: list[str] | None, command: str) -> list[str]:
    """All models that were given, at least one; a folder stands for those inside. Raises ModelError where none is."""
    if not models:
        raise UsageError(Finding("no model was given", hint=f"arena-codegen {command} MODEL.tflite"))
    return [path for given in models for path in (_inside(given) if os.path.isdir(given) else [given])]


def refuse_file(models: Sequence[str] | None, command: str, **flags: bool) -> None:
    """Raises UsageError where the last of several models looks like the file for what a flag prints."""
    for flag, is_set in flags.items():
        if is_set and models and len(models) > 1 and models[-1].lower().endswith(f".{flag}"):
            hint = f"arena-codegen {command} {' '.join(models[:-1])} --{flag} > {models[-1]}"
            raise UsageError(Finding(f"{command} --{flag} writes to standard output", models[-1], hint))


def _inside(folder: str) -> list[str]:
    """Every `.tflite` file in a folder and in those below, sorted."""
    found = [
        os.path.join(place, name)
        for place, _, names in os.walk(folder)
        for name in names
        if name.lower().endswith(".tflite")
    ]
    if not found:
        raise ModelError(Finding("the folder has no .tflite file", folder))
    return sorted(found)


def short_names(paths: Sequence[str]) -> list[str]:
    """What to call each file: its base name, with as many folders as it takes to tell different files apart."""
    parts = [os.path.normpath(path).split(os.sep) for path in paths]
    names = []
    for mine in parts:
        others = [other for other in parts if other != mine]
        depth = next((n for n in range(1, len(mine)) if all(other[-n:] != mine[-n:] for other in others)), len(mine))
        names.append(os.sep.join(mine[-depth:]))
    return names


def read_requests(path: str | None) -> str | None:
    """The text of `--requests`; a serial log may hold bytes that are no text. Raises ModelError."""
    if path is None:
        return None
    try:
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            return file.read()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise ModelError(Finding(f"requests cannot be read: {why}", path)) from error


@contextmanager
def as_given(model: str | None, requests: str | None = None) -> Iterator[None]:
    """Faults of files are told with the paths that the user gave: the stages know base names only, or text."""
    try:
        yield
    except ModelError as error:
        paths = ({os.path.basename(model): model} if model else {}) | ({LOG: requests} if requests else {})
        raise ModelError([replace(found, where=_spelled(found.where, paths)) for found in error.findings]) from error


def _spelled(where: str, paths: Mapping[str, str]) -> str:
    file, sign, rest = where.partition(" · ")
    return f"{paths.get(file, file)}{sign}{rest}"


def _meant(models: list[str]) -> str:
    from difflib import get_close_matches

    from arena_codegen.cli.main import COMMANDS

    close = get_close_matches(models[0], COMMANDS, 1)
    return f"did you mean arena-codegen {close[0]} {models[1]}?" if close else "the header's name goes after -o"
