"""Who did it: what the board observed and the plan → findings that name operators, tensors, bytes and their other
tenants."""

from __future__ import annotations

from typing import Any

from arena_codegen.emit.network import operator_label
from arena_codegen.errors import Finding, place
from arena_codegen.inference import Network
from arena_codegen.layout.types import BufferRow, Layout
from arena_codegen.model.types import Operator

Difference = tuple[int, Any, Any] | None
"""The first element that differs, what it is, what it should be; None where that is not known."""


class Blame:
    """A network and its plan, by the numbers that the board uses: operators and tensors of all subgraphs counted
    through."""

    def __init__(self, network: Network, layout: Layout) -> None:
        self.network = network
        self.layout = layout
        self.operators = [operator for graph in network.model.subgraphs for operator in graph.operators]
        self.rows = {network.flat(row.subgraph, row.tensor): row for row in layout.buffers if row.tensor is not None}

    def wrong(self, operator: int, tensor: int, difference: Difference) -> Finding:
        """An operator wrote something else than it must."""
        what = f"{self._label(operator)} computes {self._tensor(tensor)} wrong{self._values(difference)}"
        row = self.rows.get(tensor)
        tenants = self._tenants_during(operator, row, difference) if row is not None else []
        hint = f"those bytes are also {self._listed(tenants)}" if tenants else self._overlaps(operator)
        return Finding(what, self._place(operator), hint or "nobody else lives in those bytes: the kernel is wrong")

    def lost(self, operator: int, tensor: int, difference: Difference) -> Finding:
        """A tensor was overwritten before it was read."""
        row = self.rows[tensor]
        tenants = self._tenants_since(operator, tensor, difference)
        by = self._listed(tenants) if tenants else "nobody that the plan knows"
        reader = "the end of the invocation" if operator < 0 else f"{self._label(operator)} reads it"
        what = f"{_named(row)} was overwritten by {by} before {reader}{self._values(difference)}"
        hint = "the plan lets it die before its last use, or puts two into the same bytes"
        return Finding(what, self._place(operator), hint)

    def at_the_end(self, tensor: int) -> Finding:
        """A tensor of a called subgraph held something else than it must when it was written last."""
        return Finding(f"{self._tensor(tensor)} was computed wrong in a called subgraph", self.layout.model.file)

    def scratch(self, operator: int, number: int, planned: int, needed: int) -> Finding:
        """A scratch buffer is smaller than the kernel library says."""
        what = (
            f"scratch {number} of {self._label(operator)} has {planned} bytes in the plan, its kernel asks for {needed}"
        )
        return Finding(what, self._place(operator), "the kernel would write into bytes of others")

    def refused(self, operator: int) -> Finding:
        """The kernel library returned an error."""
        return Finding(f"{self._label(operator)}: the kernel library refuses its arguments", self._place(operator))

    def _place(self, operator: int) -> str:
        return place(self.layout.model.file, self._label(operator) if operator >= 0 else "the end of the invocation")

    def _label(self, operator: int) -> str:
        return operator_label(self.operators[operator])

    def _tensor(self, tensor: int) -> str:
        row = self.rows.get(tensor)
        return _named(row) if row is not None else self.network.tensors[tensor].label

    @staticmethod
    def _values(difference: Difference) -> str:
        if difference is None:
            return ""
        index, got, wanted = difference
        return f": element {index} is {got}, should be {wanted}"

    def _bytes(self, row: BufferRow, difference: Difference) -> tuple[int, int]:
        """The bytes of the differing element, or all of the buffer's, from the start of the arena."""
        if difference is None or row.tensor is None:
            return row.offset, row.end
        width = self.network.model.subgraphs[row.subgraph].tensors[row.tensor].dtype.bytes or 1
        at = row.offset + difference[0] * width
        return at, at + width

    def _own_rows(self, operator: Operator) -> list[BufferRow]:
        """Buffers of an operator: inputs, outputs, scratch."""
        tensors = {*self.network.inputs(operator), *self.network.outputs(operator)}
        own = [self.rows[flat] for flat in sorted(tensors) if flat in self.rows]
        return own + [
            row for row in self.layout.buffers if (row.subgraph, row.operator) == (operator.subgraph, operator.index)
        ]

    def _tenants_during(self, operator: int, row: BufferRow, difference: Difference) -> list[BufferRow]:
        """Who else of the operator lives in those bytes, unless a rule permits it."""
        low, high = self._bytes(row, difference)
        own = self._own_rows(self.operators[operator])
        return [one for one in own if one is not row and _meets(one, low, high) and not _may_share(one, row)]

    def _tenants_since(self, operator: int, tensor: int, difference: Difference) -> list[BufferRow]:
        """Who lives in those bytes and was written after the tensor was, up to the operator; the last writer alone."""
        row = self.rows[tensor]
        low, high = self._bytes(row, difference)
        end = len(self.operators) if operator < 0 else operator
        begin = self._writer(row)
        writers = [(self._writer(one), one) for one in self.layout.buffers if one is not row and _meets(one, low, high)]
        between = [
            (writer, one) for writer, one in writers if begin <= writer < end or (writer == end and operator < 0)
        ]
        last = max((writer for writer, _ in between), default=None)
        return [one for writer, one in between if writer == last]

    def _writer(self, row: BufferRow) -> int:
        """The number of the operator that writes a buffer; −1 for inputs of the model."""
        for number, operator in enumerate(self.operators):
            if operator.subgraph != row.subgraph:
                continue
            if row.operator == operator.index or (row.tensor is not None and row.tensor in operator.outputs):
                return number
        return -1

    def _overlaps(self, operator: int) -> str:
        """Pairs of the operator's own buffers that have bytes in common, unless a rule permits it."""
        rows = self._own_rows(self.operators[operator])
        for at, one in enumerate(rows):
            for other in rows[at + 1 :]:
                if _meets(one, other.offset, other.end) and not _may_share(one, other):
                    return f"{_named(one)} and {_named(other)} have bytes in common while it runs"
        return ""

    @staticmethod
    def _listed(rows: list[BufferRow]) -> str:
        return " and ".join(map(_named, rows))


def _meets(row: BufferRow, low: int, high: int) -> bool:
    return row.size > 0 and row.offset < high and low < row.end


def _may_share(one: BufferRow, other: BufferRow) -> bool:
    """True where a rule of the plan lets one of them take over bytes of the other."""
    return any(share.index == other.index for share in one.shares) or any(
        share.index == one.index for share in other.shares
    )


def _named(row: BufferRow) -> str:
    return f"'{row.label}' [{row.offset}, {row.end})"
