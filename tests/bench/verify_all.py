"""Every model of a folder verified on the emulated Cortex-M4, two at a time, as one table.

    python -m tests.bench.verify_all [--operators] FOLDER_OR_MODEL…

Exit 1 where a model is refuted or cannot be computed. `--operators` adds what each operator costs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.tools import ROOT

JOBS = 2


@dataclass(frozen=True)
class Outcome:
    """What `verify --json` said of a model; `why` is its first error line where it said nothing."""

    name: str
    code: int
    data: dict[str, Any]
    why: str

    @property
    def line(self) -> str:
        if not self.data:
            return f"{self.name:44} exit {self.code}: {self.why}"
        memory, water = self.data["memory"], self.data["high_water"]
        tflm = (memory["tflm_head"] or 0) + (memory["tflm_tail"] or 0)
        needs = memory["arena"] + memory["state"]
        return (
            f"{self.name:44} {self.data['verdict']:16} {len(self.data['operators']):4} {self.data['instructions']:10} "
            f"{water['inference']:8} {needs:8} {tflm:8}"
        )

    @property
    def operator_lines(self) -> list[str]:
        return [
            f"    {row['index']:3} {row['name']:26} {row['instructions']:10} {row['read']:8} {row['written']:8} "
            f"{row['verdict']}"
            for row in self.data.get("operators", ())
        ]


def verify(path: Path) -> Outcome:
    command = [sys.executable, "-m", "arena_codegen", "verify", str(path), "--json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    data = json.loads(done.stdout) if done.returncode == 0 else {}
    return Outcome(path.stem, done.returncode, data, errors[0] if errors else "")


def models_in(paths: Sequence[str]) -> list[Path]:
    found: list[Path] = []
    for path in map(Path, paths):
        found += sorted(path.glob("*.tflite")) if path.is_dir() else [path]
    return found


def main(words: Sequence[str]) -> int:
    paths = models_in([word for word in words if word != "--operators"] or [str(ROOT / "build" / "models")])
    head = f"{'model':44} {'verdict':16} {'ops':>4} {'instructions':>10} {'water':>8} {'needs':>8} {'TFLM':>8}"
    print(head, flush=True)
    failed = 0
    with ThreadPoolExecutor(JOBS) as pool:
        for outcome in pool.map(verify, paths):
            print(outcome.line, flush=True)
            if "--operators" in words:
                print("\n".join(outcome.operator_lines), flush=True)
            failed += not outcome.data
    print(f"{len(paths) - failed} of {len(paths)} models agree with TFLM on Cortex-M4")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
