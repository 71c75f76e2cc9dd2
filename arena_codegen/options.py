"""What a user can ask of a plan, as one value.

F0. Tensors are named as the user named them (an index `17`, `1:17` in subgraph 1, or a name); they are looked up where
the model is known. The command line and the Python API come through the same door, `plan_options`, so both get the same
errors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from arena_codegen.errors import Finding, UsageError

STRATEGIES = ("best", "exact", "greedy", "linear", "naive")
EFFORTS = ("quick", "normal", "thorough")
KERNELS = ("cmsis-nn", "cmsis-nn-4.0", "reference", "none")
TARGETS = ("m0", "m3", "m4", "m7", "m33", "m55")
ALIGNMENTS = (1, 2, 4, 8, 16, 32, 64)
DISJOINT_STRATEGIES = ("greedy", "linear", "naive")
"""The strategies that never share bytes, whatever the flags."""

SIZE_LIMIT = 2**31 - 1
"""TFLM counts bytes of its arena in 32-bit signed integers."""

_CORES = {"m4f": "m4", "m7f": "m7", "m33f": "m33", "m0+": "m0", "m0plus": "m0"}
"""What people call cores that differ in nothing that a plan depends on."""

_SIZE = re.compile(r"(0[xX][0-9a-fA-F]+|[0-9]+)([kKmM]?)", re.ASCII)


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """Everything that shapes a plan; the defaults are those of the command line.

    `pins`: (tensor, offset in bytes). `shapes`: (tensor, dimensions). `arena`: "plan", "tflm", bytes, or None (tflm
    where the tail is known, else plan). `max_arena`: bytes, bounds the emitted buffer. `requests`: the text that a
    device printed. Raises UsageError for values that the command line would refuse.
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
            Finding(f"{what} is {value!r}", hint=f"one of {', '.join(str(one) for one in allowed if one is not None)}")
            for what, value, allowed in (
                ("--strategy", self.strategy, STRATEGIES),
                ("--effort", self.effort, EFFORTS),
                ("--kernels", self.kernels, KERNELS),
                ("--target", self.target, TARGETS),
                ("--align", self.align, ALIGNMENTS),
                ("--segment", self.segment, (None, "io")),
            )
            if (value not in allowed) or isinstance(value, bool | float)
        ]
        faults += [
            Finding(f"{what} is {flag!r}", hint="True or False")
            for what, flag in (
                ("--in-place", self.in_place),
                ("--overlap", self.overlap),
                ("--honor-plan", self.honor_plan),
            )
            if not isinstance(flag, bool)
        ]
        if isinstance(self.arena, str) and self.arena not in ("plan", "tflm"):
            faults.append(Finding(f"--arena is {self.arena!r}", hint="plan, tflm, or a size such as 64K"))
        for what, size in (("--arena", self.arena), ("--max-arena", self.max_arena)):
            if isinstance(size, int) and not 0 <= size <= SIZE_LIMIT:
                faults.append(Finding(f"{what} is {size}", hint="from 0 bytes to 2 GiB"))
        if faults:
            raise UsageError(faults)

    @property
    def shares(self) -> bool:
        """True where the strategy may let buffers share bytes at all."""
        return self.strategy not in DISJOINT_STRATEGIES and (self.in_place or self.overlap)


def plan_options(**wishes: Any) -> PlanOptions:
    """The options from loose values, as people write them.

    Sizes may be text (`"48K"`), a target `"cortex-m4"`, an alignment `"16"`. `keep` takes one tensor or several; `pins`
    and `shapes` take a mapping or pairs; tensors may be ints. None stands for the default. Raises UsageError with every
    fault, TypeError for a name that is no option.
    """
    faults: list[Finding] = []
    given = {name: wish for name, wish in wishes.items() if wish is not None}
    for name, read in _READERS.items():
        if name in given:
            try:
                given[name] = read(given[name])
            except UsageError as error:
                faults.extend(error.findings)
                del given[name]
    try:
        options = PlanOptions(**given)
    except UsageError as error:
        faults.extend(error.findings)
    if faults:
        raise UsageError(faults)
    return options


def parse_size(text: str | int, what: str) -> int:
    """Bytes from `98304`, `48K`, `1M` (1024²) or `0x18000`. Raises UsageError; `what` names the option."""
    if isinstance(text, int) and not isinstance(text, bool):
        return text
    match = _SIZE.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise UsageError(Finding(f"{what} is {text!r}, not a size", hint="bytes such as 98304, 48K, 1M or 0x18000"))
    size = int(match[1], 0 if match[1][:2].lower() == "0x" else 10)
    return size * {"": 1, "k": 1024, "m": 1024 * 1024}[match[2].lower()]


def _arena(wish: str | int) -> str | int:
    if wish in ("plan", "tflm"):
        return wish
    try:
        return parse_size(wish, "--arena")
    except UsageError as error:
        raise UsageError(Finding(f"--arena is {wish!r}", hint="plan, tflm, or a size such as 64K")) from error


def _align(wish: str | int) -> str | int:
    return int(wish) if isinstance(wish, str) and wish.isascii() and wish.isdigit() else wish


def _target(wish: str) -> str:
    if not isinstance(wish, str):
        return wish
    core = re.sub("^cortex-", "", wish.lower())
    return _CORES.get(core, core)


def _keep(wish: Any) -> tuple[str, ...]:
    return (str(wish),) if isinstance(wish, str | int) else tuple(str(tensor) for tensor in wish)


def _pins(wish: Any) -> tuple[tuple[str, int], ...]:
    return _each(wish, "--pin", "@", "OFFSET", parse_size)


def _shapes(wish: Any) -> tuple[tuple[str, tuple[int, ...]], ...]:
    return _each(wish, "--shape", "=", "1,49,10,64", _dimensions)


def _each(wish: Any, what: str, sign: str, value: str, read: Callable[[Any, str], Any]) -> tuple[tuple[str, Any], ...]:
    """(tensor, value) from a mapping, from pairs, or from texts with a sign between the two; the last sign counts."""
    if isinstance(wish, Mapping):
        wish = wish.items()
    elif isinstance(wish, str):
        wish = (wish,)
    pairs, faults = [], []
    for entry in wish:
        tensor, found, text = entry.rpartition(sign) if isinstance(entry, str) else (str(entry[0]), sign, entry[1])
        if not found or not tensor or text == "":
            faults.append(Finding(f"{what} is {entry!r}", hint=f"{what} TENSOR{sign}{value}"))
            continue
        try:
            pairs.append((tensor, read(text, f"{what} {tensor}{sign}")))
        except UsageError as error:
            faults.extend(error.findings)
    if faults:
        raise UsageError(faults)
    return tuple(pairs)


def _dimensions(shape: Any, what: str) -> tuple[int, ...]:
    parts = [part.strip() for part in shape.split(",")] if isinstance(shape, str) else [str(part) for part in shape]
    if not all(re.fullmatch("[0-9]{1,10}", part, re.ASCII) and int(part) <= SIZE_LIMIT for part in parts):
        raise UsageError(Finding(f"{what} is {','.join(parts)!r}, not a shape", hint="dimensions such as 1,49,10,64"))
    return tuple(int(part) for part in parts)


_READERS: dict[str, Callable[[Any], Any]] = {
    "align": _align,
    "target": _target,
    "keep": _keep,
    "pins": _pins,
    "shapes": _shapes,
    "arena": _arena,
    "max_arena": lambda wish: parse_size(wish, "--max-arena"),
}
