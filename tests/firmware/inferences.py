"""Models and plans for inference on the board: computed in one line, broken on purpose, or run on the host."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arena_codegen import resources
from arena_codegen.emit.header import render_header
from arena_codegen.emit.network import render_network
from arena_codegen.inference import Network, describe
from arena_codegen.layout.types import BufferRow, Layout
from arena_codegen.options import plan_options
from arena_codegen.pipeline import plan_layout
from arena_codegen.verify.cmsis import Sources, find_sources
from arena_codegen.verify.findings import Inference, read_inference
from arena_codegen.verify.golden import Golden, run_tflm
from arena_codegen.verify.inference import HEADER, NETWORK, PREFIX, TENSORS, invocations, run_inference
from arena_codegen.verify.tools import Ended
from tests.firmware.plans import model_of
from tests.support.tools import ROOT, need_tool

HOST_TIMEOUT = 300.0


@dataclass(frozen=True)
class Prepared:
    """A model with its plan and what must come out."""

    network: Network
    layout: Layout
    goldens: tuple[Golden, ...]


def prepare(data: bytes, goldens: tuple[Golden, ...] | None = None, **options: object) -> Prepared:
    """The model's plan for the board's kernels and TFLM's tensors, where they are not known already."""
    network = describe(model_of(data))
    assert network.missing == ()
    chosen = plan_options(**{"kernels": "cmsis-nn-4.0", "arena": "plan", **options})
    return Prepared(network, plan_layout(network.model, chosen), run_tflm(network) if goldens is None else goldens)


def compute(prepared: Prepared, edit: Callable[[Layout], Layout] = lambda layout: layout) -> Inference:
    """What the board makes of it, after an edit of the plan."""
    return run_inference(prepared.network, edit(prepared.layout), prepared.goldens, find_sources())


def with_row(layout: Layout, name: str, **changes: int) -> Layout:
    """The layout with one buffer changed; the peak follows."""
    rows = tuple(replace(row, **changes) if row.label == name else row for row in layout.buffers)
    assert rows != layout.buffers
    return replace(layout, buffers=rows, peak=max(layout.peak, *(row.end for row in rows)))


def row_of(layout: Layout, name: str) -> BufferRow:
    return next(row for row in layout.buffers if row.label == name)


def run_on_host(prepared: Prepared, folder: Path, sanitizers: str) -> tuple[Inference, str]:
    """The same C compiled for the host with these sanitizers: its verdict, and what the sanitizers said."""
    sources = find_sources()
    emitted = replace(prepared.layout, arena_bytes=prepared.layout.peak)
    told = invocations(prepared.network, prepared.goldens)
    (folder / HEADER).write_text(render_header(emitted, prefix=PREFIX))
    (folder / NETWORK).write_text(render_network(prepared.network, emitted, told, header=HEADER, prefix=PREFIX))
    program = _build_for_host(folder, sources, sanitizers)
    done = subprocess.run([str(program)], cwd=folder, capture_output=True, timeout=HOST_TIMEOUT)
    ended = Ended(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))
    sent = (folder / TENSORS).read_bytes() if (folder / TENSORS).exists() else b""
    if ended.errors:
        raise AssertionError(ended.errors)
    return read_inference(ended, sent, prepared.network, prepared.layout, prepared.goldens, HOST_TIMEOUT), ended.errors


def _build_for_host(folder: Path, sources: Sources, sanitizers: str) -> Path:
    stub = resources.firmware()
    ours = [ROOT / "tests" / "firmware" / "host" / "board.c", stub / "board" / "text.c", stub / "src" / "pattern.c"]
    ours += sorted((stub / "inference").glob("*.c")) + sorted((stub / "kernels").glob("*.c")) + [folder / NETWORK]
    includes = [stub / "src", stub / "inference", stub / "kernels", resources.include(), folder]
    compiler = [
        need_tool("gcc"),
        "-std=c11",
        "-O1",
        "-g",
        "-ffp-contract=off",
        "-D__GNUC_PYTHON__",
        "-D__RESTRICT=__restrict",
    ]
    system = [f"-isystem{path}" for path in sources.includes]
    checked = [f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all"]
    _compile([*compiler, *system, "-w", "-fsanitize=address", "-c", *map(str, sources.part.sources)], folder)
    objects = sorted(folder.glob("*.o"))
    command = [*compiler, *(f"-I{path}" for path in includes), *system, "-Wall", "-Wextra", *checked, *map(str, ours)]
    _compile([*command, *map(str, objects), "-lm", "-o", str(folder / "host")], folder)
    return folder / "host"


def _compile(command: Sequence[str], folder: Path) -> None:
    done = subprocess.run(list(command), cwd=folder, capture_output=True, text=True, timeout=HOST_TIMEOUT)
    assert done.returncode == 0, done.stderr[:4000]
