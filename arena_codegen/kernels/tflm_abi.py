"""TFLM's arena, allocation by allocation: what it keeps in the tail, and what it puts on top of the head meanwhile.

F2. The head grows up from the base, the tail down from the end; temporary structures stand on the head. Sizes are
those of arm-none-eabi-gcc for a 32-bit Cortex-M (its default, short enums, matters), measured on a Cortex-M4. Sources,
in TFLM 90b983c2: micro_allocator.cc (what, in which order), arena_allocator/single_arena_buffer_allocator.cc (how),
micro_interpreter.cc (operators, inputs and outputs), tensorflow/compiler/mlir/lite/core/api/flatbuffer_conversions.cc
(operators' options).
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass

from arena_codegen.kernels.base import KernelLibrary
from arena_codegen.kernels.call import Unknown
from arena_codegen.kernels.steps import AFFINE, INT, TENSOR, quantization
from arena_codegen.model.offline_plan import ONLINE, read_offline_plan
from arena_codegen.model.types import Model, Operator, Tensor
from arena_codegen.planning.problem import align_up

TFLM = "TFLM 90b983c2 (2026-08-20)"
ABI = "arm-none-eabi-gcc 12.2, 32-bit Arm EABI with short enums; measured on a Cortex-M4"

BUFFER = 16
"""MicroArenaBufferAlignment(): of everything that kernels keep, and of variables."""
GREEDY_PLANNER = 44
GREEDY_ROW = 40
"""Bytes of GreedyMemoryPlanner, and of its working memory for one request."""
SCRATCH_REQUEST = 12
SCRATCH_PER_OPERATOR = 12
"""sizeof(ScratchBufferRequest), and how many free ones each operator finds (kMaxScratchBuffersPerOp)."""
ALLOCATION_INFO = 24

# sizeof and alignof what the parser of an operator's options allocates; operators that are not here have none.
OPTIONS = {
    name: size
    for size, names in {
        (1, 1): "ARG_MAX ARG_MIN DIV L2_NORMALIZATION MEAN MIRROR_PAD MUL REDUCE_ALL REDUCE_MAX REDUCE_MIN SHAPE SUM",
        (2, 1): "ADD CAST CUMSUM RESIZE_BILINEAR RESIZE_NEAREST_NEIGHBOR SUB",
        (3, 1): "BATCH_MATMUL",
        (4, 4): "CALL_ONCE DEPTH_TO_SPACE LEAKY_RELU SOFTMAX SPACE_TO_DEPTH SPLIT SPLIT_V",
        (5, 1): "FULLY_CONNECTED",
        (8, 4): "CONCATENATION GATHER IF PACK SVDF UNPACK VAR_HANDLE WHILE",
        (16, 4): "TRANSPOSE_CONV UNIDIRECTIONAL_SEQUENCE_LSTM",
        (24, 4): "STRIDED_SLICE",
        (28, 4): "CONV_2D DEPTHWISE_CONV_2D",
        (36, 4): "RESHAPE SQUEEZE",
        (40, 4): "AVERAGE_POOL_2D L2_POOL_2D MAX_POOL_2D",
    }.items()
    for name in names.split()
}


@dataclass(frozen=True, slots=True)
class Event:
    """One call of TFLM's allocator.

    `kind`: "persistent" takes `bytes` from the tail; "temp" puts them on the head's top; "head" makes the head that
    large and takes everything from its top; "plan" needs that many bytes of working memory between the two.
    `over_temp` marks persistent memory that may lie over what is on the head's top without harm.
    """

    kind: str
    bytes: int
    alignment: int = 4
    what: str = ""
    over_temp: bool = False


def events(model: Model, kernels: KernelLibrary, head: int, buffers: int | None) -> tuple[Event, ...]:
    """Everything that MicroAllocator::Create and AllocateTensors do to an arena, in order.

    `head`: bytes that the planner reports. `buffers`: how many requests TFLM's greedy planner plans; None for a
    planner of the application's, which needs no memory of the arena. Raises Unknown where a kernel is not known.
    """
    return tuple(_events(model, kernels, head, buffers))


def _events(model: Model, kernels: KernelLibrary, head: int, buffers: int | None) -> Iterator[Event]:
    graphs = model.subgraphs
    yield _structure(36)  # SingleArenaBufferAllocator
    if buffers is not None:
        yield _structure(GREEDY_PLANNER)
    yield _structure(36)  # MicroAllocator
    yield _structure(8)  # MicroBuiltinDataAllocator
    yield _scratch_list(0)
    yield _structure(8 * len(graphs))  # SubgraphAllocations
    yield from (Event("persistent", 12 * len(graph.tensors), what="tensors") for graph in graphs)
    yield from (Event("persistent", 32 * len(graph.operators), what="operators") for graph in graphs)
    operators = [operator for graph in graphs for operator in graph.operators]
    for operator in operators:
        if not operator.is_custom and operator.name in OPTIONS:
            size, alignment = OPTIONS[operator.name]
            yield Event("persistent", size, alignment, "operators' options")
    yield from _init(model, kernels, operators)
    scratch = yield from _prepare(model, kernels, operators)
    if scratch:
        yield Event("persistent", INT * scratch, what="scratch handles")
    yield from _plan(model, scratch, head, buffers)
    for tensors in (graphs[0].inputs, graphs[0].outputs):
        yield Event("persistent", INT * len(tensors), BUFFER, "inputs and outputs")
        yield from (event for index in tensors for event in _interface(graphs[0].tensors[index]))


def _structure(size: int) -> Event:
    return Event("persistent", size, what="TFLM's own structures")


def _scratch_list(count: int) -> Event:
    """The list of scratch requests so far, with room for those of one more operator."""
    return Event("head", SCRATCH_REQUEST * (count + SCRATCH_PER_OPERATOR))


def _init(model: Model, kernels: KernelLibrary, operators: list[Operator]) -> Iterator[Event]:
    if kernels.init is None:
        raise Unknown(f"what TFLM keeps with {kernels.version} is not known")
    for operator in operators:
        for step in kernels.init(model.subgraphs[operator.subgraph], operator):
            yield Event("persistent", step.bytes, BUFFER, "kernels' data")


def _prepare(model: Model, kernels: KernelLibrary, operators: list[Operator]) -> Generator[Event, None, int]:
    """What each Prepare asks for; returns how many scratch buffers there are."""
    assert kernels.prepare is not None
    scratch = 0
    handles: dict[tuple[int, int], tuple[object, object]] = {}
    assigned: set[tuple[object, object]] = set()
    for operator in operators:
        if operator.name == "VAR_HANDLE":
            variable = (operator.options.get("container"), operator.options.get("shared_name"))
            handles.update({(operator.subgraph, tensor): variable for tensor in operator.outputs})
        for step in kernels.prepare(model.subgraphs[operator.subgraph], operator):
            if step.kind == "scratch":
                scratch += 1
            elif step.kind == "temp":
                yield Event("temp", step.bytes)
            elif step.what != "resource":
                yield Event("persistent", step.bytes, BUFFER, _KEPT.get(step.what, "kernels' data"))
            elif (handle := handles.get((operator.subgraph, operator.inputs[0]))) and handle not in assigned:
                assigned.add(handle)
                yield Event("persistent", step.bytes, BUFFER, "resource variables")
        yield _scratch_list(scratch)
    return scratch


_KEPT = {
    **dict.fromkeys(("conv_channels", "depthwise_channels", "fc_channels", "transpose_channels"), "per-channel arrays"),
    **dict.fromkeys(("output_dims", "stretched_dims"), "shapes"),
    **dict.fromkeys(("lhs", "rhs"), "transposed operands"),
}
"""What persistent bytes are called in a report, by their formula."""


def _plan(model: Model, scratch: int, head: int, buffers: int | None) -> Iterator[Event]:
    """Planning (CommitStaticMemoryPlan).

    Variables may overlie the AllocationInfo: TFLM writes them only after it is done with that.
    """
    tensors = sum(len(graph.tensors) for graph in model.subgraphs)
    plan = read_offline_plan(model)
    fixed = [offset for graph in plan.offsets for offset in graph] if plan else [ONLINE] * tensors
    yield Event("temp", INT * len(model.subgraphs))
    yield Event("temp", ALLOCATION_INFO * (tensors + scratch))
    for graph in model.subgraphs:
        for tensor in graph.tensors:
            if tensor.is_variable and fixed[tensor.index] == ONLINE:  # TFLM counts from the first subgraph
                yield Event("persistent", tensor.bytes, BUFFER, "variables", over_temp=buffers is None)
    if buffers is not None:
        yield Event("plan", GREEDY_ROW * buffers)
    yield Event("head", 0)
    yield Event("head", head)


def _interface(tensor: Tensor) -> Iterator[Event]:
    """A TfLiteTensor of the model's face, and where it is quantised TfLiteAffineQuantization and zero points."""
    yield Event("persistent", TENSOR, what="inputs and outputs")
    if rest := quantization(tensor):
        yield Event("persistent", AFFINE, what="inputs and outputs")
        yield Event("persistent", rest - AFFINE, what="inputs and outputs")


@dataclass(frozen=True, slots=True)
class Usage:
    """What a run of events used: `tail` bytes in the end, and the smallest arena in which nothing overlies anything."""

    tail: int
    need: int


def usage(run: tuple[Event, ...], end: int = 0) -> Usage:
    """What the events use in an arena whose size is `end` more than a multiple of 16, its base aligned to 16.

    `need` may be smaller than what `end` allows: the arena is the next larger one with that remainder.
    """
    tail, head, top, need = 0, 0, 0, 0
    for event in run:
        if event.kind == "persistent":
            tail = align_up(tail + event.bytes - end, event.alignment) + end
            need = max(need, (head if event.over_temp else top) + tail)
        elif event.kind == "temp":
            top += event.bytes
            need = max(need, top + tail)
        elif event.kind == "head":
            head = top = event.bytes
            need = max(need, head + tail)
        else:
            need = max(need, align_up(top, BUFFER) + event.bytes + align_up(tail - end, BUFFER) + end)
    return Usage(tail, need)


def accepts(run: tuple[Event, ...], size: int) -> bool:
    """Whether AllocateTensors succeeds in an arena of `size` bytes, or says that it does.

    Follows the allocator's own checks, which miss that the tail runs into what stands on the head's top.
    """
    tail, head, top = size, 0, 0
    for event in run:
        if event.kind == "persistent":
            tail = (tail - event.bytes) // event.alignment * event.alignment
            if tail < head:
                return False
        elif event.kind == "temp":
            if 0 <= tail - top < event.bytes:
                return False
            top += event.bytes
        elif event.kind == "head":
            head = top = event.bytes
            if tail < head:
                return False
        elif tail // BUFFER * BUFFER - align_up(top, BUFFER) < event.bytes:
            return False
    return True


def accepts_any(run: tuple[Event, ...], low: int, high: int) -> bool:
    """Whether `accepts` says yes to some multiple of 16 from `low` on, below `high`.

    In one pass: what stands in the tail does not depend on such a size, so each check refuses all sizes below a limit,
    or, for a temporary, those of one interval.
    """
    tail, head, top, limit = 0, 0, 0, low
    refused: list[tuple[int, int]] = []
    for event in run:
        if event.kind == "persistent":
            tail = align_up(tail + event.bytes, event.alignment)
            limit = max(limit, head + tail)
        elif event.kind == "temp":
            refused.append((top + tail, top + tail + event.bytes))
            top += event.bytes
        elif event.kind == "head":
            head = top = event.bytes
            limit = max(limit, head + tail)
        else:
            limit = max(limit, align_up(top, BUFFER) + event.bytes + align_up(tail, BUFFER))
    size = align_up(limit, BUFFER)
    for start, end in sorted(refused):
        if size < start:
            break
        if size < end:
            size = align_up(end, BUFFER)
    return size < high
