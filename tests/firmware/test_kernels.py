"""Every kernel on the board and on the host, against real TFLM: operators of random shapes and parameters, side by
side in one program.

TFLM preserves 1024 tensors at most, so it computes them in several models; what it says is put together again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

import pytest

from arena_codegen.inference import Network, describe
from arena_codegen.resources import firmware
from arena_codegen.verify.findings import BIT_EXACT, TOLERATED, Computed, Inference
from arena_codegen.verify.golden import Golden, run_tflm
from arena_codegen.verify.vectors import VECTORS
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
from tests.firmware.plans import model_of
from tests.support.tools import need_cmsis, need_package

MODULES = (
    kernel_cases, block_cases, movement_cases, recurrent_cases, number_cases, signal_cases, wide_cases, pick_cases,
    matrix_cases,
)  # fmt: skip
GROUPS: dict[str, tuple[Case, ...]] = {name: group for module in MODULES for name, group in module.GROUPS.items()}
CASES = tuple(case for group in GROUPS.values() for case in group)
FIRST = dict(zip(GROUPS, accumulate(map(len, GROUPS.values()), initial=0), strict=False))
"""The first case of each group, which is also its first operator."""

AT_ONCE = 150
"""Cases that TFLM gets in one model: fewer than 1024 tensors."""


def golden() -> tuple[Golden, ...]:
    """What TFLM says of the one model, from models of some cases each."""
    parts = []
    inputs = 0
    for first in range(0, len(CASES), AT_ONCE):
        network = describe(model_of(kernel_cases.model_of(CASES[first : first + AT_ONCE], first=first)))
        vectors = [replace(vector, seed=vector.seed + inputs) for vector in VECTORS]
        parts.append(run_tflm(network, vectors))
        inputs += len(network.model.subgraphs[0].inputs)
    return tuple(
        Golden(vector, tuple(tensor for part in parts for tensor in part[invocation].tensors))
        for invocation, vector in enumerate(VECTORS)
    )


@pytest.fixture(scope="module")
def prepared() -> Prepared:
    need_package("tflite_micro")
    need_cmsis()
    return prepare(kernel_cases.model_of(CASES), golden(), effort="quick")


@pytest.fixture(scope="module")
def computed(prepared: Prepared, arm_gcc: str, qemu: str, stub_cache: Path) -> Iterator[Inference]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena_codegen.verify.inference.cache_folder", lambda: stub_cache)
        yield compute(prepared)


def of_group(computed: Inference, name: str) -> tuple[Computed, ...]:
    return computed.operators[FIRST[name] : FIRST[name] + len(GROUPS[name])]


def test_groups_have_names_of_their_own() -> None:
    assert len(GROUPS) == sum(len(module.GROUPS) for module in MODULES)


def test_every_kernel_has_a_case() -> None:
    network = describe(model_of(kernel_cases.model_of(CASES)))
    text = "".join(path.read_text(encoding="utf-8") for path in sorted((firmware() / "kernels").glob("*.c")))
    assert {call.kernel for call in network.calls[0]} == set(re.findall(r"^const kernel_t kernel_(\w+) =", text, re.M))


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
    assert all(row.instructions > 0 for row in computed.operators)


def test_saturation_is_met_at_both_ends(prepared: Prepared) -> None:
    """The cases are worth something: outputs reach the ends of their range, and values between them."""
    outputs = [golden.tensors[flat] for golden in prepared.goldens for flat in outputs_of(prepared.network)]
    bytes_ = [array for array in outputs if array is not None and array.dtype == "int8"]
    assert sum(bool((array == -128).any()) for array in bytes_) > 100
    assert sum(bool((array == 127).any()) for array in bytes_) > 100
    assert sum(len(set(array.ravel().tolist())) > 8 for array in bytes_) > 400


def outputs_of(network: Network) -> tuple[int, ...]:
    return network.model.subgraphs[0].outputs


def test_kernels_agree_with_tflm_on_the_host_under_sanitizers(prepared: Prepared, tmp_path: Path) -> None:
    verdict, said = run_on_host(prepared, tmp_path, "address,undefined")
    assert (verdict.failures, said) == ((), "")
    assert verdict.points > len(CASES)
