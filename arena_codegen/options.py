"""What a user can ask of a plan, as one value.

F0. Tensors are named as the user named them (an index `17`, `1:17` in subgraph 1, or a name); they are looked up where the
model is known. Text that came from outside is checked in the command line's parser; the values here are checked again,
because the Python API takes them too.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena_codegen.errors import Finding, UsageError

STRATEGIES = ("best", "exact", "greedy", "linear", "naive")
EFFORTS = ("quick", "normal", "thorough")
KERNELS = ("cmsis-nn", "cmsis-nn-4.0", "reference", "none")
TARGETS = ("m0", "m3", "m4", "m7", "m33", "m55")
ALIGNMENTS = (1, 2, 4, 8, 16, 32, 64)
DISJOINT_STRATEGIES = ("greedy", "linear", "naive")
"""The strategies that never share bytes, whatever the flags."""


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """Everything that shapes a plan; the defaults are those of the command line.

    `pins`: (tensor, offset in bytes). `shapes`: (tensor, dimensions). `arena`: "plan", "tflm", bytes, or None (tflm where
    the tail is known, else plan). `max_arena`: bytes, bounds the emitted buffer. `requests`: the text that a device printed.
    Raises UsageError for values that the command line would refuse.
    """

    strategy: str = "best"
    effort: str = "normal"
    kernels: str = "cmsis-nn"
    target: str = "m4"
    align: int = 16
    in_place: bool = True
    overlap: bool = False
    keep: tuple[str, ...] = ()
    pins: tuple[tuple[str, int], ...] = ()
    segment: str | None = None
    shapes: tuple[tuple[str, tuple[int, ...]], ...] = ()
    honor_plan: bool = False
    requests: str | None = None
    arena: str | int | None = None
    max_arena: int | None = None

    def __post_init__(self) -> None:
        faults = [
            Finding(f"{what} is {value!r}", hint=f"one of {', '.join(map(str, allowed))}")
            for what, value, allowed in (
                ("--strategy", self.strategy, STRATEGIES),
                ("--effort", self.effort, EFFORTS),
                ("--kernels", self.kernels, KERNELS),
                ("--target", self.target, TARGETS),
                ("--align", self.align, ALIGNMENTS),
                ("--segment", self.segment, (None, "io")),
            )
            if value not in allowed
        ]
        if isinstance(self.arena, str) and self.arena not in ("plan", "tflm"):
            faults.append(Finding(f"--arena is {self.arena!r}", hint="plan, tflm, or a size such as 64K"))
        if faults:
            raise UsageError(faults)

    @property
    def shares(self) -> bool:
        """True where the strategy may let buffers share bytes at all."""
        return self.strategy not in DISJOINT_STRATEGIES and (self.in_place or self.overlap)
