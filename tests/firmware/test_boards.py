"""Boards: they compile and link, and everything lies where the board has memory for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena_codegen.errors import FitError
from arena_codegen.verify.board import BOARDS, MPS2_AN386, STM32F4, STM32F746, Board, Memory, section_for
from arena_codegen.verify.cmsis import find_sources
from arena_codegen.verify.firmware import build
from arena_codegen.verify.flash import build_for_flash
from arena_codegen.verify.inference import HEADER, NETWORK, PREFIX, inference_parts, render_inference
from arena_codegen.verify.section_map import Section, misplaced, read_section_map
from tests.firmware.inferences import Prepared, prepare
from tests.firmware.plans import layout_of, model_of
from tests.support import models
from tests.support.tools import need_cmsis, need_package

pytestmark = pytest.mark.usefixtures("arm_gcc")


@pytest.fixture
def folder(tmp_path: Path, stub_cache: Path) -> Path:
    """A build folder that shares what was compiled for the same board."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "stub").symlink_to(stub_cache)
    return tmp_path / "out"


ZONES = [(board, memory) for board in BOARDS.values() for memory in board.memories]


def only(board: Board, memory: Memory) -> Board:
    """The board with this memory as the first choice."""
    return replace(board, memories=(memory, *(other for other in board.memories if other is not memory)))


@pytest.mark.parametrize(("board", "memory"), ZONES, ids=[f"{board.folder} {memory.name}" for board, memory in ZONES])
def test_a_program_lies_in_the_board_s_memories(board: Board, memory: Memory, folder: Path) -> None:
    model = model_of(models.depthwise_cnn())
    made = build_for_flash(model, layout_of(model), only(board, memory), folder)
    assert made.memory == memory.name
    assert memory.origin <= made.address < memory.origin + memory.bytes


@pytest.mark.parametrize("board", [STM32F4, STM32F746], ids=lambda board: board.folder)
def test_inference_with_kernels_links_for_a_board(board: Board, folder: Path) -> None:
    need_package("tflite_micro")
    need_cmsis()
    prepared: Prepared = prepare(models.depthwise_cnn())
    generated = render_inference(prepared.network, prepared.layout, prepared.goldens, board)
    program = build(generated, NETWORK, folder, folder / "stub", board, inference_parts(find_sources(), board))
    assert list(misplaced(read_section_map(program), board, f"{PREFIX}_arena", board.memories[0])) == []
    assert HEADER in generated


def test_weights_are_aligned_constants_in_code_memory_and_nothing_is_allocated(folder: Path) -> None:
    need_package("tflite_micro")
    need_cmsis()
    prepared = prepare(models.depthwise_cnn())
    generated = render_inference(prepared.network, prepared.layout, prepared.goldens)
    program = build(generated, NETWORK, folder, folder / "stub", parts=inference_parts(find_sources()))
    symbols = read_section_map(program).symbols
    weights = {name: place for name, place in symbols.items() if name.startswith("constant_")}
    assert len(weights) >= 8
    for name, (address, size) in weights.items():
        assert address % 16 == 0, name
        assert address + size <= MPS2_AN386.code_bytes, name
    assert not {"malloc", "_malloc_r", "free", "_sbrk", "printf", "vfprintf", "sprintf", "snprintf"} & set(symbols)


def test_file_names_of_the_stub_are_unique() -> None:
    """Objects of all parts are linked together and lie side by side in the cache."""
    need_cmsis()
    for board in BOARDS.values():
        stems = [source.stem for part in inference_parts(find_sources(), board) for source in part.sources]
        assert sorted(set(stems)) == sorted(stems)


@pytest.mark.parametrize(
    ("board", "size", "memory"),
    [
        (STM32F4, 100_000, ".noinit.arena_sram"),
        (STM32F746, 200_000, ".noinit.arena_sram"),
        (MPS2_AN386, 5_000_000, ".noinit.arena_psram"),
    ],
)
def test_an_arena_goes_where_it_fits(board: Board, size: int, memory: str) -> None:
    assert section_for(layout_of(model_of(models.chain())), size, board) == memory


@pytest.mark.parametrize(("board", "size"), [(STM32F4, 120_000), (STM32F746, 262_144), (MPS2_AN386, 17_000_000)])
def test_an_arena_beyond_the_board_is_refused(board: Board, size: int) -> None:
    with pytest.raises(FitError, match=f"{board.name} has"):
        section_for(layout_of(model_of(models.chain())), size, board)


def test_what_lies_elsewhere_is_named(folder: Path) -> None:
    """The check can fail: a section beyond the flash, an arena in another memory."""
    model = model_of(models.chain())
    made = build_for_flash(model, layout_of(model), STM32F4, folder)
    found = read_section_map(made.program)
    far = replace(found, sections=(*found.sections, Section(".far", 0x08100000, 4, True)))
    assert list(misplaced(far, STM32F4, "judged_arena", STM32F4.memories[0])) == [
        ".far [0x8100000, 0x8100004) lies in no memory of stm32f4"
    ]
    elsewhere = list(misplaced(found, STM32F4, "judged_arena", STM32F4.memories[1]))
    assert len(elsewhere) == 1
    assert "and its guard zones are not in CCM" in elsewhere[0]
