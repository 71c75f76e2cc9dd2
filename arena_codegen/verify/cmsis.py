"""Where the sources of CMSIS-NN are: a folder that the user names, else a wheel that pip downloads on first use.

F7. `CMSIS_NN_DIR` has `Include/` and `Source/` in it, `CMSIS_CORE_DIR` `Include/cmsis_compiler.h`. Nothing of it is
part of this project or is ever installed: it is unpacked into the user's cache.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from arena_codegen import resources
from arena_codegen.errors import Finding, ToolError
from arena_codegen.verify import tools
from arena_codegen.verify.firmware import Part, user_cache

WHEEL = "bakenn==1.0.0"
"""A wheel on PyPI that carries CMSIS-NN 4.0.0's int8 kernels and the compiler headers of CMSIS-Core, under
Apache-2.0."""

VENDOR = Path("bakenn", "backend", "cmsis_nn", "vendor")
DOWNLOAD_TIMEOUT = 120.0

VERSIONS = {"11.2.0": "4.0.0"}
"""Revisions of arm_nnfunctions.h, by which releases tell themselves apart, and the releases."""

PROFILES = {"4.0.0": "cmsis-nn-4.0", "revision 19.1.0": "cmsis-nn"}
"""Which versions the profiles of `--kernels` know the scratch sizes of; the second is the one that TFLM pins."""

KERNELS = ("ConvolutionFunctions", "FullyConnectedFunctions", "PoolingFunctions", "NNSupportFunctions")
"""Folders of `Source/` with what the firmware's kernels call."""


@dataclass(frozen=True, slots=True)
class Sources:
    """CMSIS-NN and CMSIS-Core as folders; `version` is the release, or what the header says of itself."""

    nn: Path
    core: Path
    version: str

    @property
    def kernels(self) -> str | None:
        """The `--kernels` that knows this version, None where none does."""
        return PROFILES.get(self.version)

    @property
    def includes(self) -> tuple[Path, Path]:
        return self.nn / "Include", self.core / "Include"

    @property
    def part(self) -> Part:
        """What of it is compiled: int8 kernels and what they call."""
        found = [path for folder in KERNELS for path in sorted((self.nn / "Source" / folder).glob("*.c"))]
        headers = [path for folder in self.includes for path in sorted(folder.glob("*.h"))]
        sources = tuple(path for path in found if not re.search(r"_f(16|32)(_|$)", path.stem))
        return Part(sources, tuple(headers), self.includes, ("-O3",), ours=False)


def find_sources() -> Sources:
    """The folders that the environment names, else those of the wheel. Raises ToolError."""
    named = os.environ.get("CMSIS_NN_DIR", "")
    if named:
        nn = Path(named)
        core = Path(os.environ.get("CMSIS_CORE_DIR") or nn.parent / "cmsis_core")
        hint = f"unset CMSIS_NN_DIR to use {WHEEL}"
        return _checked(nn, core, f"CMSIS_NN_DIR={nn}", f"CMSIS_CORE_DIR={core}", hint)
    folder = _unpacked()
    return _checked(
        folder / "cmsis_nn", folder / "cmsis_core", str(folder), str(folder), f"remove {folder} and try again"
    )


def _checked(nn: Path, core: Path, nn_name: str, core_name: str, hint: str) -> Sources:
    header = nn / "Include" / "arm_nnfunctions.h"
    if not header.is_file():
        raise ToolError(Finding(f"{nn_name} has no Include/arm_nnfunctions.h", hint=hint))
    if not (core / "Include" / "cmsis_compiler.h").is_file():
        raise ToolError(Finding(f"{core_name} has no Include/cmsis_compiler.h", hint=hint))
    revision = re.search(r"\$Revision:\s*V?\.?([0-9.]+)", header.read_text(encoding="utf-8", errors="replace"))
    said = revision[1] if revision else "unknown"
    return Sources(nn.resolve(), core.resolve(), VERSIONS.get(said, f"revision {said}"))


def _unpacked() -> Path:
    """The vendor folder of the wheel: a checkout's own download, or the user's cache, which pip fills."""
    checkout = resources.firmware().parent / "build" / "cmsis" / VENDOR
    if checkout.is_dir():
        return checkout
    kept = user_cache() / f"cmsis-{WHEEL.replace('==', '-')}"
    if not (kept / VENDOR).is_dir():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent, prefix="new-") as made:
            _download(Path(made))
            try:
                (Path(made) / "unpacked").rename(kept)
            except OSError:
                if not (kept / VENDOR).is_dir():
                    raise
    return kept / VENDOR


def _download(folder: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--no-input", "--only-binary=:all:", "--dest", str(folder), WHEEL]
    ended = tools.run(command, timeout=DOWNLOAD_TIMEOUT)
    wheels = sorted(folder.glob("*.whl"))
    if ended.code or not wheels:
        what = f"CMSIS-NN is not there and pip cannot download it ({WHEEL})"
        raise ToolError(
            Finding(what, hint="go online once, or set CMSIS_NN_DIR and CMSIS_CORE_DIR to folders that have it")
        )
    with zipfile.ZipFile(wheels[0]) as wheel:
        members = [name for name in wheel.namelist() if name.startswith(VENDOR.as_posix())]
        wheel.extractall(folder / "unpacked", members)
