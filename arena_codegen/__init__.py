"""arena-codegen: the smallest proven tensor arena for TensorFlow Lite Micro, planned at build time.

The public Python API; every name is loaded when it is first used.

    import arena_codegen
    layout = arena_codegen.plan_model("kws.tflite", strategy="best", kernels="cmsis-nn")
    layout.peak, layout.optimal, layout.buffers
    arena_codegen.peak_bytes(model_bytes)
"""

from __future__ import annotations

import importlib
from typing import Any

from arena_codegen.version import VERSION as __version__

_HOMES = {
    "ArenaError": "arena_codegen.errors",
    "Layout": "arena_codegen.layout",
    "Model": "arena_codegen.model.types",
    "PlanOptions": "arena_codegen.options",
    "peak_bytes": "arena_codegen.api",
    "plan_layout": "arena_codegen.pipeline",
    "plan_model": "arena_codegen.api",
    "plan_options": "arena_codegen.options",
    "read_model": "arena_codegen.model.reader",
}

__all__ = ["__version__", *sorted(_HOMES)]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
