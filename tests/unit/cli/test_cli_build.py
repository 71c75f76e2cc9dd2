"""The build step: the line it prints, the files it writes, and how its words may be arranged."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from arena_codegen.cli.build import result_line
from arena_codegen.layout import layout_from_json
from arena_codegen.version import VERSION
from tests.support import models
from tests.support.commands import Command
from tests.support.layouts import TAIL, layout, small

OLD = 1_000_000_000
NONE = ("--kernels", "none", "--no-in-place")
LINE = "arena-codegen: plan.h arena=384 head=384 bound=384 optimal peak_op=2 ADD\n"


@pytest.fixture
def build(command: Command) -> Command:
    """A folder with a model of 384 bytes of arena."""
    command.model(models.residual())
    return command


def test_the_build_step_prints_one_line_and_nothing_else(build: Command) -> None:
    done = build("m.tflite", "-o", "plan.h", *NONE)
    assert (done.code, done.out, done.err) == (0, LINE, "")
    assert build.files() == ["m.tflite", "plan.h"]


@pytest.mark.parametrize(
    "words",
    [
        ("plan", "m.tflite", "-o", "plan.h", *NONE),
        ("-o", "plan.h", "m.tflite", *NONE),
        (*NONE, "-oplan.h", "m.tflite"),
        ("m.tflite", "--output=plan.h", *NONE),
        ("plan", "--output", "plan.h", *NONE, "--", "m.tflite"),
        (*NONE, "--output", "plan.h", "--", "m.tflite"),
    ],
)
def test_the_model_and_the_options_may_come_in_any_order(build: Command, words: tuple[str, ...]) -> None:
    assert build(*words).out == LINE


@pytest.mark.parametrize("name", ["plan", "inspect", "verify"])
def test_a_model_called_like_a_command_is_written_with_its_folder(command: Command, name: str) -> None:
    command.model(models.residual(), name)
    assert command(f"./{name}", "-o", "plan.h", *NONE).out == LINE
    assert command("-o", "plan.h", *NONE, "--", name).out == LINE


def test_a_model_whose_name_begins_with_a_dash_comes_behind_two(command: Command) -> None:
    command.model(models.residual(), "-m.tflite")
    assert command("-o", "plan.h", *NONE, "--", "-m.tflite").out == LINE


def test_the_line_shows_the_base_name_of_the_header(build: Command) -> None:
    (build.folder / "deep").mkdir()
    assert build("m.tflite", "-o", "deep/kws plan.h", *NONE).out.startswith("arena-codegen: kws plan.h arena=384 ")


def test_without_a_header_the_line_shows_the_first_file(build: Command) -> None:
    assert build("m.tflite", "--json", "plan.json", *NONE).out.startswith("arena-codegen: plan.json arena=384 ")
    assert build("m.tflite", "--stamp", "done", *NONE).out.startswith("arena-codegen: done arena=384 ")


def test_a_line_tells_what_is_known() -> None:
    shown = replace(small(), lower_bound=800, tail=TAIL, arena_bytes=1536)
    assert result_line(shown, "a.h") == (
        "arena-codegen: a.h arena=1536 head=912 bound=800 gap=112 tail=868 peak_op=0 CONV_2D"
    )
    assert result_line(layout(peak_operator=None), "a\n.h") == (
        r"arena-codegen: a\n.h arena=1 head=0 bound=0 optimal peak_op=none"
    )


def test_the_line_of_a_real_plan_has_the_form_of_the_contract(command: Command) -> None:
    command.model(models.depthwise_cnn())
    line = command("m.tflite", "-o", "plan.h").out
    form = r"arena-codegen: plan\.h arena=\d+ head=\d+ bound=\d+ (optimal|gap=\d+) tail=\d+ peak_op=\d+ [A-Z0-9_]+\n"
    assert re.fullmatch(form, line)


def test_the_json_says_what_the_line_says(build: Command) -> None:
    done = build("m.tflite", "-o", "plan.h", "--json", "plan.json")
    shown = layout_from_json(Path("plan.json").read_text(encoding="utf-8"), "plan.json")
    assert result_line(shown, "plan.h") + "\n" == done.out


def test_the_depfile_names_the_stamp_or_else_exactly_the_header(build: Command) -> None:
    (build.folder / "out").mkdir()
    build("m.tflite", "-o", "./out//plan.h", "--depfile", "d", *NONE)
    assert Path("d").read_bytes() == b"./out//plan.h: m.tflite\n"
    build("m.tflite", "-o", "out/plan.h", "--depfile", "d", "--stamp", "the stamp", *NONE)
    assert Path("d").read_bytes() == b"the\\ stamp: m.tflite\n"


def test_a_second_run_touches_nothing_but_the_stamp(build: Command) -> None:
    words = ("m.tflite", "-o", "plan.h", "--json", "plan.json", "--depfile", "d", "--stamp", "s", *NONE)
    build(*words)
    for name in build.files():
        os.utime(name, (OLD, OLD))
    assert build(*words).code == 0
    changed = [name for name in build.files() if Path(name).stat().st_mtime != OLD]
    assert changed == ["s"]


def test_a_deleted_header_comes_back(build: Command) -> None:
    words = ("m.tflite", "-o", "plan.h", "--json", "plan.json", *NONE)
    build(*words)
    Path("plan.h").unlink()
    os.utime("plan.json", (OLD, OLD))
    build(*words)
    assert Path("plan.h").exists()
    assert Path("plan.json").stat().st_mtime == OLD


def test_options_reach_the_plan(build: Command) -> None:
    build("m.tflite", "--json", "j", *NONE, "--strategy", "greedy", "--effort", "quick", "--align", "32",
          "--keep", "in", "--keep", "1", "--pin", "out@0x1000", "--segment", "io", "--arena", "64K",
          "--target", "cortex-m0")  # fmt: skip
    made = json.loads(Path("j").read_text(encoding="utf-8"))
    assert made["arena_bytes"] == 65536
    assert made["options"] == {
        "strategy": "greedy", "effort": "quick", "kernels": "none", "target": "m0", "align": 32, "in_place": False,
        "overlap": False, "keep": ["in", "1"], "pin": ["out@4096"], "segment": "io", "arena": 65536,
    }  # fmt: skip


def test_the_prefix_is_the_users_or_made_from_the_file_name(command: Command) -> None:
    command.model(models.residual(), "my kws-v2.tflite")
    command("my kws-v2.tflite", "-o", "plan.h", *NONE)
    assert "MY_KWS_V2_ARENA_SIZE" in Path("plan.h").read_text(encoding="ascii")
    command("my kws-v2.tflite", "-o", "plan.h", "--prefix", "wake", *NONE)
    assert "WAKE_ARENA_SIZE" in Path("plan.h").read_text(encoding="ascii")


def test_a_section_that_ships_zeros_is_noted(build: Command) -> None:
    done = build("m.tflite", "-o", "plan.h", "--section", ".ccmram", *NONE)
    assert (done.code, done.out) == (0, LINE)
    assert done.err.startswith("note: the image carries the arena as zeros in .ccmram, unless")
    assert build("m.tflite", "-o", "plan.h", "--section", ".bss.arena", *NONE).err == ""


def test_a_section_that_holds_other_things_is_warned_of(build: Command) -> None:
    done = build("m.tflite", "-o", "plan.h", "--section", ".text", *NONE)
    assert (done.code, done.out) == (0, LINE)
    assert done.err.startswith("warning: .text is for code and constants, in memory that is not written")


def test_a_recorded_log_is_an_input(build: Command) -> None:
    rows = json.loads(_json(build))["buffers"]
    log = "".join(
        f'[12.3] arena-codegen-request {{"i":{row["index"]},"size":{row["size"]},"first":{row["first"]},'
        f'"last":{row["last"]}}}\r\n'
        for row in rows
    )
    Path("serial log.txt").write_bytes(b"\xff boot\r\n" + log.encode())
    done = build("m.tflite", "-o", "plan.h", "--requests", "serial log.txt", "--depfile", "d", "--arena", "plan")
    assert done.code == 0
    assert done.err.startswith("note: TFLM's tail is not known with requests as a device printed them\n")
    assert Path("d").read_bytes() == b"plan.h: m.tflite \\\n  serial\\ log.txt\n"


def _json(build: Command) -> str:
    build("m.tflite", "--json", "j", *NONE)
    text = Path("j").read_text(encoding="utf-8")
    Path("j").unlink()
    return text


def test_orphans_are_folded_into_one_warning(command: Command) -> None:
    g = models.Graph()
    last = g.input("in", (1, 16), scale=0.1)
    for index in range(40):
        g.tensor(f"orphan{index}", (1, 16), scale=0.1)
    g.op("RELU", [last], [g.output("out", (1, 16), scale=0.1)])
    command.model(models.build(g))
    lines = command("m.tflite", "-o", "plan.h", *NONE).err.splitlines()
    assert lines[0] == "warning: no operator uses this tensor, yet TFLM allocates its 16 bytes"
    assert sum(line.startswith("  at   m.tflite · subgraph 0 · tensor ") for line in lines) == 8
    assert lines[9] == "  and  32 more like these"
    assert lines[10].startswith("  hint ")
    assert len(lines) == 11


@pytest.mark.parametrize("word", ["--version", "--cmake-dir", "--include-dir"])
def test_where_things_are_is_one_line(command: Command, word: str) -> None:
    done = command(word)
    assert (done.code, done.err, done.out.count("\n")) == (0, "", 1)
    if word == "--version":
        assert done.out == f"arena-codegen {VERSION}\n"
    else:
        found = Path(done.out.removesuffix("\n"))
        assert found.is_absolute()
        name = "ArenaCodegenConfig.cmake" if word == "--cmake-dir" else "arena_codegen/plan.h"
        assert (found / name).is_file()
