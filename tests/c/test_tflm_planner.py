"""The planner for TFLM, on the host: gcc and clang, against a stand-in for TFLM's interface."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from arena_codegen.kernels.recorded import read_log
from arena_codegen.resources import include
from tests.support.tools import need_tool

HERE = Path(__file__).parent
FLAGS = (
    "-std=c++17 -fno-exceptions -fno-rtti -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Woverloaded-virtual -Werror"
).split()


@pytest.fixture(scope="module", params=["g++", "clang++", "g++ -DTF_LITE_STATIC_MEMORY"])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cases, compiled."""
    compiler, *flags = request.param.split()
    return _compile(compiler, tmp_path_factory.mktemp("planner") / "cases", *flags)


def _compile(compiler: str, output: Path, *flags: str) -> Path:
    includes = ["-I", str(include()), "-I", str(HERE / "tflm_stub")]
    command = [need_tool(compiler), *FLAGS, *flags, *includes, str(HERE / "planner_cases.cpp"), "-o", str(output)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return output


def _run(program: Path, case: str) -> list[str]:
    done = subprocess.run([program, case], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


PLANNED = ["offset 0", "offset 48", "offset 160", "head 160 count 3 preserves 0"]


def test_planned_requests_get_the_planned_offsets_and_the_true_head(program: Path) -> None:
    assert _run(program, "planned") == PLANNED


def test_a_second_allocation_starts_from_the_first_request(program: Path) -> None:
    assert _run(program, "again") == PLANNED * 2


def test_a_model_with_an_offline_plan_of_its_own_gets_ours(program: Path) -> None:
    assert _run(program, "offline") == PLANNED


def test_a_variable_with_an_offline_offset_is_a_request_from_before_the_start(program: Path) -> None:
    assert _run(program, "state") == ["offset 0", "offset 64", "head 80 count 2 preserves 0"]


def test_another_plan_serves_the_next_model(program: Path) -> None:
    assert _run(program, "use") == [*PLANNED, "offset 16", "head 32 count 1 preserves 0"]


@pytest.mark.parametrize(
    ("case", "message", "at"),
    [
        ("larger", "request 1 is 128 bytes, planned are 112", 1),
        ("smaller", "request 1 is 96 bytes, planned are 112", 1),
        ("negative", "request 0 is -16 bytes, planned are 48", 0),
        ("earlier", "request 1 lives in scopes 0..2, planned are 1..2", 1),
        ("later", "request 1 lives in scopes 1..3, planned are 1..2", 1),
        ("more", "request 3 of 16 bytes, but only 3 are planned", 3),
    ],
)
def test_a_request_that_is_not_the_planned_one_is_refused_and_says_what_to_do(
    program: Path, case: str, message: str, at: int
) -> None:
    assert _run(program, case) == [
        f"arena-codegen: {message}: plan again, for this model and its kernels",
        f"refused at {at}",
    ]


def test_a_plan_without_scratch_of_unknown_kernels_names_the_way_out(program: Path) -> None:
    said = _run(program, "more-unknown")[0]
    assert said.endswith("only 3 are planned: plan with --requests, from a RecordedMemory log")


def test_no_offset_is_given_while_requests_are_missing(program: Path) -> None:
    message = "arena-codegen: 2 requests, planned are 3: plan again, for this model and its kernels"
    assert _run(program, "fewer") == [message, "no offset 0"]


def test_a_model_that_asks_for_nothing_gets_a_head_that_fits_no_arena(program: Path) -> None:
    lines = _run(program, "none")
    assert lines[0].startswith("arena-codegen: 0 requests, planned are 3")
    assert int(lines[1].split()[1]) >= 2**31 - 1


def test_a_table_that_leaves_its_own_arena_is_refused(program: Path) -> None:
    assert _run(program, "outside")[0].startswith("arena-codegen: row 0 of the plan lies outside of its 160 bytes")


def test_a_missing_plan_is_refused(program: Path) -> None:
    assert _run(program, "null") == [
        "arena-codegen: no plan: give PlannedMemory the address of one",
        "refused at 0",
    ]


def test_a_plan_of_another_version_is_refused(program: Path) -> None:
    assert "generate the header again" in _run(program, "abi")[0]


@pytest.mark.parametrize("case", ["overlap-same", "in-place-untold"])
def test_shared_bytes_are_accepted_for_the_same_kernels_and_in_place_without_a_word(program: Path, case: str) -> None:
    assert _run(program, case) == PLANNED


@pytest.mark.parametrize(
    ("case", "hint"),
    [
        ("overlap-untold", "name them to PlannedMemory, or plan with --no-overlap"),
        ("overlap-other", "plan with their --kernels, or with --no-overlap --no-in-place"),
        ("in-place-other", "plan with their --kernels, or with --no-overlap --no-in-place"),
    ],
)
def test_shared_bytes_are_refused_for_kernels_that_are_not_the_planned_ones(
    program: Path, case: str, hint: str
) -> None:
    lines = _run(program, case)
    assert lines[0].endswith(hint)
    assert lines[1] == "refused at 0"


def test_an_offset_out_of_the_table_is_refused(program: Path) -> None:
    assert _run(program, "index")[-1] == "1 1"


def test_recorded_requests_reach_the_planner_inside(program: Path) -> None:
    lines = _run(program, "recorded")
    assert lines[2:6] == ["offset 0", "offset 100", "head 4321 count 2 preserves 1", "inner 112 1 2 1234"]
    assert "refused at 2" in lines


def test_recorded_lines_are_short_and_read_back(program: Path) -> None:
    lines = [line for line in _run(program, "recorded") if line.startswith("arena-codegen-request ")]
    assert max(map(len, lines)) < 120
    boots = read_log("\r\n".join(lines[:5]))
    assert [[record.key for record in boot] for boot in boots] == [
        [(48, 0, 1), (112, 1, 2)],
        [(48, 0, 1), (112, 1, 2), (0, 1, 1)],
    ]


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_a_build_without_messages_still_refuses(compiler: str, tmp_path: Path) -> None:
    program = _compile(compiler, tmp_path / "quiet", "-DTF_LITE_STRIP_ERROR_STRINGS")
    assert _run(program, "larger") == ["refused at 1"]
