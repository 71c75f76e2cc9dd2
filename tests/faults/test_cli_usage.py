"""Wrong usage: the exact text and exit code of every case, nothing on standard output, no file written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support import models
from tests.support.commands import Command
from tests.support.model_builder import Graph
from tests.support.model_builder import build as build_model

HELP = "arena-codegen --help lists the options"
NO_MODEL = "arena-codegen MODEL.tflite -o PLAN.h; see arena-codegen --help"


@pytest.fixture
def build(command: Command) -> Command:
    """A folder with a model, a folder and a file."""
    command.model(models.residual())
    (command.folder / "there").mkdir()
    (command.folder / "file").write_bytes(b"x")
    return command


def refused(build: Command, code: int, words: tuple[str, ...], *lines: str) -> None:
    before = {name: Path(name).read_bytes() for name in build.files() if Path(name).is_file()}
    done = build(*words)
    assert (done.code, done.out) == (code, "")
    assert done.err.splitlines() == list(lines)
    assert {name: Path(name).read_bytes() for name in build.files() if Path(name).is_file()} == before


USAGE = [
    ((), "no model was given", NO_MODEL),
    (("-o", "plan.h"), "no model was given", NO_MODEL),
    (("plan",), "no model was given", NO_MODEL),
    (("verify", "--plan", "plan.json"), "no model was given",
     "arena-codegen verify MODEL.tflite --plan plan.json; see arena-codegen --help"),
    (("check", "--plan", "plan.json"), "no model was given",
     "arena-codegen check MODEL.tflite --plan plan.json; see arena-codegen --help"),
    (("check",), "no model was given", "arena-codegen check MODEL.tflite; see arena-codegen --help"),
    (("help",), "there is no command help", "arena-codegen --help"),
    (("help", "inspect"), "there is no command help", "arena-codegen inspect --help"),
    (("m.tflite",), "no output was asked for", "arena-codegen m.tflite -o PLAN.h, or --json FILE"),
    (("m.tflite", "plan.h"), "one model at a time, not 2: m.tflite, plan.h", "the header's name goes after -o"),
    (("inspekt", "m.tflite"), "one model at a time, not 2: inspekt, m.tflite",
     "did you mean arena-codegen inspect m.tflite?"),
    (("m.tflite", "--depfile", "d"), "no output was asked for", "arena-codegen m.tflite -o PLAN.h, or --json FILE"),
    (("m.tflite", "--json", "j", "--depfile", "d"), "--depfile has no target", "give -o FILE.h or --stamp FILE too"),
    (("m.tflite", "-o"), "option -o needs a value", HELP),
    (("m.tflite", "--keep"), "option --keep needs a value", HELP),
    (("m.tflite", "--in-place=yes"), "option --in-place takes no value", HELP),
    (("m.tflite", "--qwerty", "x"), "no such option: --qwerty", HELP),
    (("m.tflite", "-x"), "no such option: -x", HELP),
    (("m.tflite", "--outptu", "x"), "no such option: --outptu", "did you mean --output?"),
    (("inspect", "m.tflite", "--quiet"), "no such option: --quiet", "arena-codegen inspect --help lists the options"),
    (("m.tflite", "-o", "plan.h", "--strategy", "fast"), "--strategy is 'fast'",
     "one of best, exact, greedy, linear, naive"),
    (("m.tflite", "-o", "plan.h", "--effort", "high"), "--effort is 'high'", "one of quick, normal, thorough"),
    (("m.tflite", "-o", "plan.h", "--kernels", "esp"), "--kernels is 'esp'",
     "one of cmsis-nn, cmsis-nn-4.0, reference, none"),
    (("m.tflite", "-o", "plan.h", "--target", "m1"), "--target is 'm1'", "one of m0, m3, m4, m7, m33, m55"),
    (("m.tflite", "-o", "plan.h", "--align", "12"), "--align is 12", "one of 1, 2, 4, 8, 16, 32, 64"),
    (("m.tflite", "-o", "plan.h", "--segment", "in"), "--segment is 'in'", "one of io"),
    (("m.tflite", "-o", "plan.h", "--arena", "all"), "--arena is 'all'", "plan, tflm, or a size such as 64K"),
    (("m.tflite", "-o", "plan.h", "--max-arena", "1.5K"), "--max-arena is '1.5K', not a size",
     "bytes such as 98304, 48K, 1M or 0x18000"),
    (("m.tflite", "-o", "plan.h", "--pin", "in"), "--pin is 'in'", "--pin TENSOR@OFFSET"),
    (("m.tflite", "-o", "plan.h", "--shape", "in"), "--shape is 'in'", "--shape TENSOR=1,49,10,64"),
    (("m.tflite", "-o", "plan.h", "--prefix", "int"), "--prefix 'int': a reserved word of C or C++",
     "for example --prefix int_model"),
    (("m.tflite", "-o", "plan.h", "--prefix", ""), "--prefix '': not a C identifier", "for example --prefix model"),
    (("m.tflite", "-o", "plan.h", "--section", "a b"), "--section 'a b': not the name of a linker section",
     "letters, digits, '_', '.', '$' and '-', for example --section .bss.arena"),
    (("m.tflite", "-o", ""), "'' is not a file name", ""),
    (("m.tflite", "--json", "j", "--kernels", "none", "--arena", "tflm"),
     "--arena tflm: TFLM's tail is not known with --kernels none", "use --arena plan, or --arena SIZE"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "what", "hint"), USAGE)
def test_wrong_usage_is_named(build: Command, words: tuple[str, ...], what: str, hint: str) -> None:
    lines = [f"error: {what}", *([f"  hint {hint}"] if hint else [])]
    if "--arena tflm:" in what:
        lines.insert(1, "  at   m.tflite")
    refused(build, 2, words, *lines)


WRITING = [
    ("there", "cannot be written: it is a directory", "name a file in it, such as there/plan.h"),
    ("there/", "cannot be written: it is a directory", "name a file in it, such as there/plan.h"),
    ("no/such/plan.h", "cannot be written: its directory does not exist", "mkdir -p no/such"),
    ("file/plan.h", "cannot be written: its directory is not one", ""),
    ("m.tflite", "would overwrite what is read: m.tflite", "give the output another name"),
    ("there/../m.tflite", "would overwrite what is read: m.tflite", "give the output another name"),
    ("-", "standard output is for the result line, not for a file", "a file called - is written ./-"),
]


@pytest.mark.parametrize("option", ["-o", "--json", "--stamp"])
@pytest.mark.parametrize(("path", "what", "hint"), WRITING)
def test_what_cannot_be_written_is_named(build: Command, option: str, path: str, what: str, hint: str) -> None:
    lines = [f"error: {what}", f"  at   {path}", *([f"  hint {hint}"] if hint else [])]
    refused(build, 2, ("m.tflite", option, path), *lines)


def test_two_outputs_of_one_name_are_refused(build: Command) -> None:
    words = ("m.tflite", "-o", "plan.h", "--json", "./plan.h")
    hint = "  hint give each its own name"
    refused(build, 2, words, "error: two outputs are the same file", "  at   ./plan.h", hint)


def test_the_log_of_a_device_is_not_written_over(build: Command) -> None:
    Path("log").write_bytes(b"x")
    lines = ("error: would overwrite what is read: log", "  at   log", "  hint give the output another name")
    refused(build, 2, ("m.tflite", "-o", "log", "--requests", "log"), *lines)


def test_an_unwritable_directory_is_named(build: Command) -> None:
    if os.geteuid() != 0:
        os.chmod("there", 0o500)
        path, why = "there/plan.h", "permission denied"
    else:
        path = "/proc/plan.h"
        why = "no such file or directory"
    done = build("m.tflite", "-o", path)
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines()[-2:] == [f"error: cannot be written: {why}", f"  at   {path}"]


def test_all_faults_of_usage_are_named_at_once(build: Command) -> None:
    refused(
        build, 2, ("m.tflite", "-o", "plan.h", "--pin", "x", "--max-arena", "y", "--strategy", "z"),
        "error: --pin is 'x'", "  hint --pin TENSOR@OFFSET",
        "error: --max-arena is 'y', not a size", "  hint bytes such as 98304, 48K, 1M or 0x18000",
        "error: --strategy is 'z'", "  hint one of best, exact, greedy, linear, naive",
    )  # fmt: skip


def test_a_model_that_is_not_there_is_exit_3(build: Command) -> None:
    words = ("no.tflite", "-o", "plan.h")
    what = "error: model cannot be read: No such file or directory"
    refused(build, 3, words, what, "  at   no.tflite", "  hint did you mean m.tflite?")


@pytest.mark.parametrize(("path", "hints"), [
    ("there/kwz.tflite", ["  hint did you mean there/kws.tflite?"]),
    ("there/other.tflite", []),
    ("nowhere/kws.tflite", ["  hint there is no folder nowhere"]),
])  # fmt: skip
def test_a_model_that_is_not_there_may_be_another_that_is(build: Command, path: str, hints: list[str]) -> None:
    build.model(models.residual(), "there/kws.tflite")
    build.model(models.residual(), "there/image.tflite")
    lines = ("error: model cannot be read: No such file or directory", f"  at   {path}", *hints)
    refused(build, 3, (path, "-o", "plan.h"), *lines)


def test_faults_of_a_model_are_told_with_the_path_that_was_given(build: Command) -> None:
    build.model(b"nothing at all", "there/bad.tflite")
    for words in (("-o", "plan.h"), ("--json", "j")):
        assert "\n  at   there/bad.tflite\n" in build("there/bad.tflite", *words).err
    for command in ("inspect", "compare", "check", "verify"):
        assert "\n  at   there/bad.tflite\n" in build(command, "there/bad.tflite").err


def test_faults_of_a_log_are_told_with_the_path_that_was_given(build: Command) -> None:
    Path("there/notes.txt").write_bytes(b"no request at all")
    for words in (("m.tflite", "-o", "plan.h"), ("inspect", "m.tflite"), ("compare", "m.tflite")):
        done = build(*words, "--requests", "there/notes.txt")
        assert (done.code, done.out) == (3, "")
        assert "\n  at   there/notes.txt\n" in done.err


@pytest.mark.parametrize("name", ["inspect", "compare"])
@pytest.mark.parametrize("flag", ["json", "csv"])
def test_a_file_after_a_flag_that_takes_none_is_wrong_usage(build: Command, name: str, flag: str) -> None:
    what = f"error: {name} --{flag} writes to standard output"
    hint = f"  hint arena-codegen {name} m.tflite --{flag} > x.{flag}"
    refused(build, 2, (name, "m.tflite", f"--{flag}", f"x.{flag}"), what, f"  at   x.{flag}", hint)


def test_a_question_about_an_unknown_name_shows_how_a_number_is_asked_for(build: Command) -> None:
    for question, example in (("channels:conv2=24", "channels:1=24"), ("nobody=8x8", "0=8x8")):
        done = build("inspect", "m.tflite", "--what-if", question)
        assert done.code == 2
        assert done.err.endswith(f"  hint a number does too: --what-if {example}\n")


@pytest.mark.parametrize("words", [
    ("-o", "a.h", "-o", "b.h"), ("-o", "a.h", "--output=b.h"), ("-oa.h", "-o", "a.h"),
])  # fmt: skip
def test_a_file_that_is_named_twice_is_wrong_usage(build: Command, words: tuple[str, ...]) -> None:
    hint = "  hint one file for each option; a second header is a run of its own"
    refused(build, 2, ("m.tflite", *words), "error: option -o is given 2 times", hint)


def test_long_names_in_a_collision_of_pins_lose_their_middle(command: Command) -> None:
    g = Graph()
    x = g.input("a" * 200, (1, 16))
    g.op("RELU", [x], [g.output("b" * 200, (1, 16))])
    command.model(build_model(g))
    said = command("m.tflite", "-o", "plan.h", "--pin", "0@0", "--pin", "1@0", "--kernels", "none").err
    assert max(map(len, said.splitlines()[0].split())) <= 60


def test_a_model_that_is_a_directory_is_exit_3(build: Command) -> None:
    refused(build, 3, ("there", "-o", "plan.h"), "error: model cannot be read: Is a directory", "  at   there")


def test_a_log_that_is_not_there_is_exit_3(build: Command) -> None:
    words = ("m.tflite", "-o", "plan.h", "--requests", "no.log")
    refused(build, 3, words, "error: requests cannot be read: No such file or directory", "  at   no.log")


def test_a_tensor_that_is_not_there_is_a_usage_error(build: Command) -> None:
    for option in (("--keep", "nobody"), ("--pin", "nobody@0"), ("--shape", "nobody=1,2")):
        done = build("m.tflite", "-o", "plan.h", *option)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith("error: ")
        assert "nobody" in done.err
        assert "plan.h" not in build.files()


def test_an_arena_that_is_too_small_is_exit_4_with_the_whole_story(build: Command) -> None:
    refused(
        build, 4, ("m.tflite", "-o", "plan.h", "--json", "j", "--kernels", "none", "--no-in-place", "--max-arena=383"),
        "error: the arena needs 384 bytes: 1 more than the 383 that --max-arena allows",
        "  at   m.tflite · subgraph 0 · op 2 ADD",
        "  hint most is alive when op 2 ADD runs (step 3): 384 bytes in 3 buffers",
        "  hint   128  tensor 1 'a'",
        "  hint   128  tensor 2 'b'",
        "  hint   128  tensor 3 'out'",
        "  hint no plan of these buffers can be smaller than 384 bytes: that is proven",
        "  hint make what is alive there smaller in the model, or raise --max-arena to 384",
    )  # fmt: skip


def test_every_budget_below_the_need_is_refused_and_every_other_one_is_not(command: Command) -> None:
    command.model(models.chain(2, (1, 4)))
    words = ("m.tflite", "-o", "plan.h", "--kernels", "none", "--no-in-place", "--max-arena")
    assert command("m.tflite", "--json", "j", *words[3:6]).out.startswith("arena-codegen: j arena=32 ")
    Path("j").unlink()
    for limit in range(32):
        done = command(*words, str(limit))
        assert (done.code, done.out, command.files()) == (4, "", ["m.tflite"]), limit
        assert done.err.startswith(f"error: the arena needs 32 bytes: {32 - limit} more than the {limit} that")
    for limit in (32, 33, 64):
        assert command(*words, str(limit)).code == 0
