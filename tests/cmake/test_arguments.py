"""What the function makes of its arguments: the command line that reaches the tool, and errors for wrong calls.

A program that writes down its arguments stands in for the tool.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_codegen.version import VERSION
from tests.cmake.project import Project, echo_tool

EVERYTHING = """
arena_codegen_add_plan(all_plan MODEL models/big.tflite PREFIX pre OUTPUT out/plan.h JSON out/p.json HTML p.html
                       SVG "${CMAKE_CURRENT_BINARY_DIR}/abs/p.svg" METADATA with.tflite REQUESTS serial.log
                       OPTIONS --keep "a b;c/d" --keep "x\\"y$z" --pin in@0 $<1:--no-in-place>
                               $<0:--overlap> "" "$<1:a b>")
arena_codegen_add_plan(plain_plan MODEL models/big.tflite)
arena_codegen_add_plan(made_plan MODEL "${CMAKE_CURRENT_BINARY_DIR}/made.tflite" DEPENDS makes_it)
add_custom_command(OUTPUT made.tflite COMMAND ${CMAKE_COMMAND} -E touch made.tflite)
add_custom_target(makes_it DEPENDS made.tflite)
"""
WRITTEN = {
    "--output": "out/plan.h",
    "--json": "out/p.json",
    "--html": "p.html",
    "--svg": "abs/p.svg",
    "--metadata": "with.tflite",
}
HEADERS = ("all_plan_header", "plain_plan_header", "made_plan_header")


@pytest.fixture(scope="module")
def project(generator: str, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Three plans, as far as their headers: with every argument, with none, of a model that the build makes."""
    folder = tmp_path_factory.mktemp("arguments")
    project = Project(folder / "source tree", generator, echo_tool(folder))
    project.write({"CMakeLists.txt": EVERYTHING, "models/big.tflite": "model", "serial.log": "log"})
    configured = project.configure()
    assert configured.returncode == 0, configured.stderr
    assert f"-- arena-codegen {VERSION}: {project.tool}\n" in configured.stdout
    assert project.ok(*HEADERS).plans == 3
    return project


def value(arguments: list[str], option: str) -> str:
    return arguments[arguments.index(option) + 1]


def test_inputs_are_relative_to_the_source_and_outputs_to_the_binary_directory(project: Project) -> None:
    arguments = (project.build / "out/plan.h").read_text().splitlines()
    assert arguments[0] == f"{project.source}/models/big.tflite"
    assert value(arguments, "--requests") == f"{project.source}/serial.log"
    for option, name in WRITTEN.items():
        assert value(arguments, option) == f"{project.build}/{name}"
        assert (project.build / name).exists()


def test_options_arrive_as_they_were_written(project: Project) -> None:
    arguments = (project.build / "out/plan.h").read_text().splitlines()
    options = arguments[arguments.index("--keep") :]
    if project.generator == "Unix Makefiles":
        options = options[: options.index("--stamp")]
    assert options == ["--keep", "a b;c/d", "--keep", 'x"y$z', "--pin", "in@0", "--no-in-place", "a b"]


def test_without_output_and_prefix_the_model_s_name_gives_both(project: Project) -> None:
    arguments = (project.build / "arena_codegen/plain_plan/big_plan.h").read_text().splitlines()
    assert value(arguments, "--prefix") == "big"


def test_a_touched_request_log_plans_that_model_alone(project: Project) -> None:
    (project.source / "serial.log").touch()
    assert project.ok(*HEADERS).plans == 1
    assert project.ok(*HEADERS).plans == 0


def test_every_output_comes_back_when_it_was_deleted(project: Project) -> None:
    for name in WRITTEN.values():
        (project.build / name).unlink()
        assert project.ok(*HEADERS).plans == 1
        assert (project.build / name).exists()
    assert project.ok(*HEADERS).plans == 0


def test_the_same_build_tree_serves_several_configurations(tmp_path: Path, ninja: str) -> None:
    project = Project(tmp_path / "source", f"{ninja} Multi-Config", echo_tool(tmp_path))
    project.write({"CMakeLists.txt": "arena_codegen_add_plan(p MODEL m.tflite)\n", "m.tflite": "model"})
    assert project.configure().returncode == 0
    assert project.ok("p_header").plans == 1
    assert "no work to do" in project.ok("p_header").text


NO_NAME = "is no C identifier, or one that C or C++ reserve; for example PREFIX"
WRONG_CALLS = {
    "p": "no MODEL given: arena_codegen_add_plan(p MODEL kws.tflite)",
    "p MODEL": "MODEL has no value",
    "p MODEL none.tflite": "there is no file @SOURCE@/none.tflite",
    "p MODEL m.tflite n.tflite": "unknown arguments: n.tflite",
    "p MODEL m.tflite ALIGN 16": "unknown arguments: ALIGN 16",
    "p MODEL m.tflite REQUESTS none.log": "there is no file @SOURCE@/none.log",
    "taken MODEL m.tflite": "there is a target taken already",
    "p MODEL m.tflite PREFIX 2kws": f"PREFIX 2kws {NO_NAME} model_2kws",
    "p MODEL m.tflite PREFIX my-kws": f"PREFIX my-kws {NO_NAME} my_kws",
    "p MODEL m.tflite PREFIX class": f"PREFIX class {NO_NAME} class_model",
    "p MODEL modèle.tflite": "PREFIX is needed: CMake cannot make a C name from modèle.tflite",
    "p MODEL m.tflite OUTPUT $<CONFIG>/p.h": "OUTPUT takes no generator expression: $<CONFIG>/p.h",
    "p MODEL m.tflite JSON a.x HTML a.x": "HTML @BUILD@/a.x is an output of p already",
    "p MODEL m.tflite OUTPUT taken.h": "OUTPUT @BUILD@/taken.h is an output of other already",
    "p MODEL m.tflite OPTIONS --json p.json": "OPTIONS --json: use the argument JSON p.json",
    "p MODEL m.tflite OPTIONS --prefix=x": "OPTIONS --prefix=x: use the argument PREFIX x",
    "p MODEL m.tflite OPTIONS -o p.h": "OPTIONS -o: the function sets it itself",
}


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory, ninja: str) -> Project:
    folder = tmp_path_factory.mktemp("wrong")
    lists = """
        add_custom_target(taken)
        arena_codegen_add_plan(other MODEL m.tflite OUTPUT taken.h)
        include(call.cmake)
    """
    project = Project(folder / "source", ninja, echo_tool(folder))
    project.write({"CMakeLists.txt": lists, "m.tflite": "model", "modèle.tflite": "model"})
    return project


@pytest.mark.parametrize("call", WRONG_CALLS)
def test_a_wrong_call_stops_the_configuration_and_says_why(wrong: Project, call: str) -> None:
    wrong.write({"call.cmake": f"arena_codegen_add_plan({call})\n"})
    done = wrong.configure()
    assert done.returncode != 0
    wanted = f"arena_codegen_add_plan({call.split()[0]}): {WRONG_CALLS[call]}"
    wanted = wanted.replace("@SOURCE@", str(wrong.source)).replace("@BUILD@", str(wrong.build))
    assert "".join(wanted.split()) in "".join(done.stderr.split()), done.stderr


def test_a_project_without_c_and_c_plus_plus_is_told(tmp_path: Path, ninja: str) -> None:
    project = Project(tmp_path / "source", ninja, echo_tool(tmp_path))
    project.write({"CMakeLists.txt": "arena_codegen_add_plan(p MODEL m.tflite)", "m.tflite": ""}, languages="NONE")
    done = project.configure()
    assert done.returncode != 0
    assert "the project has neither C nor C++" in done.stderr
