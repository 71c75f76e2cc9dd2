"""The one writer: whole or not at all, only where bytes change, and nothing left behind."""

from __future__ import annotations

import errno
import os
import signal
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from arena_codegen import files
from arena_codegen.errors import UsageError
from arena_codegen.files import Artifact, write_artifacts

OLD = 1_000_000_000_000_000_000
"""A time in the past, in nanoseconds."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def aged(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    os.utime(path, ns=(OLD, OLD))
    return path


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def refused(*artifacts: Artifact, inputs: tuple[str, ...] = ()) -> list[tuple[str, str, str]]:
    with pytest.raises(UsageError) as caught:
        write_artifacts(artifacts, inputs)
    assert caught.value.exit_code == 2
    return [(finding.what, finding.where, finding.hint) for finding in caught.value.findings]


def test_an_artifact_is_written_whole(folder: Path) -> None:
    assert write_artifacts([Artifact("plan.h", b"one\n")]) == ("plan.h",)
    assert Path("plan.h").read_bytes() == b"one\n"
    assert names(folder) == ["plan.h"]


def test_equal_bytes_leave_the_time_alone(folder: Path) -> None:
    path = aged(folder / "plan.h", b"same")
    assert write_artifacts([Artifact("plan.h", b"same")]) == ()
    assert path.stat().st_mtime_ns == OLD


def test_other_bytes_replace_the_file(folder: Path) -> None:
    path = aged(folder / "plan.h", b"old")
    assert write_artifacts([Artifact("plan.h", b"new")]) == ("plan.h",)
    assert path.read_bytes() == b"new"
    assert path.stat().st_mtime_ns > OLD


def test_a_stamp_is_touched_though_its_bytes_are_equal(folder: Path) -> None:
    path = aged(folder / "stamp", b"")
    assert write_artifacts([Artifact("stamp", b"", touch=True)]) == ()
    assert path.stat().st_mtime_ns > OLD


def test_a_new_file_has_the_permissions_that_the_umask_leaves(folder: Path) -> None:
    before = os.umask(0o027)
    try:
        write_artifacts([Artifact("plan.h", b"x")])
    finally:
        os.umask(before)
    assert stat.S_IMODE(Path("plan.h").stat().st_mode) == 0o640


def test_a_replaced_file_keeps_its_permissions(folder: Path) -> None:
    path = aged(folder / "plan.h", b"old")
    path.chmod(0o664)
    write_artifacts([Artifact("plan.h", b"new")])
    assert stat.S_IMODE(path.stat().st_mode) == 0o664


def test_a_symbolic_link_is_followed_and_stays(folder: Path) -> None:
    (folder / "deep").mkdir()
    (folder / "deep" / "real.h").write_bytes(b"old")
    Path("plan.h").symlink_to("deep/real.h")
    write_artifacts([Artifact("plan.h", b"new")])
    assert Path("plan.h").is_symlink()
    assert Path("deep/real.h").read_bytes() == b"new"
    assert names(folder / "deep") == ["real.h"]


def test_a_link_to_nothing_makes_its_target(folder: Path) -> None:
    Path("plan.h").symlink_to("real.h")
    write_artifacts([Artifact("plan.h", b"new")])
    assert Path("real.h").read_bytes() == b"new"


def test_a_device_is_written_straight_and_stays_a_device(folder: Path) -> None:
    write_artifacts([Artifact("/dev/null", b"gone"), Artifact("plan.h", b"x")])
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_full_device_is_an_error_and_the_other_file_is_not_written(folder: Path) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full")
    assert refused(Artifact("plan.h", b"x"), Artifact("/dev/full", b"y")) == [
        ("cannot be written: no space left on device", "/dev/full", "")
    ]
    assert names(folder) == []


@pytest.mark.parametrize(
    ("path", "what", "hint"),
    [
        ("", "'' is not a file name", ""),
        ("a\0b", "'a\\x00b' is not a file name", ""),
        ("-", "standard output is for the result line, not for a file", "a file called - is written ./-"),
        ("there", "cannot be written: it is a directory", "name a file in it, such as there/plan.h"),
        ("there/", "cannot be written: it is a directory", "name a file in it, such as there/plan.h"),
        ("new/", "cannot be written: it is a directory", "name a file in it, such as new/plan.h"),
        ("no/such/plan.h", "cannot be written: its directory does not exist", "mkdir -p no/such"),
        ("file/plan.h", "cannot be written: its directory is not one", ""),
    ],
)
def test_a_path_that_cannot_be_written_is_refused(folder: Path, path: str, what: str, hint: str) -> None:
    (folder / "there").mkdir()
    (folder / "file").write_bytes(b"x")
    found = refused(Artifact("good.h", b"x"), Artifact(path, b"x"))
    assert [(found[0][0], found[0][2])] == [(what, hint)]
    assert names(folder) == ["file", "there"]


def test_all_paths_that_cannot_be_written_are_named_at_once() -> None:
    assert [where for _, where, _ in refused(Artifact("a/x", b""), Artifact("b/y", b""))] == ["a/x", "b/y"]


def test_two_outputs_must_not_be_one_file(folder: Path) -> None:
    Path("other.h").symlink_to("plan.h")
    what = "two outputs are the same file"
    assert refused(Artifact("plan.h", b"1"), Artifact("./plan.h", b"2"))[0][:2] == (what, "./plan.h")
    assert refused(Artifact("plan.h", b"1"), Artifact("other.h", b"2"))[0][:2] == (what, "other.h")


def test_an_input_is_not_written_over_by_any_of_its_names(folder: Path) -> None:
    model = aged(folder / "m.tflite", b"model")
    Path("soft").symlink_to("m.tflite")
    os.link("m.tflite", "hard")
    for name in ("m.tflite", "./m.tflite", "soft", "hard", str(model)):
        what, where, hint = refused(Artifact(name, b"x"), inputs=("m.tflite",))[0]
        assert (what, where) == ("would overwrite what is read: m.tflite", name)
        assert hint == "give the output another name"
    assert model.read_bytes() == b"model"
    assert model.stat().st_mtime_ns == OLD


def test_a_loop_of_links_is_an_error() -> None:
    Path("a").symlink_to("b")
    Path("b").symlink_to("a")
    assert refused(Artifact("a", b"x"))[0][0] == "cannot be written: too many levels of symbolic links"


def test_a_write_protected_file_is_not_replaced(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = aged(folder / "plan.h", b"old")
    monkeypatch.setattr(os, "access", lambda name, mode: False)
    assert refused(Artifact("plan.h", b"new")) == [("cannot be written: it is write-protected", "plan.h", "")]
    assert path.read_bytes() == b"old"
    assert names(folder) == ["plan.h"]


def test_a_write_protected_file_with_the_right_bytes_is_fine(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    aged(folder / "plan.h", b"same")
    monkeypatch.setattr(os, "access", lambda name, mode: False)
    assert write_artifacts([Artifact("plan.h", b"same")]) == ()


def test_a_directory_that_takes_no_file_is_an_error_with_its_reason(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(path: str, *rest: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(os, "open", denied)
    assert refused(Artifact("plan.h", b"x")) == [("cannot be written: permission denied", "plan.h", "")]


def test_a_name_that_is_too_long_is_an_error(folder: Path) -> None:
    assert refused(Artifact("x" * 300, b"x"))[0][0] == "cannot be written: file name too long"
    assert names(folder) == []


class _Full:
    """A file on a disk that has room for nothing."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def __enter__(self) -> _Full:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.descriptor)

    def write(self, data: bytes) -> int:
        os.write(self.descriptor, data[:1])
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_leaves_everything_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = aged(folder / "plan.h", b"old")
    real = open

    def opened(file: object, mode: str = "r", **rest: object) -> object:
        full = isinstance(file, int) and os.path.basename(os.readlink(f"/proc/self/fd/{file}")).startswith(".plan.json")
        return _Full(file) if full and isinstance(file, int) else real(file, mode, **rest)  # type: ignore[call-overload]

    monkeypatch.setattr(files, "open", opened, raising=False)
    assert refused(Artifact("plan.h", b"new"), Artifact("plan.json", b"{}")) == [
        ("cannot be written: no space left on device", "plan.json", "")
    ]
    assert (old.read_bytes(), old.stat().st_mtime_ns, names(folder)) == (b"old", OLD, ["plan.h"])


def failing(call: Callable[..., None], after: int, error: BaseException) -> Callable[..., None]:
    """A function that works some times, then raises."""
    counts = iter(range(1000))

    def wrapped(*words: object) -> None:
        if next(counts) >= after:
            raise error
        call(*words)

    return wrapped


@pytest.mark.parametrize("after", [0, 1, 2])
@pytest.mark.parametrize("error", [OSError(errno.EIO, "Input/output error"), KeyboardInterrupt()])
def test_a_failure_amid_the_renames_takes_all_of_them_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch, after: int, error: BaseException
) -> None:
    old = aged(folder / "a", b"old a")
    stamp = aged(folder / "stamp", b"")
    monkeypatch.setattr(os, "replace", failing(os.replace, after, error))
    wanted = [Artifact("a", b"new a"), Artifact("b", b"new b"), Artifact("stamp", b"", touch=True), Artifact("c", b"c")]
    with pytest.raises((UsageError, KeyboardInterrupt)):
        write_artifacts(wanted)
    assert (old.read_bytes(), old.stat().st_mtime_ns) == (b"old a", OLD)
    assert stamp.stat().st_mtime_ns == OLD
    assert names(folder) == ["a", "stamp"]


@pytest.mark.parametrize("step", ["_look", "_prepare", "_open_beside", "_commit"])
def test_an_interrupt_at_any_step_leaves_no_file(folder: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    monkeypatch.setattr(files, step, failing(getattr(files, step), 0, KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        write_artifacts([Artifact("a", b"1"), Artifact("b", b"2")])
    assert names(folder) == []


def test_an_interrupt_just_after_the_temporary_file_appeared_removes_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.open

    def opened(*words: object) -> int:
        os.close(real(*words))  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "open", opened)
    with pytest.raises(KeyboardInterrupt):
        write_artifacts([Artifact("a", b"1")])
    assert names(folder) == []


def test_a_signal_amid_the_renames_waits_until_they_are_done(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.replace

    def replaced(*words: str) -> None:
        signal.raise_signal(signal.SIGINT)
        real(*words)

    monkeypatch.setattr(os, "replace", replaced)
    with pytest.raises(KeyboardInterrupt):
        write_artifacts([Artifact("a", b"1"), Artifact("b", b"2")])
    assert names(folder) == ["a", "b"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_left_over_temporary_file_of_another_run_is_not_touched(folder: Path) -> None:
    left = folder / f".plan.h.{os.getpid()}.0.tmp"
    left.write_bytes(b"not ours")
    write_artifacts([Artifact("plan.h", b"x")])
    assert left.read_bytes() == b"not ours"
    assert names(folder) == [left.name, "plan.h"]


def test_a_thread_can_write_too(folder: Path) -> None:
    thread = threading.Thread(target=write_artifacts, args=([Artifact("plan.h", b"x")],))
    thread.start()
    thread.join()
    assert names(folder) == ["plan.h"]


def hostile() -> list[str]:
    names = ["with space.h", "dollar$x.h", "#hash.h", "per%cent.h", "grün.h", "quote'\".h", "back\\slash.h", ".h"]
    return [*names, os.fsdecode(b"latin-\xe9.h"), "n" * 255]


@pytest.mark.parametrize("name", hostile())
def test_any_file_name_is_written(folder: Path, name: str) -> None:
    write_artifacts([Artifact(name, b"x")])
    assert names(folder) == [name]
