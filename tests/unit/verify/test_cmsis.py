"""Finding CMSIS-NN: folders that the user names, their version, and what is missing."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from arena_codegen.errors import ToolError
from arena_codegen.verify import cmsis, tools
from arena_codegen.verify.tools import Ended


def folders(root: Path, revision: str = "V.11.2.0") -> tuple[Path, Path]:
    """CMSIS-NN and CMSIS-Core, as far as it is looked at."""
    nn, core = root / "cmsis_nn", root / "cmsis_core"
    for folder in (nn / "Include", core / "Include", nn / "Source" / "PoolingFunctions"):
        folder.mkdir(parents=True)
    (nn / "Include" / "arm_nnfunctions.h").write_text(f"/* $Revision:    {revision} */\n")
    (core / "Include" / "cmsis_compiler.h").write_text("")
    for name in ("arm_max_pool_s8.c", "arm_max_pool_f32.c", "arm_max_pool_s16.c", "arm_max_pool_f16_nhwc.c"):
        (nn / "Source" / "PoolingFunctions" / name).write_text("")
    return nn, core


def test_a_folder_that_the_user_names_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nn, core = folders(tmp_path)
    monkeypatch.setenv("CMSIS_NN_DIR", str(nn))
    monkeypatch.delenv("CMSIS_CORE_DIR", raising=False)
    found = cmsis.find_sources()
    assert (found.nn, found.core, found.version, found.kernels) == (nn, core, "4.0.0", "cmsis-nn-4.0")


@pytest.mark.parametrize(
    ("revision", "version", "kernels"),
    [
        ("V.19.1.0", "revision 19.1.0", "cmsis-nn"),
        ("V.12.0.0", "revision 12.0.0", None),
        ("", "revision unknown", None),
    ],
)
def test_the_version_is_read_from_the_header(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, revision: str, version: str, kernels: str | None
) -> None:
    nn, _ = folders(tmp_path, revision)
    monkeypatch.setenv("CMSIS_NN_DIR", str(nn))
    found = cmsis.find_sources()
    assert (found.version, found.kernels) == (version, kernels)


def test_floating_point_kernels_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nn, _ = folders(tmp_path)
    monkeypatch.setenv("CMSIS_NN_DIR", str(nn))
    assert [path.name for path in cmsis.find_sources().part.sources] == ["arm_max_pool_s16.c", "arm_max_pool_s8.c"]


@pytest.mark.parametrize(
    ("gone", "message"),
    [
        ("cmsis_nn/Include/arm_nnfunctions.h", "CMSIS_NN_DIR=.* has no Include/arm_nnfunctions.h"),
        ("cmsis_core/Include/cmsis_compiler.h", "CMSIS_CORE_DIR=.* has no Include/cmsis_compiler.h"),
    ],
)
def test_a_header_that_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gone: str, message: str
) -> None:
    nn, _ = folders(tmp_path)
    (tmp_path / gone).unlink()
    monkeypatch.setenv("CMSIS_NN_DIR", str(nn))
    with pytest.raises(ToolError, match=message):
        cmsis.find_sources()


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Neither a folder of the user's nor one of a checkout; an empty cache."""
    monkeypatch.delenv("CMSIS_NN_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(cmsis.resources, "firmware", lambda: tmp_path / "nowhere" / "firmware_stub")
    return tmp_path / "cache" / "arena-codegen"


def test_pip_fills_the_cache_on_first_use_and_never_again(
    empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders(tmp_path / "wheel" / cmsis.VENDOR)
    calls = []

    def pip(command: list[str], *, timeout: float, folder: Path | None = None) -> Ended:
        calls.append(command)
        target = Path(command[command.index("--dest") + 1]) / "bakenn.whl"
        with zipfile.ZipFile(target, "w") as wheel:
            for path in sorted((tmp_path / "wheel").rglob("*")):
                wheel.write(path, path.relative_to(tmp_path / "wheel"))
            wheel.writestr("bakenn/compiler.py", "raise SystemExit")
        return Ended(0, "", "")

    monkeypatch.setattr(tools, "run", pip)
    assert cmsis.find_sources().version == "4.0.0"
    assert cmsis.find_sources().version == "4.0.0"
    assert len(calls) == 1
    assert calls[0][-1] == cmsis.WHEEL
    assert [path.name for path in empty_cache.iterdir()] == ["cmsis-bakenn-1.0.0"]
    assert not list(empty_cache.rglob("compiler.py"))


def test_offline_is_said_in_one_line(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "run", lambda command, **rest: Ended(1, "", "no network\nat all"))
    with pytest.raises(ToolError) as error:
        cmsis.find_sources()
    assert error.value.findings[0].what == f"CMSIS-NN is not there and pip cannot download it ({cmsis.WHEEL})"
    assert "CMSIS_NN_DIR" in error.value.findings[0].hint
    assert not empty_cache.exists() or not list(empty_cache.iterdir())
