"""Plans inside programs: which languages, how many arenas, whose flags, and a program for the Cortex-M4."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cmake.project import Project, real_tool
from tests.support import models
from tests.support.tools import ROOT, need_tool

WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wundef -Wshadow -Werror"
TOOLCHAIN = """
    set(CMAKE_SYSTEM_NAME Generic)
    set(CMAKE_SYSTEM_PROCESSOR arm)
    set(CMAKE_C_COMPILER arm-none-eabi-gcc)
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
"""
STUB_TOOLCHAIN = ROOT / "firmware_stub" / "cmake" / "arm-none-eabi.cmake"


@pytest.fixture(scope="session")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return real_tool(tmp_path_factory.mktemp("tool"))


def symbols(path: Path, nm: str = "nm") -> list[str]:
    """Names that a program or a library defines, one for each definition."""
    listing = subprocess.run([nm, "-A", str(path)], capture_output=True, text=True, check=True, timeout=60).stdout
    return [line.split()[-1] for line in listing.splitlines() if line.split()[-2] in "BbDdRrTtCV"]


def run(path: Path) -> int:
    return subprocess.run([str(path)], timeout=60).returncode


def test_two_plans_in_one_c_program_have_one_arena_each(tmp_path: Path, tool: Path, generator: str) -> None:
    project = Project(tmp_path / "two", generator, tool)
    project.write({
        "CMakeLists.txt": """
            arena_codegen_add_plan(kws_plan MODEL kws.tflite)
            arena_codegen_add_plan(vad_plan MODEL nested/wake-word.tflite PREFIX vad OUTPUT include/vad.h)
            add_library(middle OBJECT middle.c)
            target_link_libraries(middle PUBLIC kws_plan vad_plan)
            add_executable(app main.c)
            target_link_libraries(app PRIVATE middle)
        """,
        "main.c": """
            #include "vad.h"
            #include "kws_plan.h"
            #include <arena_codegen/plan.h>
            unsigned middle(void);
            int main(void)
            {
                return !(arena_plan_base_ok(&kws_plan, kws_arena, sizeof kws_arena)
                         && arena_plan_base_ok(&vad_plan, vad_arena, VAD_ARENA_BYTES)
                         && kws_arena + KWS_ARENA_BYTES > kws_arena && middle() == KWS_ARENA_SIZE + VAD_ARENA_SIZE);
            }
        """,
        "middle.c": """
            #include "kws_plan.h"
            #include "vad.h"
            unsigned middle(void) { return kws_plan.arena_size + vad_plan.arena_size + kws_arena[0] + vad_arena[0]; }
        """,
        "kws.tflite": models.chain(3),
        "nested/wake-word.tflite": models.residual(),
    })  # fmt: skip
    project.up(f"-DCMAKE_C_FLAGS={WARNINGS} -std=c99")
    names = symbols(project.build / "app")
    assert [names.count(name) for name in ("kws_arena", "vad_arena", "kws_plan", "vad_plan")] == [1, 1, 1, 1]
    assert run(project.build / "app") == 0
    assert project.ok().plans == 0


def test_a_project_of_c_plus_plus_alone_gets_a_cpp_file(tmp_path: Path, tool: Path, generator: str) -> None:
    need_tool("c++", "g++", "clang++")
    project = Project(tmp_path / "cpp", generator, tool)
    project.write({
        "CMakeLists.txt": """
            arena_codegen_add_plan(kws_plan MODEL kws.tflite)
            add_executable(app main.cpp)
            target_link_libraries(app PRIVATE kws_plan)
        """,
        "main.cpp": """
            #include "kws_plan.h"
            int main() { return kws_plan.arena_size == KWS_ARENA_SIZE && kws_arena[0] == 0 ? 0 : 1; }
        """,
        "kws.tflite": models.chain(3),
    }, languages="CXX")  # fmt: skip
    project.up(f"-DCMAKE_CXX_FLAGS={WARNINGS} -std=c++11")
    assert (project.build / "arena_codegen/kws_plan/kws_plan.cpp").exists()
    assert run(project.build / "app") == 0


def test_many_users_wait_for_the_header_and_no_arena_leaves_the_buffer_to_them(
    tmp_path: Path, tool: Path, generator: str
) -> None:
    users = [f"user{number}" for number in range(6)]
    project = Project(tmp_path / "many", generator, tool)
    project.write({
        "CMakeLists.txt": "".join(
            f"add_library({user} OBJECT {user}.c)\ntarget_link_libraries({user} PRIVATE kws_plan)\n" for user in users
        ) + "arena_codegen_add_plan(kws_plan MODEL kws.tflite NO_ARENA OPTIONS --arena plan)\n",
        **{f"{user}.c": f'#include "kws_plan.h"\nint {user}(void) {{ return KWS_BUFFER_COUNT; }}\n' for user in users},
        "user0.c": """
            #include "kws_plan.h"
            #ifndef KWS_PLAN_NO_ARENA
            #error "who links the plan is told as well"
            #endif
            ARENA_ALIGN(KWS_ARENA_ALIGNMENT) static uint8_t mine[KWS_ARENA_BYTES];
            int user0(void) { return arena_plan_base_ok(&kws_plan, mine, sizeof mine); }
        """,
        "kws.tflite": models.chain(3),
    })  # fmt: skip
    project.up()
    names = symbols(project.build / "libkws_plan.a")
    assert "kws_plan" in names
    assert "kws_arena" not in names


def test_a_plan_over_budget_stops_the_build_before_anything_is_compiled(
    tmp_path: Path, tool: Path, generator: str
) -> None:
    project = Project(tmp_path / "budget", generator, tool)
    project.write({
        "CMakeLists.txt": """
            arena_codegen_add_plan(kws_plan MODEL kws.tflite JSON kws.json OPTIONS --arena plan --max-arena ${LIMIT})
            add_library(user STATIC user.c)
            target_link_libraries(user PRIVATE kws_plan)
        """,
        "user.c": '#include "kws_plan.h"\nunsigned user(void) { return KWS_ARENA_SIZE; }\n',
        "kws.tflite": models.residual(),
    })  # fmt: skip
    assert project.configure("-DLIMIT=48").returncode == 0
    for _ in range(2):
        failed = project.make()
        assert failed.code != 0
        assert failed.plans == 1
        assert "error: " in failed.text
        assert "--max-arena" in failed.text
        assert failed.compiled == set()
        assert not list(project.build.rglob("kws_plan.h"))
        assert not (project.build / "kws.json").exists()
    project.up("-DLIMIT=1M")


CROSS: dict[str, str | bytes] = {
    "CMakeLists.txt": """
        add_library(mcu_flags INTERFACE)
        target_compile_options(mcu_flags INTERFACE -mcpu=cortex-m4 -mthumb)
        target_link_options(mcu_flags INTERFACE -mcpu=cortex-m4 -mthumb -nostartfiles --specs=nano.specs
                            --specs=nosys.specs -Wl,--entry=start)
        arena_codegen_add_plan(kws_plan MODEL kws.tflite)
        target_link_libraries(kws_plan PRIVATE mcu_flags)
        add_executable(firmware main.c)
        target_link_libraries(firmware PRIVATE kws_plan mcu_flags)
        set_target_properties(firmware PROPERTIES SUFFIX .elf)
    """,
    "main.c": """
        #include "kws_plan.h"
        void start(void);
        void start(void) { for (;;) { kws_arena[0] = (uint8_t)kws_plan.buffers[0].offset; } }
    """,
    "kws.tflite": models.depthwise_cnn(),
    "arm.cmake": TOOLCHAIN,
}


def check_cross(project: Project, toolchain: Path) -> None:
    """Library and program are for the core that the flags of a target name, and the program has one arena."""
    need_tool("arm-none-eabi-gcc")
    readelf, nm = need_tool("arm-none-eabi-readelf"), need_tool("arm-none-eabi-nm")
    project.write(CROSS)
    project.up(f"-DCMAKE_TOOLCHAIN_FILE={toolchain}")
    for name in ("libkws_plan.a", "firmware.elf"):
        command = [readelf, "-A", str(project.build / name)]
        told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
        assert "Tag_CPU_arch: v7E-M" in told, name
    assert symbols(project.build / "firmware.elf", nm).count("kws_arena") == 1
    assert project.ok().plans == 0


def test_a_cross_build_has_the_flags_of_its_targets(tmp_path: Path, tool: Path, generator: str) -> None:
    project = Project(tmp_path / "cross", generator, tool)
    check_cross(project, project.source / "arm.cmake")


def test_the_toolchain_file_of_the_firmware_stub_cross_builds(tmp_path: Path, tool: Path, ninja: str) -> None:
    check_cross(Project(tmp_path / "cross", ninja, tool), STUB_TOOLCHAIN)


def test_the_tool_s_own_directory_is_enough(tmp_path: Path, tool: Path, ninja: str) -> None:
    """`-DArenaCodegen_DIR=$(arena-codegen --cmake-dir)`, with the program on the PATH under another name."""
    folder = subprocess.run([str(tool), "--cmake-dir"], capture_output=True, text=True, check=True, timeout=60)
    project = Project(tmp_path / "own", ninja, tool)
    project.write({"CMakeLists.txt": "arena_codegen_add_plan(p MODEL m.tflite)\n", "m.tflite": models.chain(2)})
    project.up(f"-DArenaCodegen_DIR={folder.stdout.strip()}")
    assert (project.build / "arena_codegen/p/m_plan.h").exists()
