"""Real TFLM with reference kernels, as the `tflite-micro` wheel has it, in a process of its own: it may crash."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.tools import ROOT, need_package

ARENA = 8_000_000


def heads(models: Mapping[str, bytes], folder: Path) -> dict[str, int]:
    """Bytes of the head of each model that TFLM loads, as `print_allocations()` says them."""
    return {
        name: int(found[1])
        for name, text in _run("heads", models, folder).items()
        if (found := re.search(r"Arena allocation head (\d+) bytes", text))
    }


def outputs(models: Mapping[str, bytes], folder: Path, invocations: int = 3) -> dict[str, list[str]]:
    """SHA-256 of all outputs after each of some invocations on random inputs, for each model that TFLM runs."""
    run = _run("outputs", models, folder, str(invocations))
    found = {name: re.findall(r"^sha256 (\w+)$", text, re.MULTILINE) for name, text in run.items()}
    return {name: digests for name, digests in found.items() if len(digests) == invocations}


def _run(what: str, models: Mapping[str, bytes], folder: Path, *rest: str) -> dict[str, str]:
    """What TFLM said of each model; one that ends the process says what it said until then."""
    need_package("tflite_micro")
    files = []
    for index, (name, data) in enumerate(models.items()):
        path = folder / f"{what}{index}.tflite"
        path.write_bytes(data)
        files.append((name, str(path)))
    said: dict[str, str] = {}
    while files:
        listing = folder / f"{what}.json"
        listing.write_text(json.dumps(files))
        command = [sys.executable, "-m", "tests.support.oracle", what, str(listing), *rest]
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, cwd=ROOT
        )
        parts = re.split(r"^== (\d+)$", done.stdout, flags=re.MULTILINE)
        assert len(parts) > 1, done.stdout
        said.update({files[int(number)][0]: text for number, text in zip(parts[1::2], parts[2::2], strict=True)})
        files = files[int(parts[-2]) + 1 :]
    return said


def _main(what: str, listing: str, *rest: str) -> None:
    from tflite_micro import runtime

    for number, (_, path) in enumerate(json.loads(Path(listing).read_text())):
        print(f"== {number}", flush=True)
        try:
            interpreter = runtime.Interpreter.from_file(path, arena_size=ARENA)
        except (RuntimeError, ValueError):
            continue
        if what == "heads":
            interpreter.print_allocations()
        else:
            for turn in range(int(rest[0])):
                print("sha256", _invoke(interpreter, turn), flush=True)


def _invoke(interpreter: Any, turn: int) -> str:
    """One invocation on random inputs; the digest of all outputs."""
    import numpy as np

    for index in range(99):
        try:
            details = interpreter.get_input_details(index)
        except IndexError:
            break
        dtype = np.dtype(details["dtype"])
        low, high = (-4, 4) if dtype.kind == "f" else (0, 2) if dtype.kind == "b" else (0, 100)
        numbers = np.random.default_rng((turn, index)).random(tuple(details["shape"]))
        interpreter.set_input((numbers * (high - low) + low).astype(dtype), index)
    interpreter.invoke()
    digest = hashlib.sha256()
    for index in range(99):
        try:
            digest.update(interpreter.get_output(index).tobytes())
        except IndexError:
            break
    return digest.hexdigest()


if __name__ == "__main__":
    _main(*sys.argv[1:])
