"""One operator as a call of a kernel in `firmware_stub/kernels`: which kernel, with which parameters.

F3. Parameters are the fields of the kernel's C structure, by name; everything that does not change between invocations
is computed here, so that nothing of it needs RAM on the device.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena_codegen.kernels.call import Call


class Unsupported(Exception):
    """The firmware has no kernel for this operator; the text says what about it is missing, "" for all of it."""


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers that get an array of their own in read-only memory; the field points there. `ctype`: int8_t … int64_t,
    float."""

    ctype: str
    values: Sequence[int | float]


Value = int | float | str | Table | tuple[Any, ...] | Mapping[str, Any]
"""A field: a number, a constant of C by its name, an array in memory, an array inside the structure, or a structure."""


@dataclass(frozen=True, slots=True)
class KernelCall:
    """`params` are Values. `kernel` is declared as `kernel_<kernel>` in `<header>.h`, its parameters as
    `kernel_<params_type>_t` there.

    `inputs` and `outputs` are tensors of the operator's subgraph, −1 for an absent one; None for the operator's own.
    `scratch` is how many scratch buffers the kernel may ask for, `kept` how many bytes it keeps from one invocation to
    the next, all 0 before the first. A call without a kernel does nothing.
    """

    kernel: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    header: str = ""
    params_type: str = ""
    inputs: tuple[int, ...] | None = None
    outputs: tuple[int, ...] | None = None
    scratch: int = 0
    kept: int = 0

    @property
    def header_name(self) -> str:
        return self.header or self.kernel

    @property
    def struct_name(self) -> str:
        return f"kernel_{self.params_type or self.header_name}_t"


Describe = Callable[[Call], KernelCall]
"""How an operator is called. Raises Unsupported, or `kernels.call.Unknown` where the model leaves something open."""
