"""What would make an arena smaller: steps that were tried by planning again, and what-if questions.

F7. No number is guessed: each is the head of a plan of the same model under other options, or of an edited model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from arena_codegen.errors import ArenaError, Finding, UsageError
from arena_codegen.layout.advice import Advice, ranked
from arena_codegen.layout.types import Layout
from arena_codegen.layout.words import numbered
from arena_codegen.model import edits
from arena_codegen.model.channels import with_channels
from arena_codegen.model.find import find_tensor
from arena_codegen.model.shapes import with_shapes
from arena_codegen.model.types import Model, Tensor
from arena_codegen.names import shorten
from arena_codegen.options import DISJOINT_STRATEGIES, PlanOptions
from arena_codegen.pipeline import ask
from arena_codegen.planning import plan
from arena_codegen.requests import Requests, to_problem
from arena_codegen.text import counted, printable

LISTED = 6
"""So many operators or tensors are named in one step."""
NAME_LENGTH = 40

_CHANNELS = re.compile(r"channels:(.+)=([0-9]{1,6})")
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]{0,39}")
_SHAPE = re.compile(r"(.+)=([0-9]{1,6}(?:[x,][0-9]{1,6})*)")


@dataclass(frozen=True, slots=True)
class _Step:
    """A step before it was tried: what to do, how, why, what the head is then, and whether it takes training."""

    step: str
    how: str
    why: str
    peak: Callable[[], int]
    retrain: bool = False


def advise(model: Model, options: PlanOptions, layout: Layout) -> tuple[Advice, ...]:
    """Every step that applies to the model, as `ranked` orders them; `layout` is its plan under `options`.

    Steps that save nothing are there too. One that cannot be planned (a shape that does not work out) is not.
    """
    tried = []
    for step in _steps(model, options, layout):
        try:
            peak = step.peak()
        except ArenaError:
            continue
        tried.append(Advice(step.step, step.how, peak, layout.peak - peak, step.why, step.retrain))
    return tuple(ranked(_worth(tried)))


def _worth(tried: list[Advice]) -> list[Advice]:
    """Without the combinations that save no more than one of their parts."""
    alone = {row.how: row.saves for row in tried}
    overlap = "--overlap"
    return [
        row
        for row in tried
        if row.how == overlap
        or not row.how.endswith(overlap)
        or row.saves > max(alone.get(overlap, 0), alone.get(row.how.removesuffix(overlap).strip(), 0))
    ]


def what_if(model: Model, options: PlanOptions, layout: Layout, questions: Iterable[str]) -> Advice:
    """What the head would be with all of these changes: `channels:TENSOR=24`, `TENSOR=80x80`.

    Raises UsageError for a question that is none, ModelError where the model cannot be changed so.
    """
    asked = tuple(questions)
    changed = model
    for question in asked:
        changed = _changed(changed, question)
    peak = _head(changed, options)
    flags = " ".join(f"--what-if {question}" for question in asked)
    return Advice(f"With {', '.join(asked)}", flags, peak, layout.peak - peak, _what_changed(model, changed))


def _steps(model: Model, options: PlanOptions, layout: Layout) -> Iterator[_Step]:
    yield from _option_steps(model, options)
    yield from _model_steps(model, options)
    yield from _smaller_steps(model, options, layout)


def _option_steps(model: Model, options: PlanOptions) -> Iterator[_Step]:
    """Other options of the same command."""

    def other(step: str, how: str, why: str, **changes: Any) -> _Step:
        return _Step(step, how, why, lambda: _head(model, replace(options, **changes)))

    if options.strategy in DISJOINT_STRATEGIES:
        yield other("Plan with the best strategy", "--strategy best", "searches, and may share bytes", strategy="best")
        return
    if not options.in_place and not options.overlap:
        yield other("Let views and element-wise operators take over their input", "--in-place", "", in_place=True)
    trailing = "for the kernels that the header names, and no others"
    if not options.overlap:
        yield other("Let outputs trail their inputs", "--overlap", trailing, in_place=True, overlap=True)
    for kernels, what in (("cmsis-nn", "CMSIS-NN"), ("reference", "TFLM's reference kernels")):
        if options.requests is None and options.kernels not in (kernels, "none", "cmsis-nn-4.0"):
            why = "slower: other scratch, other rules of sharing" if kernels == "reference" else "other scratch"
            yield other(f"Link {what}", f"--kernels {kernels}", why, kernels=kernels)
            if not options.overlap:
                yield other(
                    f"Link {what}, and let outputs trail their inputs", f"--kernels {kernels} --overlap",
                    f"{why}; {trailing}", kernels=kernels, in_place=True, overlap=True,
                )  # fmt: skip
    for align in (8, 4):
        if align < options.align:
            yield other(f"Align to {align} bytes", f"--align {align}", "TFLM itself rounds to 16", align=align)


def _model_steps(model: Model, options: PlanOptions) -> Iterator[_Step]:
    """Edits of the model that a converter, or its user, can make."""
    rows = (
        (edits.fold_pads, "Fold {} into the convolution behind", "padding='same' there when the model is made"),
        (
            edits.drop_float_edges,
            "Pass integers instead of floats: drop {}",
            "inference_input_type and output type int8",
        ),
        (edits.fuse_activations, "Fuse {} into the operator before", "activation= there when the model is made"),
        (edits.store_constants, "Store what {} computes from constants", "fold constants, or quantise the weights"),
    )
    for edit, step, how in rows:
        done = edit(model)
        if done is not None:
            why = "" if done.is_exact else "pads other sides than now: same shapes, other values"
            yield _Step(step.format(_operators(model, done)), how, why, _later(done.model, options), not done.is_exact)
    requests = ask(model, options)
    lives = requests.timeline.lives
    orphans = [
        (row.subgraph, row.tensor)
        for row in requests.rows
        if row.tensor is not None and row.bytes and not lives[row.subgraph][row.tensor].is_used
    ]
    if orphans:
        names = _listed([model.subgraphs[graph].tensors[tensor].label for graph, tensor in orphans])
        lighter = edits.drop_tensors(model, orphans)
        yield _Step(f"Remove {names}", "no operator uses it", "TFLM allocates every tensor", _later(lighter, options))
    yield _Step(
        "Keep inputs and outputs outside of the arena", "not done by this tool: buffers of your own, in other memory",
        f"they take {_outside_bytes(requests)} bytes there", lambda: _head(model, options, outside=True),
    )  # fmt: skip


def _smaller_steps(model: Model, options: PlanOptions, layout: Layout) -> Iterator[_Step]:
    """A smaller picture, and fewer channels in the layer that decides the peak."""
    for index in model.subgraphs[0].inputs:
        shape = model.subgraphs[0].tensors[index].shape
        if len(shape) == 4 and min(shape[1:3]) >= 8:
            size = f"{shape[1] * 3 // 4}x{shape[2] * 3 // 4}"
            question = f"{_spelled(model, index)}={size}"
            step = f"Take {size} instead of {shape[1]}x{shape[2]} as the input's resolution"
            yield _Step(step, f"--what-if {question}", "", _asked(model, options, question), retrain=True)
    layer = _deciding_layer(model, layout)
    if layer is not None:
        channels = layer.shape[-1]
        fewer = channels * 3 // 4 // 4 * 4 if channels >= 16 else channels * 3 // 4
        question = f"channels:{_spelled(model, layer.index)}={fewer}"
        step = f"Give {printable(shorten(layer.name, NAME_LENGTH))} {fewer} instead of {channels} channels"
        yield _Step(step, f"--what-if {question}", "", _asked(model, options, question), retrain=True)


def _deciding_layer(model: Model, layout: Layout) -> Tensor | None:
    """The largest buffer at the peak that has channels to spare, of the main graph."""
    rows = sorted(layout.alive(layout.peak_scope), key=lambda row: (-row.size, row.index))
    for row in rows:
        if row.subgraph == 0 and row.tensor is not None and row.tensor not in model.subgraphs[0].inputs:
            tensor = model.subgraphs[0].tensors[row.tensor]
            if len(tensor.shape) >= 2 and tensor.shape[-1] >= 4 and row.role != "output":
                return tensor
    return None


def _changed(model: Model, question: str) -> Model:
    if match := _CHANNELS.fullmatch(question):
        if not int(match[2]):
            raise _no_question(question)
        written = next((one.outputs[0] for one in model.subgraphs[0].operators if one.outputs), 0)
        return with_channels(model, *_found(model, match[1], f"channels:{written}={match[2]}"), int(match[2]))
    match = _SHAPE.fullmatch(question)
    if match is None:
        raise _no_question(question)
    sizes = tuple(int(size) for size in re.split("[x,]", match[2]))
    key = _input(model, match[1], sizes)
    shape = model.subgraphs[key[0]].tensors[key[1]].shape
    if len(sizes) == 2 and len(shape) in (3, 4):
        sizes = (*shape[: len(shape) - 3], *sizes, shape[-1]) if len(shape) == 4 else (shape[0], *sizes)
    if len(sizes) != len(shape) or not all(sizes):
        what = f"--what-if {question}: the tensor has the shape {'x'.join(map(str, shape)) or 'of a scalar'}"
        raise UsageError(Finding(what, model.where(key[0], tensor=key[1])))
    return with_shapes(model, {key: sizes})


def _no_question(question: str) -> UsageError:
    return UsageError(Finding(f"--what-if is {question!r}", hint="channels:TENSOR=24, input=80x80 or TENSOR=1x80x80x3"))


def _input(model: Model, text: str, sizes: tuple[int, ...]) -> tuple[int, int]:
    """The tensor that is meant; `input` is the only input that a picture fits, where no tensor is called so."""
    inputs = [
        one for one in model.subgraphs[0].inputs if len(model.subgraphs[0].tensors[one].shape) in (3, 4, len(sizes))
    ]
    if text == "input" and len(inputs) == 1 and all(one.name != text for one in model.subgraphs[0].tensors):
        return 0, inputs[0]
    return _found(model, text, f"{inputs[0]}={'x'.join(map(str, sizes))}" if inputs else "")


def _found(model: Model, text: str, example: str) -> tuple[int, int]:
    """The tensor that is meant; the error for a name that no tensor has shows how a number is asked for."""
    try:
        return find_tensor(model, text)
    except UsageError as error:
        hint = f"a number does too: --what-if {example}" if example else ""
        raise UsageError([replace(one, hint=f"{one.hint}\n{hint}".strip()) for one in error.findings]) from error


def _later(model: Model, options: PlanOptions) -> Callable[[], int]:
    return lambda: _head(model, options)


def _asked(model: Model, options: PlanOptions, question: str) -> Callable[[], int]:
    return lambda: _head(_changed(model, question), options)


def _head(model: Model, options: PlanOptions, outside: bool = False) -> int:
    """The planned bytes of a model, with the inputs and outputs of its main graph or without."""
    requests = ask(model, replace(options, arena="plan", max_arena=None))
    if outside:
        requests = _without_edges(requests)
    effort = "normal" if options.effort == "thorough" else options.effort  # for a dozen plans, not for one
    chosen = plan(to_problem(requests), strategy=options.strategy, effort=effort)
    if not chosen.complete:
        raise KeyboardInterrupt
    return chosen.peak


def _without_edges(requests: Requests) -> Requests:
    edges = {"input", "output"}
    rows = tuple(replace(row, bytes=0) if row.role in edges and row.subgraph == 0 else row for row in requests.rows)
    shares = tuple(share for share in requests.shares if rows[share.input].bytes and rows[share.output].bytes)
    return replace(requests, rows=rows, shares=shares)


def _outside_bytes(requests: Requests) -> int:
    return sum(row.size for row in requests.rows if row.role in ("input", "output") and row.subgraph == 0)


def _what_changed(before: Model, after: Model) -> str:
    """Which weights and tensors have another shape."""
    changed = [
        (old, new)
        for one, two in zip(before.subgraphs, after.subgraphs, strict=True)
        for old, new in zip(one.tensors, two.tensors, strict=True)
        if old.shape != new.shape
    ]
    weights = sum(old.is_constant for old, _ in changed)
    return f"{counted(weights, 'constant')} and {counted(len(changed) - weights, 'tensor')} change their shape"


def _operators(model: Model, done: edits.Edit) -> str:
    named = (model.subgraphs[graph].operators[index] for graph, index in done.operators)
    return _listed([f"op {numbered(one.subgraph, one.index)} {one.name}" for one in named])


def _listed(names: list[str]) -> str:
    rest = len(names) - LISTED
    return printable(", ".join(names[:LISTED]) + (f" and {rest} more" if rest > 0 else ""))


def _spelled(model: Model, index: int) -> str:
    """A tensor of the main graph as a question finds it: its name where a shell takes it as it is, else its index."""
    name = model.subgraphs[0].tensors[index].name
    try:
        return name if _PLAIN.fullmatch(name) and find_tensor(model, name) == (0, index) else str(index)
    except UsageError:
        return str(index)
