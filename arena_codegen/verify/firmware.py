"""Generated C + the firmware stub → a program for the board.

F7. What does not depend on the model is compiled once and kept under a name that changes with its sources, its flags
and the compiler; a further model costs one generated file and a link.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arena_codegen import resources
from arena_codegen.errors import Finding, FitError, ToolError, UsageError
from arena_codegen.verify import tools
from arena_codegen.verify.board import MPS2_AN386, Board

BUILD_TIMEOUT = 300.0
"""Seconds that the compiler may take for one step."""

PROGRAM = "firmware.elf"


def user_cache() -> Path:
    """Our folder among the user's caches."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "arena-codegen"


def cache_folder() -> Path:
    """Where compiled parts are kept from one run to the next."""
    return user_cache() / "firmware"


@dataclass(frozen=True, slots=True)
class Part:
    """C files that are compiled once for all models: `headers` are those that they include, found in `includes`.

    `ours` says that our warnings are errors in them; `options` are further options of the compiler.
    """

    sources: tuple[Path, ...]
    headers: tuple[Path, ...] = ()
    includes: tuple[Path, ...] = ()
    options: tuple[str, ...] = ()
    ours: bool = True


def build(
    generated: Mapping[str, str],
    main: str,
    folder: Path,
    cache: Path,
    board: Board = MPS2_AN386,
    parts: Sequence[Part] | None = None,
) -> Path:
    """The program of these parts, without them the pattern check's, and of these generated files, `main` of which is
    compiled and includes the others.

    Generated files and program are put into `folder`, compiled parts into `cache`. Raises ToolError where the compiler
    is missing or fails, FitError where the tables exceed the board's memory, UsageError where a folder cannot be
    written.
    """
    compiler = tools.find(tools.COMPILER)
    about = _about(compiler)
    parts = (pattern_check(board),) if parts is None else parts
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in generated.items():
            (folder / name).write_text(text, encoding="ascii", newline="\n")
        objects = [path for part in parts for path in _objects(compiler, about, cache, board, part)]
    except OSError as error:
        raise UsageError(
            Finding(
                f"cannot be written: {error.strerror or error}",
                str(error.filename or folder),
                "give another --build-dir",
            )
        ) from error
    script = resources.firmware() / "board" / board.folder / "memory.ld"
    includes = dict.fromkeys(path for part in parts for path in part.includes)
    command = [compiler, *_flags(board), *_lines("link_flags.txt"), *_includes(includes), "-T", str(script)]
    ended = tools.run([*command, main, *map(str, objects), "-lm", "-o", PROGRAM], timeout=BUILD_TIMEOUT, folder=folder)
    if ended.code or ended.timed_out:
        _explain(ended, board)
    return folder / PROGRAM


def pattern_check(board: Board = MPS2_AN386) -> Part:
    """What every pattern check consists of, but for main's data."""
    return stub_part(*stub_sources(board), folders=("src", "board", f"board/{board.folder}"), board=board)


def stub_sources(board: Board = MPS2_AN386) -> tuple[Path, ...]:
    """The C files of the pattern check."""
    root = resources.firmware()
    found = [path for part in ("src", "board", f"board/{board.folder}") for path in sorted((root / part).glob("*.c"))]
    return tuple(found)


def stub_part(
    *sources: Path,
    folders: Sequence[str],
    includes: Sequence[Path] = (),
    options: Sequence[str] = (),
    board: Board = MPS2_AN386,
) -> Part:
    """A part of the stub: these files, with the headers of these folders of it."""
    root = resources.firmware()
    headers = [resources.include() / "arena_codegen" / "plan.h"]
    headers += [path for folder in folders for path in sorted((root / folder).glob("*.h"))]
    found = (root / "src", root / "board" / board.folder, resources.include(), *includes)
    return Part(sources, tuple(headers), found, tuple(options))


def _objects(compiler: str, about: str, cache: Path, board: Board, part: Part) -> list[Path]:
    """The compiled files of a part, from the cache where they are there."""
    kept = cache / _fingerprint(about, part, board)
    objects = [kept / f"{source.stem}.o" for source in part.sources]
    if all(path.is_file() for path in objects):
        return objects
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache, prefix="new-") as made:
        warnings = [] if part.ours else ["-w"]
        command = [compiler, *_flags(board), *part.options, *warnings, *_includes(part.includes)]
        ended = tools.run([*command, "-c", *map(str, part.sources)], timeout=BUILD_TIMEOUT, folder=Path(made))
        if ended.code or ended.timed_out:
            _explain(ended, board)
        _keep(Path(made), kept)
    return objects


def _keep(made: Path, kept: Path) -> None:
    """Renames the new folder into its place, whole; another run may have been faster, which is as good."""
    target = Path(tempfile.mkdtemp(dir=made.parent, prefix="new-"))
    try:
        for path in made.iterdir():
            path.rename(target / path.name)
        if kept.is_dir() and not all((kept / path.name).is_file() for path in target.iterdir()):
            shutil.rmtree(kept, ignore_errors=True)
        with suppress(FileExistsError):
            try:
                target.rename(kept)
            except OSError:
                if not kept.is_dir():
                    raise
    finally:
        shutil.rmtree(target, ignore_errors=True)


def _about(compiler: str) -> str:
    """What the compiler says about itself. Raises ToolError for one that does not make code for bare Arm."""
    about = tools.run([compiler, "-v"], timeout=BUILD_TIMEOUT).errors
    target = re.search(r"^Target: (\S+)", about, re.MULTILINE)
    if target is None or not target[1].startswith("arm-none-eabi"):
        what = f"{compiler} makes code for {target[1] if target else 'nothing that it names'}, not for arm-none-eabi"
        raise ToolError(Finding(what, hint=f"set {tools.COMPILER.variable} to an {tools.COMPILER.program}"))
    return about


def _fingerprint(about: str, part: Part, board: Board) -> str:
    """A name for what comes out: of every file that goes in, the flags, and the compiler's version."""
    flags = [*_flags(board), *part.options, "" if part.ours else "-w"]
    digest = hashlib.sha256("\0".join([about, *flags]).encode())
    for path in [*part.headers, *part.sources]:
        digest.update(f"\0{path.name}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _flags(board: Board) -> list[str]:
    return [*_lines(f"board/{board.folder}/flags.txt"), *_lines("flags.txt")]


def _lines(name: str) -> list[str]:
    return (resources.firmware() / name).read_text(encoding="ascii").split()


def _includes(folders: Iterable[Path]) -> list[str]:
    return [f"-I{folder}" for folder in folders]


def _explain(ended: tools.Ended, board: Board) -> None:
    """Raises what the compiler's failure means to the user."""
    text = ended.errors
    if re.search(r"will not fit in region|region `\w+' overflowed", text):
        what = f"beyond the board's memory: the tables of this model do not fit {board.name}"
        raise FitError(Finding(what, hint=f"it has {board.code_bytes} bytes for code and tables"))
    if re.search(r"cannot read spec file|(stdint|string)\.h: No such file|cannot find -l", text):
        what = "the C library of the Arm compiler is not installed"
        raise ToolError(Finding(what, hint=f"apt install {tools.LIBRARY_PACKAGE}"))
    said = next((line for line in text.splitlines() if "error" in line), text.strip().splitlines()[-1:] or ["nothing"])
    what = "the compiler took too long" if ended.timed_out else "the compiler cannot build the firmware"
    detail = said if isinstance(said, str) else said[0]
    hint = f"set {tools.COMPILER.variable} to an arm-none-eabi-gcc that can"
    raise ToolError(Finding(f"{what}: {detail}", hint=hint))
