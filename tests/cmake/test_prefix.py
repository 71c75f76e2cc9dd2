"""CMake knows the prefix before the tool runs, by the tool's own rules."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from arena_codegen.errors import UsageError
from arena_codegen.names import RESERVED, c_prefix, check_prefix
from tests.cmake.project import CMAKE_DIR

WORDS = sorted(RESERVED)
FILES = [
    *(f"{word}.tflite" for word in WORDS),
    *("kws.tflite", "KWS-v2.1.TFLITE", "9lives.tflite", "_a__b_.bin", "---.lite", ".tflite", "model", "model.onnx"),
    *("kws.tflite.tflite", "two words (int8) [new] {x} $5 #1.tflite", "semi;colon.tflite", "a" * 48, "a" * 49 + ".fb"),
    *("a" * 38 + "--" + "b" * 20 + ".tflite", "9" * 44, "x-" * 40, "-" * 60, "12345678" * 6 + ".tflite"),
    *(f"{'long name ' * 5}{number}.tflite" for number in range(40)),
]
PREFIXES = [*WORDS, "kws", "KWS", "k2", "k_2", "_k", "k_", "k__w", "2k", "k-w", "k w", "", "é", "k;w", "x" * 200]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What CMake says of each file and of each prefix."""
    folder = tmp_path_factory.mktemp("prefix")
    calls = [_call("_arena_codegen_c_prefix", name) for name in FILES]
    calls += [_call("_arena_codegen_is_prefix", name) for name in PREFIXES]
    start = f'cmake_minimum_required(VERSION 3.20)\ninclude("{CMAKE_DIR}/ArenaCodegenPrefix.cmake")\n'
    (folder / "ask.cmake").write_text(start + "".join(calls))
    command = ["cmake", "-P", str(folder / "ask.cmake")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    lines = done.stderr.splitlines()
    return {"files": lines[: len(FILES)], "prefixes": lines[len(FILES) :]}


def _call(function: str, name: str) -> str:
    return f'{function}(answer [==[{name}]==])\nmessage("${{answer}}")\n'


def test_the_default_prefix_is_the_tool_s(answers: dict[str, list[str]]) -> None:
    assert answers["files"] == [c_prefix(name) for name in FILES]


def test_a_prefix_is_legal_where_the_tool_takes_it(answers: dict[str, list[str]]) -> None:
    assert answers["prefixes"] == ["TRUE" if taken(name) else "FALSE" for name in PREFIXES]


def taken(prefix: str) -> bool:
    try:
        return check_prefix(prefix) == prefix
    except UsageError:
        return False


def test_the_reserved_words_stand_in_the_module(answers: dict[str, list[str]]) -> None:
    text = (Path(CMAKE_DIR) / "ArenaCodegenPrefix.cmake").read_text()
    inside = text[text.index("set(reserved") : text.index('if("${name}" IN_LIST reserved)')]
    words = {word.strip(")") for line in inside.splitlines()[1:] if "#" not in line for word in line.split()}
    assert words == RESERVED
