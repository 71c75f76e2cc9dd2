"""Network + Layout → the second generated file of an inference: operators, parameters, weights, and what must come out.

F5. Pure. The header gives the offsets; this file says what the model computes. `firmware_stub/inference/network.h` is
the format. Weights are constants of the program and never touch the arena.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from arena_codegen.emit.c_array import Array, c_number, words
from arena_codegen.emit.environment import render
from arena_codegen.emit.runner import c_string
from arena_codegen.inference import Network
from arena_codegen.inference.call import KernelCall, Table, Value
from arena_codegen.kernels import library
from arena_codegen.kernels.base import KernelLibrary
from arena_codegen.layout.types import Layout
from arena_codegen.model.types import Operator, Subgraph, Tensor
from arena_codegen.names import c_comment
from arena_codegen.planning.problem import align_up

KERNELS, TARGET = "cmsis-nn-4.0", "m4"
"""What the firmware computes with, unless told otherwise."""

PER_LINE = 16
NONE = -1

KINDS = {"IF": "NETWORK_IF", "WHILE": "NETWORK_WHILE", "CALL_ONCE": "NETWORK_CALL_ONCE"}
ELEMENTS = {
    "INT8": "NETWORK_BYTES", "UINT8": "NETWORK_UNSIGNED", "INT16": "NETWORK_HALVES", "INT32": "NETWORK_WORDS",
    "INT64": "NETWORK_LONGS", "FLOAT32": "NETWORK_FLOATS", "BOOL": "NETWORK_BOOLS",
}  # fmt: skip
"""Element types that an input may have."""


@dataclass(frozen=True, slots=True)
class Invocation:
    """One run of the network: how its inputs are filled (`fill` is a NETWORK_… of the firmware), and the CRC-32 of
    every tensor of all subgraphs when it is over; None where nobody knows."""

    name: str
    fill: str
    seed: int
    expected: tuple[int | None, ...]


@dataclass(slots=True)
class _Spans:
    """Rows of one table, of which others name runs by where they begin and how many there are."""

    rows: list[str] = field(default_factory=list)

    def add(self, rows: Iterable[object]) -> str:
        at = len(self.rows)
        self.rows.extend(map(str, rows))
        return f"{{{at}, {len(self.rows) - at}}}"


@dataclass(slots=True)
class _Scratch:
    """The scratch buffers of all operators: the plan's where it was made for these kernels, else spare bytes outside of
    the arena, one operator after the other in the same ones."""

    layout: Layout
    kernels: KernelLibrary
    spans: _Spans = field(default_factory=_Spans)
    spare: int = 0

    def add(self, graph: Subgraph, operator: Operator, call: KernelCall) -> str:
        """The span of one operator: as many buffers as its kernel may ask for, those that nobody planned empty."""
        if self.layout.profile == self.kernels.profile:
            rows = self._planned(operator)[: call.scratch]
        else:
            rows = self._spare(graph, operator, call.scratch)
        return self.spans.add(rows + [f"{{{NONE}, 0U, 0U}}"] * (call.scratch - len(rows)))

    def _planned(self, operator: Operator) -> list[str]:
        place = operator.subgraph, operator.index
        planned = [row for row in self.layout.buffers if (row.subgraph, row.operator) == place]
        return [f"{{{row.index}, {row.bytes}U, 0U}}" for row in planned]

    def _spare(self, graph: Subgraph, operator: Operator, count: int) -> list[str]:
        rows, at = [], 0
        for needed in (self.kernels.scratch(graph, operator) or ())[:count] if count else ():
            rows.append(f"{{{NONE}, {needed}U, {at}U}}")
            at += align_up(needed, 16)
        self.spare = max(self.spare, at)
        return rows


@dataclass(frozen=True, slots=True)
class _Parameters:
    """The parameters of one operator as C: arrays first, then the structure's name, type and fields."""

    comment: str
    arrays: list[Array]
    name: str
    type: str
    fields: list[str]


def render_network(
    network: Network,
    layout: Layout,
    invocations: Sequence[Invocation],
    *,
    header: str,
    prefix: str,
    kernels: str = KERNELS,
) -> str:
    """The text of the file. `header` is the file name of the layout's header, `prefix` its C prefix, `kernels` what the
    firmware is built with."""
    operators = [operator for graph in network.model.subgraphs for operator in graph.operators]
    calls = [call for calls in network.calls for call in calls]
    lists, scratch = _Spans(), _Scratch(layout, library(kernels, TARGET))
    rows = [_operator(network, operator, lists, scratch) for operator in operators]
    graphs = _graphs(network, lists)
    return render(
        "c/network.c.j2",
        tool=c_comment(layout.tool),
        model=c_comment(layout.model.file),
        model_text=c_string(layout.model.file),
        macro=prefix.upper(),
        symbol=prefix,
        header=header,
        kernel_headers=sorted({f"{call.header_name}.h" for call in calls if call.kernel}),
        constants=_constants(network),
        states=[(f"state_{number}", f"{max(state.bytes, 1)}U") for number, state in enumerate(network.states)],
        state_rows=[
            f"{{state_{number}, {state.bytes}U, {state.value}U}}" for number, state in enumerate(network.states)
        ]
        or ["{NULL, 0U, 0U}"],
        state_count=f"{len(network.states)}U",
        parameters=[
            _parameters(number, operator, call)
            for number, (operator, call) in enumerate(zip(operators, calls, strict=True))
            if call.params
        ],
        tensors=_tensors(network, layout, invocations) or ['{"", 0U, -1, 0, 0, NETWORK_UNJUDGED}'],
        tensor_count=f"{len(network.tensors)}U",
        tensor_room=f"{max(len(network.tensors), 1)}U",
        lists=_folded(lists.rows or [NONE]),
        scratch=scratch.spans.rows or ["{-1, 0U, 0U}"],
        spare_bytes=f"{max(scratch.spare, 1)}U",
        operators=rows or ['{"", NETWORK_PLAIN, 0, 0, {0, 0}, {0, 0}, {0, 0}, {0, 0}, 0}'],
        operator_count=f"{len(operators)}U",
        operator_room=f"{max(len(operators), 1)}U",
        graphs=graphs,
        graph_count=f"{len(graphs)}U",
        elements=_elements(network) or ["NETWORK_BYTES"],
        invocations=[f"{{{c_string(one.name)}, {one.fill}, {one.seed}U}}" for one in invocations],
        invocation_count=f"{len(invocations)}U",
        expected=[_folded([f"{crc or 0:#x}U" for crc in one.expected] or ["0U"]) for one in invocations],
    )


def _constants(network: Network) -> list[Array]:
    """One array for each buffer of the model that some tensor names."""
    arrays: dict[str, Array] = {}
    for tensor in network.tensors:
        if tensor.data is not None and _constant_name(tensor) not in arrays:
            is_float = tensor.dtype.name == "FLOAT32"
            arrays[_constant_name(tensor)] = words(
                _constant_name(tensor), tensor.data, tensor.dtype.bytes or 1, is_float
            )
    return list(arrays.values())


def _constant_name(tensor: Tensor) -> str:
    """A buffer that tensors of several element types name gets an array for each width."""
    return f"constant_{tensor.buffer}_{tensor.dtype.name.lower()}"


def _tensors(network: Network, layout: Layout, invocations: Sequence[Invocation]) -> list[str]:
    places = {network.flat(row.subgraph, row.tensor): row.index for row in layout.buffers if row.tensor is not None}
    states = {flat: f"state_{number}" for number, state in enumerate(network.states) for flat in state.tensors}
    rows = []
    for flat, tensor in enumerate(network.tensors):
        constant = _constant_name(tensor) if tensor.data is not None else "NULL"
        judge = _judge(flat, tensor, invocations) if flat in places else "NETWORK_UNJUDGED"
        bytes_ = len(tensor.data) if tensor.data is not None else tensor.bytes
        name = c_string(tensor.name or tensor.label)
        rows.append(f"{{{name}, {bytes_}U, {places.get(flat, NONE)}, {constant}, {states.get(flat, 'NULL')}, {judge}}}")
    return rows


def _judge(flat: int, tensor: Tensor, invocations: Sequence[Invocation]) -> str:
    if any(invocation.expected[flat] is None for invocation in invocations):
        return "NETWORK_UNJUDGED"
    return "NETWORK_BY_HOST" if tensor.dtype.name == "FLOAT32" else "NETWORK_BY_HASH"


def _parameters(number: int, operator: Operator, call: KernelCall) -> _Parameters:
    arrays: list[Array] = []
    fields = []
    for name, value in call.params.items():
        if isinstance(value, Table):
            arrays.append(Array(f"op_{number}_{name}", value.ctype, value.values))
        fields.append(f".{name} = {_field(number, name, value)}")
    return _Parameters(c_comment(operator_label(operator)), arrays, f"op_{number}", call.struct_name, fields)


def _field(number: int, name: str, value: Value) -> str:
    if isinstance(value, Table):
        return f"op_{number}_{name}"
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return f"{{{', '.join(_field(number, name, one) for one in value)}}}"
    if isinstance(value, int | float):
        return c_number(value)
    return f"{{{', '.join(f'.{part} = {_field(number, part, one)}' for part, one in value.items())}}}"


def _operator(network: Network, operator: Operator, lists: _Spans, scratch: _Scratch) -> str:
    call = network.calls[operator.subgraph][operator.index]
    number = sum(map(len, network.calls[: operator.subgraph])) + operator.index
    kernel = f"&kernel_{call.kernel}" if call.kernel else "NULL"
    params = f"&op_{number}" if call.params else "NULL"
    return (
        f"{{{c_string(operator_label(operator))}, {KINDS.get(operator.name, 'NETWORK_PLAIN')}, {kernel}, {params}, "
        f"{lists.add(network.inputs(operator))}, {lists.add(network.outputs(operator))}, "
        f"{scratch.add(network.model.subgraphs[operator.subgraph], operator, call)}, {lists.add(operator.callees)}, "
        f"{_kept(network, operator)}}}"
    )


def _kept(network: Network, operator: Operator) -> str:
    place = operator.subgraph, operator.index
    return next((f"state_{at}" for at, state in enumerate(network.states) if state.operator == place), "NULL")


def operator_label(operator: Operator) -> str:
    """`op 3 CONV_2D`, `subgraph 1 op 0 ADD`."""
    return f"subgraph {operator.subgraph} {operator.label}" if operator.subgraph else operator.label


def _graphs(network: Network, lists: _Spans) -> list[str]:
    rows, at = [], 0
    for graph in network.model.subgraphs:
        inputs, outputs = (
            lists.add(network.flat(graph.index, tensor) for tensor in tensors)
            for tensors in (graph.inputs, graph.outputs)
        )
        rows.append(f"{{{{{at}, {len(graph.operators)}}}, {inputs}, {outputs}}}")
        at += len(graph.operators)
    return rows


def _elements(network: Network) -> list[str]:
    main = network.model.subgraphs[0]
    return [ELEMENTS.get(main.tensors[tensor].dtype.name, "NETWORK_BYTES") for tensor in main.inputs]


def _folded(values: Sequence[object]) -> list[str]:
    return [", ".join(map(str, values[at : at + PER_LINE])) for at in range(0, len(values), PER_LINE)]
