"""Inference from the planned arena: CMSIS-NN and our kernels compute the model on the board, and real TFLM says what is
right."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from arena_codegen import resources
from arena_codegen.emit.header import render_header
from arena_codegen.emit.network import KERNELS, Invocation, render_network
from arena_codegen.inference import Network
from arena_codegen.layout.types import Layout
from arena_codegen.verify.board import MPS2_AN386, Board, section_for
from arena_codegen.verify.cmsis import Sources
from arena_codegen.verify.findings import Inference, read_inference
from arena_codegen.verify.firmware import Part, build, cache_folder, stub_part
from arena_codegen.verify.golden import Golden
from arena_codegen.verify.qemu import run_program

TIMEOUT = 300.0
"""Seconds that the board may take, unless told otherwise."""

PREFIX, HEADER, NETWORK, REPORT, TENSORS = "judged", "plan.h", "network.c", "inference.tap", "tensors.bin"


def run_inference(
    network: Network,
    layout: Layout,
    goldens: Sequence[Golden],
    sources: Sources,
    *,
    build_dir: Path | None = None,
    timeout: float = TIMEOUT,
    progress: Callable[[str], None] = lambda text: None,
) -> Inference:
    """What the board computed from a plan, compared with what TFLM computed.

    Generated files, program, compiled parts and the board's report stay in `build_dir`; without one only the compiled
    parts stay, in the user's cache. Raises ToolError where a tool is missing, FitError where the model exceeds the
    board's memory, VerdictError where the board faults, hangs or breaks off.
    """
    if build_dir is not None:
        folder = build_dir.resolve()
        return _run(network, layout, goldens, sources, folder, folder / "stub", timeout, progress)
    with tempfile.TemporaryDirectory(prefix="arena-codegen-") as made:
        return _run(network, layout, goldens, sources, Path(made), cache_folder(), timeout, progress)


def _run(
    network: Network,
    layout: Layout,
    goldens: Sequence[Golden],
    sources: Sources,
    folder: Path,
    cache: Path,
    timeout: float,
    progress: Callable[[str], None],
) -> Inference:
    kernels = sources.kernels or KERNELS
    generated = render_inference(network, layout, goldens, kernels=kernels)
    program = build(generated, NETWORK, folder, cache, parts=inference_parts(sources))
    (folder / TENSORS).unlink(missing_ok=True)
    progress("firmware built; running it on the emulated board")
    ended = run_program(program, timeout=timeout, counted=True)
    (folder / REPORT).write_text(ended.output, encoding="utf-8")
    sent = (folder / TENSORS).read_bytes() if (folder / TENSORS).is_file() else b""
    return read_inference(ended, sent, network, layout, goldens, timeout)


def render_inference(
    network: Network,
    layout: Layout,
    goldens: Sequence[Golden],
    board: Board = MPS2_AN386,
    kernels: str = KERNELS,
) -> dict[str, str]:
    """The generated files by name. Raises FitError where no memory of the board holds the arena."""
    emitted = replace(layout, arena_bytes=max(1, layout.peak))
    section = section_for(emitted, emitted.arena_bytes, board)
    told = invocations(network, goldens)
    return {
        HEADER: render_header(emitted, prefix=PREFIX, section=section),
        NETWORK: render_network(network, emitted, told, header=HEADER, prefix=PREFIX, kernels=kernels),
    }


def invocations(network: Network, goldens: Sequence[Golden]) -> tuple[Invocation, ...]:
    """What the firmware is told of each invocation."""
    return tuple(
        Invocation(
            golden.vector.name,
            golden.vector.fill,
            golden.vector.seed,
            tuple(golden.crc(flat) for flat in range(len(network.tensors))),
        )
        for golden in goldens
    )


def inference_parts(sources: Sources, board: Board = MPS2_AN386) -> tuple[Part, ...]:
    """What every inference consists of, but for the network: the stub without its pattern check, kernels, CMSIS-NN."""
    root = resources.firmware()
    runner = [root / "src" / "pattern.c"]
    runner += [
        path for part in ("inference", "board", f"board/{board.folder}") for path in sorted((root / part).glob("*.c"))
    ]
    kernels = sorted((root / "kernels").glob("*.c"))
    folders = ("src", "inference", "board", f"board/{board.folder}", "kernels")
    own = (root / "inference", root / "kernels")
    options = ["-ffp-contract=off", *(f"-isystem{path}" for path in sources.includes)]
    library = sources.part
    return (
        stub_part(*runner, folders=folders, includes=own, board=board),
        replace(
            stub_part(*kernels, folders=("kernels",), includes=own, options=options, board=board),
            headers=_headers(root, library),
        ),
        library,
    )


def _headers(root: Path, library: Part) -> tuple[Path, ...]:
    return (*sorted((root / "kernels").glob("*.h")), *library.headers)
