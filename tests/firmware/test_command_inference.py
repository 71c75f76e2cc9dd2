"""`arena-codegen verify`: the table, the data, the last line, and what is missing."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from arena_codegen.cli import main
from arena_codegen.layout import layout_to_json
from tests.firmware.inferences import prepare
from tests.support import models
from tests.support.model_builder import Graph, build
from tests.support.tools import need_cmsis, need_package

pytestmark = pytest.mark.usefixtures("arm_gcc", "qemu", "packages")


@dataclass(frozen=True)
class Run:
    """What a run of the command left behind."""

    code: int
    out: str
    err: str

    @property
    def last(self) -> str:
        return self.out.splitlines()[-1]


Verify = Callable[..., Run]


@pytest.fixture(scope="module")
def packages() -> None:
    need_package("tflite_micro")
    need_cmsis()


@pytest.fixture
def verify(
    stub_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Verify:
    """Runs the command on a model in an empty folder; compiled parts are kept for all of these tests."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(stub_cache))

    def run(data: bytes, *words: str) -> Run:
        (tmp_path / "m.tflite").write_bytes(data)
        capsys.readouterr()
        code = main.run(["verify", "m.tflite", *words])
        said = capsys.readouterr()
        return Run(code, said.out, said.err)

    return run


def test_a_model_that_agrees_ends_with_bit_exact(verify: Verify) -> None:
    ended = verify(models.depthwise_cnn())
    assert ended.code == 0
    assert ended.last.startswith(
        "arena-codegen: m.tflite bit-exact on Cortex-M4: operators=7 invocations=5 instructions="
    )
    assert ended.out.splitlines()[0].startswith("arena-codegen: m.tflite verified on Cortex-M4: checks=")


def test_every_operator_has_a_row_with_its_kernel_its_cost_and_its_verdict(verify: Verify) -> None:
    ended = verify(models.residual())
    rows = [line.split() for line in ended.out.splitlines() if line.endswith("bit-exact")]
    assert [row[1:3] for row in rows] == [["RELU", "lookup"], ["RELU6", "lookup"], ["ADD", "add"]]
    assert [row[4:6] for row in rows] == [["128", "128"], ["128", "128"], ["256", "128"]]
    assert all(int(row[3]) > 128 for row in rows)


def test_every_phase_is_told_on_standard_error(verify: Verify) -> None:
    ended = verify(models.residual())
    phases = [line for line in ended.err.splitlines() if line.startswith("arena-codegen: ")]
    assert [phase.split(": ")[1].split()[0] for phase in phases] == ["kernels", "TFLM", "firmware"]


def test_memory_stands_beside_tflm_s(verify: Verify) -> None:
    line = next(line for line in verify(models.svdf_model()).out.splitlines() if " of state" in line)
    assert " 24 of state" in line
    assert "TFLM as shipped: " in line


def test_json_is_all_that_standard_output_has(verify: Verify) -> None:
    ended = verify(models.residual(), "--json")
    data = json.loads(ended.out)
    assert (data["schema"], data["verdict"], data["invocations"]) == (1, "bit-exact", 5)
    assert data["model"]["file"] == "m.tflite"
    assert [row["name"] for row in data["operators"]] == ["RELU", "RELU6", "ADD"]
    assert data["instructions"] == sum(row["instructions"] for row in data["operators"])
    assert data["memory"]["arena"] == data["high_water"]["planned"]
    assert "verified on Cortex-M4" in ended.err


def test_json_is_the_same_every_time(verify: Verify) -> None:
    assert verify(models.residual(), "--json").out == verify(models.residual(), "--json").out


def test_floats_that_differ_a_little_are_said_to(verify: Verify) -> None:
    g = Graph()
    x = g.input("in", (1, 64), "FLOAT32")
    g.op("TANH", [x], [g.output("out", (1, 64), "FLOAT32")])
    ended = verify(build(g))
    assert ended.code == 0
    assert "on Cortex-M4" in ended.last


def test_missing_kernels_are_exit_3_after_the_pattern_check(verify: Verify) -> None:
    g = Graph()
    x = g.input("in", (1, 8), "FLOAT32")
    y, z = g.tensor("y", (1, 8), "FLOAT32"), g.tensor("z", (1, 8), "FLOAT32")
    g.op("Twist", [x], [y], custom=True)
    g.op("Bend", [y], [z], custom=True)
    g.op("Twist", [z], [g.output("out", (1, 8), "FLOAT32")], custom=True)
    ended = verify(build(g))
    assert ended.code == 3
    assert "verified on Cortex-M4" in ended.last
    assert "error: the firmware has no kernel for Twist\n" in ended.err
    assert "error: the firmware has no kernel for Bend\n" in ended.err
    assert "for want of Bend, Twist" in ended.err


def test_a_pool_whose_output_contradicts_its_options_is_exit_3_and_names_the_tensor(verify: Verify) -> None:
    g = Graph()
    x, y = g.input("in", (1, 8, 8, 4), scale=0.1), g.output("out", (1, 7, 8, 4), scale=0.1)
    g.op("MAX_POOL_2D", [x], [y], padding=1, stride_h=2, stride_w=2, filter_height=2, filter_width=2)
    ended = verify(build(g))
    assert ended.code == 3
    assert "MAX_POOL_2D: tensor 1 'out' has shape [1, 7, 8, 4], its inputs and options make [1, 4, 4, 4]" in ended.err


@pytest.mark.parametrize("tensors", [0, 1])
def test_a_model_without_operators_runs(verify: Verify, tensors: int) -> None:
    g = Graph()
    g.outputs = [g.input(f"x{number}", (1, 8), scale=0.1) for number in range(tensors)]
    ended = verify(build(g))
    assert ended.code == 0
    assert "bit-exact on Cortex-M4: operators=0" in ended.last


def test_tensors_without_elements_are_nothing_to_compute(verify: Verify) -> None:
    g = Graph()
    x = g.input("in", (4,), scale=0.1)
    begin, size = g.constant("begin", [0], "INT32"), g.constant("size", [0], "INT32")
    g.op("SLICE", [x, begin, size], [g.tensor("nothing", (0,), scale=0.1)])
    g.op("RELU", [x], [g.output("out", (4,), scale=0.1)])
    ended = verify(build(g))
    assert ended.code == 0
    assert "bit-exact on Cortex-M4: operators=2" in ended.last


def test_without_tflm_the_pattern_check_runs_and_one_line_names_the_package(
    verify: Verify, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("tflite_micro")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "tflite_micro", None)
    ended = verify(models.residual())
    assert ended.code == 6
    assert "verified on Cortex-M4" in ended.last
    errors = [line for line in ended.err.splitlines() if line.startswith("error: ")]
    assert errors == ["error: the Python package tflite-micro is not installed"]
    assert "hint pip install 'arena-codegen[verify]'" in ended.err
    assert "hint --pattern-only ends after the check that passed" in ended.err


@pytest.mark.parametrize(("words", "hint"), [
    (("--align", "32"),
     "  hint arena-codegen verify MODEL --kernels cmsis-nn --align 32 makes the same plan and runs it with kernels\n"),
    (("--overlap",), ""),
])  # fmt: skip
def test_a_plan_that_shares_bytes_by_rules_of_other_kernels_is_told_how_it_can_run(
    verify: Verify, words: tuple[str, ...], hint: str
) -> None:
    Path("m.tflite").write_bytes(models.residual())
    assert main.run(["m.tflite", "--json", "plan.json", *words]) == 0
    ended = verify(models.residual(), "--plan", "plan.json")
    assert ended.code == 2
    assert " rules are those of other kernels: " in ended.err
    assert ended.err.endswith(f"  at   plan.json\n{hint}  hint --pattern-only runs this plan without kernels\n")


def test_without_cmsis_nn_one_line_says_so(verify: Verify, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CMSIS_NN_DIR", str(tmp_path / "nowhere"))
    ended = verify(models.residual())
    assert ended.code == 6
    errors = [line for line in ended.err.splitlines() if line.startswith("error: ")]
    assert errors == [f"error: CMSIS_NN_DIR={tmp_path / 'nowhere'} has no Include/arm_nnfunctions.h"]


def edited(folder: Path, data: bytes, edit: Callable[[dict[str, Any]], None]) -> str:
    layout = json.loads(layout_to_json(prepare(data, in_place=False).layout))
    edit(layout)
    (folder / "plan.json").write_text(json.dumps(layout))
    return "plan.json"


def test_a_plan_whose_scratch_was_shrunk_is_refuted_by_name(verify: Verify, tmp_path: Path) -> None:
    def edit(layout: dict[str, Any]) -> None:
        row = next(row for row in layout["buffers"] if row["kind"] == "scratch" and row["operator"] == 0)
        row["bytes"] -= 8

    data = models.depthwise_cnn()
    ended = verify(data, "--plan", edited(tmp_path, data, edit))
    assert ended.code == 5
    assert "error: scratch 0 of op 0 CONV_2D has 100 bytes in the plan, its kernel asks for 108\n" in ended.err


def test_a_plan_for_other_kernels_runs_and_a_note_says_what_is_not_compared(verify: Verify, tmp_path: Path) -> None:
    ended = verify(models.depthwise_cnn(), "--kernels", "reference", "--no-in-place")
    assert ended.code == 0
    assert "its scratch is not compared with CMSIS-NN 4.0.0" in ended.err
    assert "bit-exact on Cortex-M4" in ended.last


def test_overlaps_of_other_kernels_are_refused(verify: Verify) -> None:
    ended = verify(models.depthwise_cnn(), "--kernels", "reference", "--overlap")
    assert ended.code == 2
    assert "its overlap rules are those of other kernels" in ended.err


def test_a_program_to_flash_needs_a_folder(verify: Verify) -> None:
    ended = verify(models.residual(), "--board", "stm32f4")
    assert ended.code == 2
    assert "say where with --build-dir" in ended.err


def test_a_program_to_flash_is_built_and_said(verify: Verify, tmp_path: Path) -> None:
    ended = verify(models.residual(), "--board", "stm32f746", "--build-dir", "out")
    assert ended.code == 0
    assert ended.out.startswith(
        "arena-codegen: m.tflite built for stm32f746: program=firmware.elf arena=256 memory=SRAM "
    )
    assert (tmp_path / "out" / "firmware.elf").exists()
