"""What a kernel's Init and Prepare ask of the arena, step by step, written down as short texts.

F2. A program is words in the order of the kernel's calls:

    i2 o0           a temporary TfLiteTensor for input 2, output 0; an absent optional input costs nothing
    i1+             one for each input from input 1 on
    o0?i0=INT8      only where input 0 is INT8; o0?i2!FLOAT32: only where input 2 is not FLOAT32
    P.channels      persistent bytes, as the formula of that name says
    S.im2col        scratch bytes, likewise

A formula gives the sizes of its requests in order: () asks for nothing, (0,) for zero bytes, which is a request too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from arena_codegen.kernels.call import Call, Unknown, scales
from arena_codegen.model.types import Tensor

Formula = Callable[[Call], tuple[int, ...]]

MAX_BYTES = 2**31 - 1
"""No request is larger on a 32-bit device; a formula that says more has met a shape that no kernel takes."""


@dataclass(frozen=True, slots=True)
class Step:
    """One ask: `kind` "temp", "persistent" or "scratch"; `what` is the formula's name, or the tensor's place."""

    kind: str
    bytes: int
    what: str


@dataclass(frozen=True, slots=True)
class KernelTable:
    """Programs by operator, and the formulas that they name.

    `op_data` is sizeof what Init keeps in user_data, where it keeps anything; `init` what it asks for after that. An
    operator that is missing from `prepare` is not known at all.
    """

    op_data: Mapping[str, int]
    init: Mapping[str, str]
    prepare: Mapping[str, str]
    formulas: Mapping[str, Formula]

    def scratch(self, call: Call) -> tuple[int, ...] | None:
        """Scratch bytes in request order, None where nobody knows."""
        program = self.prepare.get(call.operator.name)
        if program is None:
            return None
        try:
            words = (word for word in program.split() if word.startswith("S."))
            return tuple(size for word in words for size in self._sizes(word[2:], call))
        except Unknown:
            return None

    def init_steps(self, call: Call) -> tuple[Step, ...]:
        """What Init asks for. Raises Unknown."""
        size = self.op_data.get(call.operator.name)
        data = () if size is None else (Step("persistent", size, "op_data"),)
        return data + self._steps(self.init, call)

    def prepare_steps(self, call: Call) -> tuple[Step, ...]:
        """What Prepare asks for. Raises Unknown."""
        return self._steps(self.prepare, call)

    def _steps(self, programs: Mapping[str, str], call: Call) -> tuple[Step, ...]:
        if call.operator.name not in self.prepare:
            raise Unknown(f"the kernel of {call.operator.name} is not known")
        words = programs.get(call.operator.name, "").split()
        return tuple(step for word in words for step in self._run(word, call))

    def _run(self, word: str, call: Call) -> Iterator[Step]:
        if word[:2] in ("P.", "S."):
            kind = "persistent" if word[0] == "P" else "scratch"
            yield from (Step(kind, size, word[2:]) for size in self._sizes(word[2:], call))
            return
        word, _, condition = word.partition("?")
        if condition and not _holds(condition, call):
            return
        first = int(word[1:].rstrip("+"))
        find = call.find_input if word[0] == "i" else call.find_output
        for place in range(first, len(call.operator.inputs) if word[-1] == "+" else first + 1):
            if (tensor := find(place)) is not None:
                yield Step("temp", temporary(tensor), f"{word[0]}{place}")

    def _sizes(self, name: str, call: Call) -> tuple[int, ...]:
        sizes = self.formulas[name](call)
        if not all(0 <= size <= MAX_BYTES for size in sizes):
            raise Unknown(f"{name} of {call.operator.label} gives {sizes}")
        return sizes


def _holds(condition: str, call: Call) -> bool:
    """`i0=INT8`, `i2!FLOAT32`."""
    place, differs, dtype = condition.partition("!") if "!" in condition else condition.partition("=")
    return (call.input(int(place[1:])).dtype.name == dtype) == (differs == "=")


def fixed(size: int) -> Formula:
    """A formula that always asks for the same bytes."""
    return lambda call: (size,)


def temporary(tensor: Tensor) -> int:
    """Bytes of a temporary TfLiteTensor: itself, and where it is quantised its parameters and zero points."""
    return TENSOR + quantization(tensor)


def quantization(tensor: Tensor) -> int:
    """Bytes of TfLiteAffineQuantization and its TfLiteIntArray of zero points, 0 for a tensor without scales."""
    count = scales(tensor)
    return AFFINE + INT * (1 + count) if count else 0


INT = 4
TENSOR = 32
AFFINE = 12
"""sizeof(int), TfLiteTensor and TfLiteAffineQuantization (arm-none-eabi-gcc, 32 bits, short enums)."""
