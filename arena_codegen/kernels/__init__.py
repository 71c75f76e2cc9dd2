"""F2. Kernel libraries by the names of `--kernels`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from arena_codegen.kernels.base import NONE, RECORDED, KernelLibrary

if TYPE_CHECKING:
    from arena_codegen.kernels.sharing import ShareTable
    from arena_codegen.kernels.steps import KernelTable


@cache
def library(name: str, target: str, recorded: bool = False) -> KernelLibrary:
    """The kernel library that `--kernels NAME --target TARGET` means; both were checked by PlanOptions.

    With `--requests` it is the device's own, of which only the requests are known.
    """
    if recorded:
        return RECORDED
    if name == "none":
        return NONE
    from arena_codegen.kernels.call import Call
    from arena_codegen.kernels.cmsis_nn import ISAS

    isa = ISAS[target]
    version, profile, table, shares = _tables(name)
    has_tail = name != "cmsis-nn-4.0"
    return KernelLibrary(
        name,
        version,
        profile,
        scratch=lambda graph, operator: table.scratch(Call(graph, operator, isa)),
        shares=lambda graph, operator: shares.permitted(Call(graph, operator, isa)),
        why_apart=lambda graph, operator: shares.why_apart(Call(graph, operator, isa)),
        init=(lambda graph, operator: table.init_steps(Call(graph, operator, isa))) if has_tail else None,
        prepare=(lambda graph, operator: table.prepare_steps(Call(graph, operator, isa))) if has_tail else None,
    )


def _tables(name: str) -> tuple[str, str, KernelTable, ShareTable]:
    """Version, profile, and what operators ask for and permit; only what is asked for is loaded."""
    if name == "cmsis-nn":
        from arena_codegen.kernels import cmsis_nn, cmsis_nn_shares

        return cmsis_nn.PINNED, "ARENA_KERNELS_CMSIS_NN", cmsis_nn.PINNED_TABLE, cmsis_nn_shares.TABLE
    if name == "cmsis-nn-4.0":
        from arena_codegen.kernels import cmsis_nn_4_0, cmsis_nn_4_0_shares

        return cmsis_nn_4_0.VERSION, "ARENA_KERNELS_CMSIS_NN_4_0", cmsis_nn_4_0.TABLE, cmsis_nn_4_0_shares.TABLE
    from arena_codegen.kernels import reference, reference_shares

    return reference.VERSION, "ARENA_KERNELS_REFERENCE", reference.TABLE, reference_shares.TABLE
