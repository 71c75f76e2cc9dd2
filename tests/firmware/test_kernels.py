"""Every kernel on the board and on the host, against real TFLM: operators of random shapes and parameters, in one program."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_codegen.verify.findings import BIT_EXACT, TOLERATED, Computed, Inference
from tests.firmware import block_cases, kernel_cases
from tests.firmware.inferences import Prepared, compute, prepare, run_on_host
from tests.support.tools import need_cmsis, need_package

GROUPS = {**kernel_cases.GROUPS, **block_cases.GROUPS}
CASES = tuple(case for group in GROUPS.values() for case in group)


@pytest.fixture(scope="module")
def prepared() -> Prepared:
    need_package("tflite_micro")
    need_cmsis()
    return prepare(kernel_cases.model_of(CASES))


@pytest.fixture(scope="module")
def computed(prepared: Prepared, arm_gcc: str, qemu: str, stub_cache: Path) -> Iterator[Inference]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena_codegen.verify.inference.cache_folder", lambda: stub_cache)
        yield compute(prepared)


def of_group(computed: Inference, name: str) -> tuple[Computed, ...]:
    first = list(GROUPS).index(name)
    start = sum(len(group) for group in list(GROUPS.values())[:first])
    return computed.operators[start : start + len(GROUPS[name])]


@pytest.mark.parametrize("group", GROUPS)
def test_kernels_agree_with_tflm_on_the_board(computed: Inference, group: str) -> None:
    assert computed.failures == ()
    operators = of_group(computed, group)
    assert len(operators) == len(GROUPS[group])
    assert {one.verdict for one in operators} <= {BIT_EXACT, TOLERATED}


def test_whole_numbers_are_bit_exact(prepared: Prepared, computed: Inference) -> None:
    tensors = prepared.network.tensors
    for operator, row in zip(prepared.network.model.subgraphs[0].operators, computed.operators, strict=True):
        if all(tensors[output].dtype.name != "FLOAT32" for output in operator.outputs):
            assert row.verdict == BIT_EXACT, operator.label


def test_every_operator_took_instructions(computed: Inference) -> None:
    assert all(one.instructions > 0 for one in computed.operators)


def test_saturation_is_met_at_both_ends(prepared: Prepared) -> None:
    """The cases are worth something: outputs reach the ends of their range, and values between them."""
    outputs = [golden.tensors[flat] for golden in prepared.goldens for flat in prepared.network.model.subgraphs[0].outputs]
    bytes_ = [array for array in outputs if array is not None and array.dtype == "int8"]
    assert sum(bool((array == -128).any()) for array in bytes_) > 100
    assert sum(bool((array == 127).any()) for array in bytes_) > 100
    assert sum(len(set(array.ravel().tolist())) > 8 for array in bytes_) > 400


def test_kernels_agree_with_tflm_on_the_host_under_sanitizers(prepared: Prepared, tmp_path: Path) -> None:
    verdict, said = run_on_host(prepared, tmp_path, "address,undefined")
    assert (verdict.failures, said) == ((), "")
    assert verdict.points > len(CASES)
