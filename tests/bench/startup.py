"""What the build step costs, next to what its imports cost.

    python -m tests.bench.startup [MODEL.tflite …]      (from the top of the checkout)

For every model: CPU time of the whole process (`-o` and `--json`), and of a bare import of the packages that it depends
on, in interleaved pairs, as medians (the ratio is the median of the pairs' own); then the planning alone, in a warm
process, and the memory at its highest.
CPU time of children comes from getrusage, and byte code is written as it is for users, whatever the environment says.
Exit 1 over a limit.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.support import models
from tests.support.tools import ROOT, SHARED

PAIRS = 9
RATIO_LIMIT = 1.3
CHAIN_LIMIT = 1.0
"""Seconds above the bare imports that 3000 operators may take."""
MEMORY_LIMIT = 150 * 1024
"""KiB."""

BARE = ("-c", "import typer, numpy, jinja2, tflite, flatbuffers")
TINY = ("kws_ref_model", "pretrainedResnet_quant", "vww_96_int8", "model_ToyCar_quant_fullint_micro_intio")


def main(paths: Sequence[str]) -> int:
    """Measures, prints a table, and says whether every limit holds."""
    found = [Path(path) for path in paths] or [
        path for name in TINY if (path := SHARED / "models" / f"tiny__{name}.tflite").exists()
    ]
    with tempfile.TemporaryDirectory() as folder:
        chain = Path(folder, "chain_3000.tflite")
        chain.write_bytes(models.chain(3000))
        print(f"{'model':<50}{'bare':>8}{'build':>8}{'ratio':>7}{'above':>8}{'plan alone':>12}{'memory':>9}")
        good = [_row(path, folder, RATIO_LIMIT, None) for path in found]
        good.append(_row(chain, folder, None, CHAIN_LIMIT))
        good += [_manual(word) for word in ("--help", "--version")]
    return 0 if all(good) else 1


def _row(model: Path, folder: str, ratio_limit: float | None, above_limit: float | None) -> bool:
    words = ("-m", "arena_codegen", str(model), "-o", f"{folder}/plan.h", "--json", f"{folder}/plan.json")
    pairs = [(_cpu(BARE), _cpu(words)) for _ in range(PAIRS)]
    bare, build = (statistics.median(side) for side in zip(*pairs, strict=True))
    ratio = statistics.median(build / bare for bare, build in pairs)
    memory = _memory(words)
    good = (
        (ratio_limit is None or ratio <= ratio_limit)
        and (above_limit is None or build - bare <= above_limit)
        and memory <= MEMORY_LIMIT
    )
    print(
        f"{model.name[:48]:<50}{bare:>7.3f}s{build:>7.3f}s{ratio:>7.2f}{build - bare:>7.3f}s"
        f"{_planning(model) * 1000:>10.1f}ms{memory // 1024:>6} MB{'' if good else '   over the limit'}"
    )
    return good


def _manual(word: str) -> bool:
    """`--help` and `--version` against typer alone: they need nothing else."""
    pairs = [(_cpu(("-c", "import typer")), _cpu(("-m", "arena_codegen", word))) for _ in range(PAIRS)]
    bare, shown = (statistics.median(side) for side in zip(*pairs, strict=True))
    print(f"{'arena-codegen ' + word + ' against import typer':<50}{bare:>7.3f}s{shown:>7.3f}s{shown / bare:>7.2f}")
    return True


def _cpu(words: Sequence[str]) -> float:
    """CPU seconds, user and system, of one Python process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], check=True, cwd=ROOT, env=_environment(), capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _memory(words: Sequence[str]) -> int:
    """KiB that one Python process had resident at its highest."""
    code = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, "
    code += "stderr=subprocess.DEVNULL); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    result = subprocess.run(
        [sys.executable, "-c", code, sys.executable, *words],
        check=True, cwd=ROOT, env=_environment(), capture_output=True, text=True,
    )  # fmt: skip
    return int(result.stdout)


def _planning(model: Path) -> float:
    """CPU seconds from bytes to layout in a warm process: the median of some runs."""
    import arena_codegen

    data = model.read_bytes()
    arena_codegen.plan_model(data)
    times = []
    for _ in range(5):
        start = time.process_time()
        arena_codegen.plan_model(data)
        times.append(time.process_time() - start)
    return statistics.median(times)


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": ""}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
