"""Every kernel on the board and on the host, against real TFLM: operators of random shapes and parameters, side by
side.

They stand in several programs, since TFLM preserves 1024 tensors at most.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_codegen.verify.findings import BIT_EXACT, TOLERATED, Computed, Inference
from tests.firmware import (
    block_cases,
    kernel_cases,
    matrix_cases,
    movement_cases,
    number_cases,
    pick_cases,
    recurrent_cases,
    signal_cases,
    wide_cases,
)
from tests.firmware.inferences import Prepared, compute, prepare, run_on_host
from tests.firmware.kernel_cases import Case
from tests.support.tools import need_cmsis, need_package

PROGRAMS: tuple[dict[str, tuple[Case, ...]], ...] = (
    {**kernel_cases.GROUPS, **block_cases.GROUPS},
    {**movement_cases.GROUPS, **recurrent_cases.GROUPS},
    {**number_cases.GROUPS, **signal_cases.GROUPS, **wide_cases.GROUPS},
    {**pick_cases.GROUPS, **matrix_cases.GROUPS},
)
GROUPS = [(program, group) for program, groups in enumerate(PROGRAMS) for group in groups]


def cases(program: int) -> tuple[Case, ...]:
    return tuple(case for group in PROGRAMS[program].values() for case in group)


@pytest.fixture(scope="module")
def prepared() -> list[Prepared]:
    need_package("tflite_micro")
    need_cmsis()
    return [prepare(kernel_cases.model_of(cases(program))) for program in range(len(PROGRAMS))]


@pytest.fixture(scope="module")
def computed(prepared: list[Prepared], arm_gcc: str, qemu: str, stub_cache: Path) -> Iterator[list[Inference]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena_codegen.verify.inference.cache_folder", lambda: stub_cache)
        yield [compute(one) for one in prepared]


def of_group(computed: list[Inference], program: int, name: str) -> tuple[Computed, ...]:
    groups = PROGRAMS[program]
    start = sum(len(groups[other]) for other in list(groups)[: list(groups).index(name)])
    return computed[program].operators[start : start + len(groups[name])]


@pytest.mark.parametrize(("program", "group"), GROUPS)
def test_kernels_agree_with_tflm_on_the_board(computed: list[Inference], program: int, group: str) -> None:
    assert computed[program].failures == ()
    operators = of_group(computed, program, group)
    assert len(operators) == len(PROGRAMS[program][group])
    assert {one.verdict for one in operators} <= {BIT_EXACT, TOLERATED}


def test_whole_numbers_are_bit_exact(prepared: list[Prepared], computed: list[Inference]) -> None:
    for one, verdict in zip(prepared, computed, strict=True):
        tensors = one.network.tensors
        for operator, row in zip(one.network.model.subgraphs[0].operators, verdict.operators, strict=True):
            if all(tensors[output].dtype.name != "FLOAT32" for output in operator.outputs):
                assert row.verdict == BIT_EXACT, operator.label


def test_every_operator_took_instructions(computed: list[Inference]) -> None:
    assert all(row.instructions > 0 for verdict in computed for row in verdict.operators)


def test_saturation_is_met_at_both_ends(prepared: list[Prepared]) -> None:
    """The cases are worth something: outputs reach the ends of their range, and values between them."""
    first = prepared[0]
    outputs = [golden.tensors[flat] for golden in first.goldens for flat in first.network.model.subgraphs[0].outputs]
    bytes_ = [array for array in outputs if array is not None and array.dtype == "int8"]
    assert sum(bool((array == -128).any()) for array in bytes_) > 100
    assert sum(bool((array == 127).any()) for array in bytes_) > 100
    assert sum(len(set(array.ravel().tolist())) > 8 for array in bytes_) > 400


@pytest.mark.parametrize("program", range(len(PROGRAMS)))
def test_kernels_agree_with_tflm_on_the_host_under_sanitizers(
    prepared: list[Prepared], program: int, tmp_path: Path
) -> None:
    verdict, said = run_on_host(prepared[program], tmp_path, "address,undefined")
    assert (verdict.failures, said) == ((), "")
    assert verdict.points > len(cases(program))
