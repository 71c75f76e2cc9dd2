"""Which bytes of an input an output may take over: how a library says so, and what most operators have in common.

F2. A kernel is a row of steps, each of which reads some of the input and writes some of the output. An output that
starts `distance` bytes below its input is right as long as no byte is written that a later step reads, so the smallest
distance is the largest of what is written before the last reads of a step, less the lowest byte that this step or a
later one reads. One byte less, and a byte is lost. What memcpy copies counts as read and written at once: C does not
say in which order it does that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from arena_codegen.kernels.base import ShareRule
from arena_codegen.kernels.call import Call, Unknown, elements, width
from arena_codegen.model.types import Tensor

IN_PLACE, OVERLAP = "in-place", "overlap"

Sharing = Callable[[Call], tuple[ShareRule, ...]]
"""What an operator permits; an input without a rule is disjoint. Raises `Apart`, with why, where all of them are."""


class Apart(Exception):
    """Input and output cannot share; the text says why, in one line."""


@dataclass(frozen=True, slots=True)
class ShareTable:
    """The rules of a library, by operator. An operator that is missing was not derived, so it is disjoint."""

    rules: Mapping[str, Sharing]

    def permitted(self, call: Call) -> tuple[ShareRule, ...]:
        """The rules of one operator, none where it is disjoint or its model does not say enough."""
        try:
            return self._sharing(call)
        except (Apart, Unknown):
            return ()

    def why_apart(self, call: Call) -> str:
        """Why an operator permits nothing; "" where it permits something."""
        try:
            return "" if self._sharing(call) else "its inputs are broadcast, and read again and again"
        except Apart as reason:
            return str(reason)
        except Unknown as reason:
            return f"the model does not say enough: {reason}"

    def _sharing(self, call: Call) -> tuple[ShareRule, ...]:
        rule = self.rules.get(call.operator.name)
        if rule is None or call.operator.is_custom:
            raise Apart("nobody has derived in which order its kernel reads and writes")
        return rule(call)


def apart(why: str) -> Sharing:
    """An operator whose output must not share a byte with any input."""

    def refuse(call: Call) -> tuple[ShareRule, ...]:
        raise Apart(why)

    return refuse


def view(source: str) -> Sharing:
    """The same bytes under another shape: nothing is to be done where both are at the same place.

    Elsewhere memcpy copies, which may not overlap.
    """

    def permit(call: Call) -> tuple[ShareRule, ...]:
        if size(call.input(0)) != size(call.output()):
            raise Apart("it changes the number of bytes")
        return (ShareRule(0, 0, IN_PLACE, 0, f"the bytes stay what they are ({source})"),)

    return permit


def unary(source: str) -> Sharing:
    """One input element for each output element, from the first to the last."""
    return lambda call: elementwise(call, 0, source)


def binary(source: str, broadcast: bool = True) -> Sharing:
    """Two inputs, of which each that has the output's shape may be taken over; the other one may be smaller.

    `broadcast` says whether the loop for inputs of different shapes was derived too.
    """

    def permit(call: Call) -> tuple[ShareRule, ...]:
        shape = significant(call.output())
        whole = [position for position in (0, 1) if significant(call.input(position)) == shape]
        if not broadcast and len(whole) < 2:
            raise Apart("one input is broadcast: its elements are read again and again")
        return tuple(rule for position in whole for rule in elementwise(call, position, source))

    return permit


def several(source: str) -> Sharing:
    """Any number of inputs of the output's shape."""

    def permit(call: Call) -> tuple[ShareRule, ...]:
        shape = significant(call.output())
        if any(significant(call.input(position)) != shape for position in range(len(call.operator.inputs))):
            raise Apart("its inputs differ in shape")
        positions = range(len(call.operator.inputs))
        return tuple(rule for position in positions for rule in elementwise(call, position, source))

    return permit


def elementwise(call: Call, position: int, source: str) -> tuple[ShareRule, ...]:
    """Element i is written when element i was read: the same start where elements do not grow, else the same end."""
    read, written = call.input(position), call.output()
    count = elements(written)
    if elements(read) != count or not count:
        raise Apart("input and output differ in their number of elements")
    before, after = plain_width(read), plain_width(written)
    if after > before:
        why = f"elements grow from {before} to {after} bytes, first to last ({source})"
        return (ShareRule(position, 0, OVERLAP, (count - 1) * (after - before), why),)
    why = f"an element is written when it was read, first to last ({source})"
    return (ShareRule(position, 0, IN_PLACE, 0, why), ShareRule(position, 0, OVERLAP, 0, why))


def consumed(source: str, *kinds: str) -> Sharing:
    """The whole input is read before the first byte of the output is written; `kinds`: for these input types alone."""

    def permit(call: Call) -> tuple[ShareRule, ...]:
        if kinds and call.input(0).dtype.name not in kinds:
            raise Apart(f"its kernel for {call.input(0).dtype.name} was not derived")
        return (anywhere(call, 0, source),)

    return permit


def anywhere(call: Call, position: int, source: str) -> ShareRule:
    """The input may lie anywhere: so far below the output that the two do not even touch."""
    why = f"the input is read to its end before the output is begun ({source})"
    return ShareRule(position, 0, OVERLAP, -size(call.input(position)), why)


def significant(tensor: Tensor) -> tuple[int, ...]:
    """The shape without leading ones, which broadcasting adds."""
    shape = tensor.shape
    while shape and shape[0] == 1:
        shape = shape[1:]
    return shape


def size(tensor: Tensor) -> int:
    """Bytes of a tensor of whole bytes. Raises Unknown."""
    return elements(tensor) * plain_width(tensor)


def plain_width(tensor: Tensor) -> int:
    """Bytes of an element that the arena holds as the kernel sees it: not of INT4, which is packed. Raises Unknown."""
    if tensor.dtype.name == "INT4":
        raise Unknown(f"{tensor.label} is packed")
    return width(tensor)
