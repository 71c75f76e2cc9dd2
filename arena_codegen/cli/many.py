"""F8. Many files: on all cores, with a progress bar on a terminal, and each with its own errors."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

import typer

from arena_codegen.cli import console
from arena_codegen.cli.models import as_given
from arena_codegen.cli.searching import searching
from arena_codegen.errors import ArenaError, Finding, ToolError

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Value]):
    """What became of one file: a value, or the error that it ended with (an exception class and its findings)."""

    path: str
    value: Value | None = None
    error: type[ArenaError] = ArenaError
    findings: tuple[Finding, ...] = ()


def each(work: Callable[[str], Value], paths: Sequence[str], label: str) -> list[Outcome[Value]]:
    """`work` done for every path, in the order of the paths. `work` must be picklable, as its values must be.

    One that fails with an ArenaError stops no other. Raises ToolError where the system ends a process of ours.
    """
    if len(paths) == 1:
        with searching():
            return [_attempt(work, paths[0])]
    workers = min(_cores(), len(paths))
    with _progress(len(paths), label) as advance:
        pool = _pool(workers) if workers > 1 else None
        if pool is None:
            return [_done(work, path, advance) for path in paths]
        return _in_pool(pool, work, paths, advance)


def raise_failed(outcomes: Sequence[Outcome[Value]]) -> None:
    """Raises all that went wrong as one error, of the kind of the first; nothing where all went well."""
    failed = [outcome for outcome in outcomes if outcome.findings]
    if failed:
        raise failed[0].error(finding for outcome in failed for finding in outcome.findings)


def _attempt(work: Callable[[str], Value], path: str) -> Outcome[Value]:
    try:
        with as_given(path):
            return Outcome(path, work(path))
    except ArenaError as error:
        return Outcome(path, None, type(error), error.findings or (Finding("failed", path),))


def _done(work: Callable[[str], Value], path: str, advance: Callable[[], None]) -> Outcome[Value]:
    outcome = _attempt(work, path)
    advance()
    return outcome


def _in_pool(
    pool: ProcessPoolExecutor, work: Callable[[str], Value], paths: Sequence[str], advance: Callable[[], None]
) -> list[Outcome[Value]]:
    try:
        futures: list[Future[Outcome[Value]]] = [pool.submit(_attempt, work, path) for path in paths]
        for _ in as_completed(futures):
            advance()
        return [future.result() for future in futures]
    except BrokenProcessPool as error:
        hint = "memory may have run out; give fewer models at once"
        raise ToolError(Finding("the system ended a process of arena-codegen", hint=hint)) from error
    except BaseException:
        for process in multiprocessing.active_children():
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _pool(workers: int) -> ProcessPoolExecutor | None:
    """Processes to share the work; None on systems that have no semaphores for them."""
    try:
        return ProcessPoolExecutor(workers, initializer=_leave_signals_to_the_parent)
    except (ImportError, NotImplementedError, OSError):
        return None


def _leave_signals_to_the_parent() -> None:
    """Ctrl-C reaches every process of a terminal; the parent answers it, and ends the others by SIGTERM."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)


@contextmanager
def _progress(length: int, label: str) -> Iterator[Callable[[], None]]:
    """A bar on standard error, where that is a terminal and there is something to wait for."""
    if length < 2 or not console.moves(sys.stderr):
        yield lambda: None
        return
    with typer.progressbar(length=length, label=label, file=sys.stderr) as bar:
        yield lambda: bar.update(1)
