"""Runs that do not end as they should: the operator that was running is named."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from arena_codegen import resources
from arena_codegen.errors import VerdictError
from arena_codegen.verify.cmsis import find_sources
from arena_codegen.verify.inference import run_inference
from tests.firmware.inferences import Prepared, prepare, run_on_host
from tests.support import models
from tests.support.tools import need_cmsis, need_package

pytestmark = pytest.mark.usefixtures("arm_gcc", "qemu")

Edit = Callable[[str, str, str], None]


@pytest.fixture(scope="module")
def residual() -> Prepared:
    need_package("tflite_micro")
    need_cmsis()
    return prepare(models.residual())


@pytest.fixture
def out(tmp_path: Path, stub_cache: Path) -> Path:
    """A build folder in which what was not edited is compiled already."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "stub").symlink_to(stub_cache)
    return tmp_path / "out"


@pytest.fixture
def stub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Edit:
    """Replaces text in a copy of the stub, which is built from then on."""
    copy = tmp_path / "stub copy"
    shutil.copytree(resources.firmware(), copy)
    monkeypatch.setattr(resources, "firmware", lambda: copy)

    def edit(file: str, old: str, new: str) -> None:
        text = (copy / file).read_text()
        assert old in text
        (copy / file).write_text(text.replace(old, new))

    return edit


def run(prepared: Prepared, folder: Path, timeout: float = 60.0) -> str:
    """What is said of a run that must not end well."""
    with pytest.raises(VerdictError) as error:
        run_inference(
            prepared.network, prepared.layout, prepared.goldens, find_sources(), build_dir=folder, timeout=timeout
        )
    finding = error.value.findings[0]
    return f"{finding.what}\n{finding.hint}"


RUN = "static bool run(const kernel_call_t *call) {\n    const kernel_add_t *p = call->params;"


def test_a_fault_names_the_operator(residual: Prepared, stub: Edit, out: Path) -> None:
    stub("kernels/add.c", RUN, f"{RUN}\n    *(volatile uint32_t *)0x18000000u = 0u;")
    said = run(residual, out)
    assert said.startswith("the board stopped: MemManage fault at address 0x18000000")
    assert "during op 2 ADD" in said


def test_a_hang_names_the_operator(residual: Prepared, stub: Edit, out: Path) -> None:
    stub("kernels/add.c", RUN, f"{RUN}\n    for (volatile int32_t on = 1; on != 0;) {{\n    }}")
    stub("inference/main.c", "PATIENCE_SECONDS 20u", "PATIENCE_SECONDS 1u")
    said = run(residual, out)
    assert "no progress for 1 seconds during op 2 ADD" in said


def test_a_run_that_is_ended_from_outside_names_the_operator(residual: Prepared, stub: Edit, out: Path) -> None:
    stub("kernels/add.c", RUN, f"{RUN}\n    for (volatile int32_t on = 1; on != 0;) {{\n    }}")
    said = run(residual, out, timeout=2.0)
    assert "the board did not end within 2 seconds" in said
    assert "it said last: # op 2 ADD" in said


def test_a_library_that_refuses_names_the_operator(residual: Prepared, stub: Edit, out: Path) -> None:
    stub("kernels/add.c", RUN, f"{RUN}\n    if (call->scratch_bytes != NULL) {{\n        return false;\n    }}")
    verdict = run_inference(residual.network, residual.layout, residual.goldens, find_sources(), build_dir=out)
    assert verdict.failures[0].what == "op 2 ADD: the kernel library refuses its arguments"


def test_a_kernel_that_is_wrong_is_blamed_itself(residual: Prepared, stub: Edit, out: Path) -> None:
    stub("kernels/add.c", "fixed_scaled(sum, p->output_scale) + p->output_offset", "fixed_scaled(sum, p->output_scale)")
    stub("kernels/add.c", "fixed_clamp(scaled,", "fixed_clamp(scaled + 1,")
    verdict = run_inference(residual.network, residual.layout, residual.goldens, find_sources(), build_dir=out)
    assert "op 2 ADD computes 'out'" in verdict.failures[0].what
    assert verdict.failures[0].hint == "nobody else lives in those bytes: the kernel is wrong"


def test_sanitizers_see_one_element_too_many(stub: Edit, tmp_path: Path) -> None:
    need_package("tflite_micro")
    need_cmsis()
    last = prepare(models.residual(), strategy="naive")
    stub("kernels/add.c", "pair_count(&p->pair)", "pair_count(&p->pair) + 1")
    with pytest.raises(AssertionError, match="AddressSanitizer: global-buffer-overflow"):
        run_on_host(last, tmp_path, "address,undefined")
