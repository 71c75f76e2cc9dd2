"""Operators that move bytes without a change: RESHAPE and its like, and the variables that are read and assigned."""

from __future__ import annotations

from arena_codegen.inference.call import KernelCall
from arena_codegen.kernels.call import Call


def reshape(call: Call) -> KernelCall:
    """RESHAPE, SQUEEZE, EXPAND_DIMS, READ_VARIABLE: the first input is the output."""
    return KernelCall("reshape", {"bytes": call.output().bytes}, inputs=call.operator.inputs[:1])


def assign_variable(call: Call) -> KernelCall:
    """ASSIGN_VARIABLE: the handle's tensor is the variable."""
    handle, value = call.operator.inputs
    return KernelCall("reshape", {"bytes": call.input(1).bytes}, inputs=(value,), outputs=(handle,))


def nothing(call: Call) -> KernelCall:
    """VAR_HANDLE and the operators that the runner itself executes."""
    return KernelCall()
