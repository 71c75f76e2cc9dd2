"""The steps of an invocation, one after the other: who runs, how much is alive.

F5. A step is one of TFLM's allocation scopes: 0 before the first operator, −1 where tensors lie that no operator uses.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena_codegen.layout.types import Layout, OperatorRow, used_bytes
from arena_codegen.layout.words import numbered
from arena_codegen.text import printable

CALLERS = ("IF", "WHILE", "CALL_ONCE")


@dataclass(frozen=True, slots=True)
class Step:
    """One scope: the operator that runs there, bytes alive, and bytes of the arena in use.

    The two differ where buffers share bytes. `number` is the operator's, as the command line takes it, else what the
    scope is; `name` is fit for one line of a report.
    """

    scope: int
    operator: OperatorRow | None
    number: str
    name: str
    alive: int
    used: int

    @property
    def label(self) -> str:
        """`op 2 CONV_2D`, or what the scope is."""
        return f"op {self.number} {self.name}" if self.operator is not None else self.name


def steps(layout: Layout) -> tuple[Step, ...]:
    """Every scope from the first that holds something (0 at the latest) to the last."""
    used = used_bytes(layout.buffers, layout.end_scope)
    return tuple(_step(layout, scope, alive, used[scope]) for scope, alive in layout.live_bytes().items())


def _step(layout: Layout, scope: int, alive: int, used: int) -> Step:
    position = layout.steps[scope] if 0 <= scope < len(layout.steps) else -1
    if position < 0:
        number, name = ("start", "before the first operator") if scope >= 0 else ("-", "tensors that no operator uses")
        return Step(scope, None, number, name, alive, used)
    row = layout.operators[position]
    called = " (call)" if row.scope != scope and row.name in CALLERS else ""
    return Step(scope, row, numbered(row.subgraph, row.index), printable(row.name) + called, alive, used)
