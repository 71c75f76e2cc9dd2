"""What a second build does: exactly what has to be done, with Ninja and with Make.

One project for each generator, in a path with spaces: the plan is made in one directory and used in two others. Every
test begins with all up to date, disturbs one thing, and looks at the builds that follow.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cmake.project import Build, Project, real_tool
from tests.support import models

LISTS = {
    "CMakeLists.txt": "add_subdirectory(models)\nadd_subdirectory(app)\nadd_subdirectory(voice)\n",
    "models/CMakeLists.txt": """
        arena_codegen_add_plan(kws_plan MODEL kws.tflite JSON kws.json DEPENDS notes.txt
                               OPTIONS --align ${ALIGN} $<$<BOOL:${NO_SHARING}>:--no-in-place>)
    """,
    "app/CMakeLists.txt": """
        add_executable(app main.c other.c)
        target_link_libraries(app PRIVATE kws_plan voice)
    """,
    "voice/CMakeLists.txt": """
        add_library(voice STATIC voice.c)
        target_link_libraries(voice PRIVATE kws_plan)
    """,
    "app/main.c": """
        #include "kws_plan.h"
        unsigned voice(void);
        int other(void);
        int main(void) { return !(kws_plan.arena_size == KWS_ARENA_SIZE && voice() == KWS_ARENA_SIZE && other()); }
    """,
    "app/other.c": "int other(void) { return 1; }\n",
    "voice/voice.c": """
        #include "kws_plan.h"
        unsigned voice(void) { return kws_arena[0] == 0 ? kws_plan.arena_size : 0; }
    """,
}
USERS = {"main.c.o", "voice.c.o", "kws_plan.c.o"}
SMALL, LARGE = models.chain(3, (1, 16)), models.chain(3, (1, 64))


@pytest.fixture(scope="module")
def built(generator: str, tmp_path_factory: pytest.TempPathFactory) -> Project:
    folder = tmp_path_factory.mktemp("with spaces") / "a b"
    extra = folder / "source tree" / "extra.txt"
    project = Project(extra.parent, generator, real_tool(folder, also_reads=extra))
    project.write({**LISTS, "models/kws.tflite": SMALL, "models/notes.txt": "", "extra.txt": ""})
    project.up("-DALIGN=16")
    return project


@pytest.fixture
def project(built: Project) -> Project:
    """The project with all up to date, whatever the test before did."""
    built.ok()
    return built


def rested(project: Project) -> bool:
    """True where the next build has no work at all."""
    after: Build = project.ok()
    if project.generator == "Ninja":
        return "no work to do" in after.text
    return not re.search("Planning|Copying|Building|Linking", after.text) and after.plans == 0 and not after.compiled


def header(project: Project) -> Path:
    return project.build / "models" / "arena_codegen" / "kws_plan" / "kws_plan.h"


def test_a_second_build_has_no_work(project: Project) -> None:
    assert rested(project)


def test_a_touched_model_is_planned_once_and_compiles_nothing(project: Project) -> None:
    (project.source / "models/kws.tflite").touch()
    after = project.ok()
    assert (after.plans, after.compiled) == (1, set())
    assert rested(project)


def test_a_changed_plan_compiles_those_who_include_it_and_nobody_else(project: Project) -> None:
    model = project.source / "models/kws.tflite"
    model.write_bytes(LARGE if model.read_bytes() == SMALL else SMALL)
    after = project.ok()
    assert (after.plans, after.compiled) == (1, USERS)
    assert rested(project)


@pytest.mark.parametrize("disturbed", ["models/notes.txt", "extra.txt"], ids=["DEPENDS", "depfile"])
def test_a_touched_dependency_plans_once(project: Project, disturbed: str) -> None:
    (project.source / disturbed).touch()
    after = project.ok()
    assert (after.plans, after.compiled) == (1, set())
    assert rested(project)


def test_a_tool_that_was_replaced_plans_again(project: Project) -> None:
    project.tool.touch()
    assert project.ok().plans == 1
    assert rested(project)


def test_a_deleted_header_comes_back(project: Project) -> None:
    text = header(project).read_bytes()
    header(project).unlink()
    assert project.ok().plans == 1
    assert header(project).read_bytes() == text
    assert rested(project)


def test_a_deleted_folder_comes_back(project: Project) -> None:
    for path in header(project).parent.iterdir():
        path.unlink()
    header(project).parent.rmdir()
    assert project.ok().plans == 1
    assert header(project).exists()
    assert rested(project)


def test_a_deleted_by_product_comes_back_and_compiles_nothing(project: Project) -> None:
    (project.build / "models/kws.json").unlink()
    after = project.ok()
    assert (after.plans, after.compiled) == (1, set())
    assert (project.build / "models/kws.json").exists()
    assert rested(project)


def test_changed_options_plan_again(project: Project) -> None:
    assert project.configure("-DALIGN=32").returncode == 0
    after = project.ok()
    assert (after.plans, after.compiled) == (1, USERS)
    assert "KWS_ARENA_ALIGNMENT 32" in " ".join(header(project).read_text().split())
    assert rested(project)


def test_configuring_again_has_no_work(project: Project) -> None:
    assert project.configure().returncode == 0
    assert rested(project)


def test_a_model_that_cannot_be_read_stops_the_build_and_leaves_no_header(project: Project) -> None:
    header(project).unlink()
    model = project.source / "models/kws.tflite"
    whole = model.read_bytes()
    model.write_bytes(whole[:40])
    failed = project.make()
    assert failed.code != 0
    assert "error: " in failed.text
    assert failed.compiled == set()
    assert not header(project).exists()
    model.write_bytes(whole)
    assert project.ok().plans == 1


def test_cleaning_takes_every_output_away_and_the_next_build_brings_it_back(project: Project) -> None:
    project.ok("clean")
    assert not header(project).exists()
    assert not (project.build / "models/kws.json").exists()
    assert project.ok().plans == 1
    assert rested(project)
