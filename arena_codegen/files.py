"""The one writer: artifacts to disk, each whole or not at all, and only where bytes change.

F0. Every artifact is written to a temporary file beside its target first; then, when all of them are whole, each is
renamed into its place. A build tool that looks at modification times sees exactly the files whose bytes changed.
"""

from __future__ import annotations

import os
import signal
import stat
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType

from arena_codegen.errors import Finding, UsageError

_ENDINGS = ("SIGINT", "SIGTERM", "SIGHUP")


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file to be: its path as the user gave it, and its bytes. `touch` renews its time even where these are equal."""

    path: str
    data: bytes
    touch: bool = False


@dataclass(slots=True)
class _Job:
    """One artifact on its way: the real file behind symbolic links, what was there before, and the temporary file."""

    artifact: Artifact
    target: str
    before: bytes | None = None
    times: tuple[int, int] = (0, 0)
    mode: int | None = None
    temporary: str = ""

    @property
    def changes(self) -> bool:
        return self.before != self.artifact.data


def write_artifacts(artifacts: Sequence[Artifact], inputs: Sequence[str] = ()) -> tuple[str, ...]:
    """Writes all artifacts or none; gives the paths whose bytes changed.

    A symbolic link is followed; a missing directory is an error, as it is for a compiler. Devices and pipes are written
    straight. `inputs` are files that were read: none of them may be written over. Raises UsageError with every path
    that cannot be written and why; then, and on an interrupt, every file is as it was before, and no temporary file is
    left.
    """
    check_outputs([artifact.path for artifact in artifacts], inputs)
    jobs: list[_Job] = []
    try:
        for artifact in artifacts:
            with _blamed(artifact.path):
                if not _is_stream(artifact.path):
                    jobs.append(job := _Job(artifact, os.path.realpath(artifact.path)))
                    _look(job)
                    _prepare(job)
        for artifact in artifacts:
            with _blamed(artifact.path):
                if _is_stream(artifact.path):
                    _pour(artifact)
        with _undisturbed():
            _commit(jobs)
    finally:
        for job in jobs:
            if job.temporary:
                with suppress(OSError):
                    os.unlink(job.temporary)
    return tuple(job.artifact.path for job in jobs if job.changes)


def check_outputs(paths: Sequence[str], inputs: Sequence[str] = ()) -> None:
    """Raises UsageError where a path can be seen not to be writable, names one twice, or would overwrite an input."""
    faults = [fault for path in paths for fault in _faults(path, inputs)]
    seen: dict[str, str] = {}
    for path in paths:
        if not path or "\0" in path or _is_stream(path):
            continue
        real = os.path.realpath(path)
        if real in seen:
            faults.append(Finding("two outputs are the same file", path, "give each its own name"))
        seen[real] = path
    if faults:
        raise UsageError(faults)


def _faults(path: str, inputs: Sequence[str]) -> Iterator[Finding]:
    if not path or "\0" in path:
        yield Finding(f"{path!r} is not a file name")
    elif path == "-":
        yield Finding("standard output is for the result line, not for a file", path, "a file called - is written ./-")
    elif os.path.isdir(path) or path.endswith(("/", os.sep)):
        yield Finding("cannot be written: it is a directory", path, f"name a file in it, such as {_inside(path)}")
    elif not os.path.isdir(folder := os.path.dirname(os.path.realpath(path))):
        hint = f"mkdir -p {os.path.dirname(path)}" if os.path.dirname(path) else ""
        what = "its directory is not one" if os.path.exists(folder) else "its directory does not exist"
        yield Finding(f"cannot be written: {what}", path, hint if not os.path.exists(folder) else "")
    else:
        for read in inputs:
            with suppress(OSError):
                if os.path.samefile(path, read):
                    yield Finding(f"would overwrite what is read: {read}", path, "give the output another name")


def _inside(path: str) -> str:
    return os.path.join(path, "plan.h")


def _is_stream(path: str) -> bool:
    """True for a device, a pipe or a socket: nothing that can be replaced, and nothing that should be."""
    with suppress(OSError, ValueError):
        mode = os.stat(path).st_mode
        return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
    return False


def _pour(artifact: Artifact) -> None:
    with open(artifact.path, "wb") as stream:
        stream.write(artifact.data)


def _look(job: _Job) -> None:
    """What is there now, if anything is."""
    with suppress(FileNotFoundError):
        status = os.stat(job.target)
        job.mode = stat.S_IMODE(status.st_mode)
        job.times = (status.st_atime_ns, status.st_mtime_ns)
        with open(job.target, "rb") as file:
            job.before = file.read()


def _prepare(job: _Job) -> None:
    """Writes the temporary file, with the target's permissions where it exists; nothing for equal bytes."""
    if not job.changes:
        return
    if job.before is not None and not os.access(job.target, os.W_OK):
        raise PermissionError(13, "it is write-protected")
    descriptor = _open_beside(job)
    with open(descriptor, "wb") as file:
        if job.mode is not None:
            os.chmod(job.temporary, job.mode)
        file.write(job.artifact.data)


def _open_beside(job: _Job) -> int:
    """A new file in the target's directory. Its name is noted before it exists, so that no interrupt can orphan it."""
    folder, name = os.path.split(job.target)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    for number in range(100):
        job.temporary = os.path.join(folder, f".{name[:60]}.{os.getpid()}.{number}.tmp")
        try:
            return os.open(job.temporary, flags, 0o666)
        except FileExistsError:
            job.temporary = ""
        except OSError:
            job.temporary = ""
            raise
    raise FileExistsError(17, "its directory is full of temporary files")


def _commit(jobs: Sequence[_Job]) -> None:
    """Renames every temporary file into its place; takes all back where one of them fails."""
    done: list[_Job] = []
    try:
        for job in jobs:
            with _blamed(job.artifact.path):
                done.append(job)
                if job.temporary:
                    os.replace(job.temporary, job.target)
                    job.temporary = ""
                elif job.artifact.touch:
                    os.utime(job.target)
    except BaseException:
        for job in done:
            _take_back(job)
        raise


def _take_back(job: _Job) -> None:
    """The file as it was, its time included. What fails here cannot be helped: the first error is the one to report."""
    with suppress(OSError):
        if job.temporary:
            return
        if job.before is None:
            os.unlink(job.target)
            return
        if job.changes:
            with open(job.target, "wb") as file:
                file.write(job.before)
        os.utime(job.target, ns=job.times)


@contextmanager
def _blamed(path: str) -> Iterator[None]:
    """An error of the system becomes one that names the path as the user gave it."""
    try:
        yield
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise UsageError(Finding(f"cannot be written: {why[:1].lower()}{why[1:]}", path)) from error


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Signals that end a program wait until the few renames are over: no file of a set is new beside an old one."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def note(number: int, _: FrameType | None) -> None:
        came.append(number)

    numbers = [getattr(signal, name) for name in _ENDINGS if hasattr(signal, name)]
    before = {number: signal.signal(number, note) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        for number in came:
            signal.raise_signal(number)
