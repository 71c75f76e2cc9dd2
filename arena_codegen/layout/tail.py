"""F4. TFLM's part of the arena: its tail, and the smallest arena that boots, under PlannedMemory and as shipped."""

from __future__ import annotations

from arena_codegen.errors import Finding
from arena_codegen.kernels.base import RECORDED
from arena_codegen.kernels.call import Unknown
from arena_codegen.kernels.tflm_abi import ABI, BUFFER, TFLM, Event, accepts_any, events, usage
from arena_codegen.layout.types import GreedyTail, Tail, TailItem
from arena_codegen.model.offline_plan import ONLINE, read_offline_plan
from arena_codegen.model.types import Model
from arena_codegen.planning.problem import align_up
from arena_codegen.requests import MAX_ARENA, Requests
from arena_codegen.requests.types import element_alignment

_MEASURE = (
    "measure it on the device: boot with a large arena under PlannedMemory; the tail is what arena_used_bytes() says, "
    "less the plan's _ARENA_SIZE"
)


def measure_tail(requests: Requests, peak: int, greedy_peak: int) -> tuple[Tail | None, tuple[Finding, ...]]:
    """TFLM's part where it is known, and what is worth saying about it.

    `peak`: the planned bytes. `greedy_peak`: the head of TFLM as shipped, on its own requests.
    """
    kernels = requests.kernels
    if kernels.prepare is None:
        what = f"TFLM's tail is not known with {kernels.version}"
        return None, (Finding(what, requests.model.file, _MEASURE, is_note=True),) if kernels is RECORDED else ()
    try:
        planned = events(requests.model, kernels, peak, None)
        shipped = events(requests.model, kernels, greedy_peak, len(requests.rows))
    except Unknown as error:
        return None, (Finding(f"TFLM's tail is not known: {error}", requests.model.file, _MEASURE),)
    ours, theirs = usage(planned), usage(shipped)
    greedy = GreedyTail(theirs.tail, greedy_peak + theirs.tail, align_up(theirs.need, BUFFER))
    useless = _useless_plan(requests, greedy.min_arena)
    tail = Tail(ours.tail, align_up(ours.need, BUFFER), None if useless else greedy, TFLM, ABI, _items(planned))
    return tail, _warnings(requests.model, planned, tail, peak) + useless


def _useless_plan(requests: Requests, least: int) -> tuple[Finding, ...]:
    """A warning where TFLM as shipped cannot work with the offline plan that the model carries, which it obeys."""
    model = requests.model
    plan = read_offline_plan(model)
    if plan is None:
        return ()
    why = "is broken" if plan.faults else ""
    for row in requests.rows:
        if row.tensor is None or why:
            continue
        offset, width = plan.offsets[row.subgraph][row.tensor], model.subgraphs[row.subgraph].tensors[row.tensor].dtype
        if offset != ONLINE and offset % element_alignment(width.bytes or 1):
            why = f"puts a tensor of {width.name} at {offset}"
    if not why and least > MAX_ARENA:
        why = f"needs {least} bytes"
    if not why:
        return ()
    what = f"no arena is known for TFLM as shipped: it obeys the offline plan that the model carries, which {why}"
    return (Finding(what, model.file, "PlannedMemory does not look at it; --metadata replaces it"),)


def _items(run: tuple[Event, ...]) -> tuple[TailItem, ...]:
    """The tail by what it holds, in the order in which it grows; the bytes include what alignment costs."""
    counts: dict[str, int] = {}
    sizes: dict[str, int] = {}
    tail = 0
    for event in run:
        if event.kind == "persistent":
            before, tail = tail, align_up(tail + event.bytes, event.alignment)
            counts[event.what] = counts.get(event.what, 0) + 1
            sizes[event.what] = sizes.get(event.what, 0) + tail - before
    return tuple(TailItem(what, counts[what], sizes[what]) for what in counts)


def _warnings(model: Model, planned: tuple[Event, ...], tail: Tail, head: int) -> tuple[Finding, ...]:
    warnings = []
    # below head and tail together no arena is accepted; between that and the smallest sound one, temporaries decide
    if accepts_any(planned, (head + tail.bytes) // BUFFER * BUFFER, tail.min_arena):
        what = f"in less than {tail.min_arena} bytes TFLM may boot and overwrite its own temporary structures unnoticed"
        warnings.append(
            Finding(what, model.file, "give it that much; its allocator does not check them against its tail")
        )
    if variables := _resource_variables(model):
        what = f"TFLM's tail is without the table of {variables} resource variables, which the application creates"
        size = 16 + align_up(20 * variables, BUFFER)
        hint = (
            f"MicroResourceVariables::Create(allocator, {variables}) takes {size} bytes more where it is the same arena"
        )
        warnings.append(Finding(what, model.file, hint, is_note=True))
    return tuple(warnings)


def _resource_variables(model: Model) -> int:
    """How many different variables the model's VAR_HANDLEs name."""
    handles = (
        operator.options for graph in model.subgraphs for operator in graph.operators if operator.name == "VAR_HANDLE"
    )
    return len({(options.get("container"), options.get("shared_name")) for options in handles})
