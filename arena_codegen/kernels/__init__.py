"""F2. Kernel libraries by the names of `--kernels`."""

from __future__ import annotations

from arena_codegen.kernels.base import NONE, KernelLibrary


def library(name: str, target: str) -> KernelLibrary:
    """The kernel library that `--kernels NAME --target TARGET` means; both were checked by PlanOptions."""
    return NONE
