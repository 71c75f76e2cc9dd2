"""F8. The parameters that commands share, declared once: how they are written, and what the manual says about them.

All are text, lists of text, or flags; what the text means is decided in `arena_codegen.options`, where the Python API
goes through too. `group` is the heading in the manual.
"""

from __future__ import annotations

from typing import Annotated, Any

import typer


def option(group: str, *names: str, metavar: str | None = None, help: str) -> Any:
    """A typer option in a group of the manual."""
    return typer.Option(*names, metavar=metavar, help=help, rich_help_panel=group, show_default=False)


OUTPUTS, PLANNING, WISHES, SIZES, ABOUT = "Outputs", "Planning", "Wishes", "Size and place", "About"

Models = Annotated[list[str] | None, typer.Argument(metavar="MODEL.tflite", show_default=False)]

Output = Annotated[
    str | None,
    option(
        OUTPUTS, "-o", "--output", metavar="FILE.h",
        help="The header. Like every output it is written atomically, and only when its bytes change, so that "
        "nothing is recompiled for an equal plan. Its directory must exist.",
    ),
]  # fmt: skip
Json = Annotated[str | None, option(OUTPUTS, "--json", metavar="FILE", help="The same plan as data.")]
Html = Annotated[
    str | None,
    option(
        OUTPUTS, "--html", metavar="FILE",
        help="The same plan as a page that explains it: one file, no network, no server.",
    ),
]  # fmt: skip
Svg = Annotated[
    str | None,
    option(OUTPUTS, "--svg", metavar="FILE", help="The same plan as a picture: time across, addresses up."),
]
Metadata = Annotated[
    str | None,
    option(
        OUTPUTS, "--metadata", metavar="FILE.tflite",
        help="A copy of the model that carries the plan as TFLM's OfflineMemoryAllocation metadata; header, JSON and "
        "fingerprint then describe what TFLM makes of that copy.",
    ),
]  # fmt: skip
JsonFlag = Annotated[bool, option(OUTPUTS, "--json", help="The layout as data, on standard output; several as a list.")]
Depfile = Annotated[
    str | None,
    option(
        OUTPUTS, "--depfile", metavar="FILE",
        help="Make/Ninja dependency file that names every file that was read. Its target is the stamp where one is "
        "given, else exactly the -o text.",
    ),
]  # fmt: skip
Stamp = Annotated[
    str | None, option(OUTPUTS, "--stamp", metavar="FILE", help="An empty file, touched on every success.")
]
Prefix = Annotated[
    str | None,
    option(
        OUTPUTS, "--prefix", metavar="NAME",
        help="C prefix of all symbols; macros use it in upper case. Default: the model's file name made an identifier.",
    ),
]  # fmt: skip

Strategy = Annotated[
    str | None,
    option(
        PLANNING, "--strategy", metavar="NAME",
        help="best (default), exact, greedy (TFLM's, byte for byte), linear (first come, first served, with a free "
        "list) or naive (no reuse).",
    ),
]  # fmt: skip
Effort = Annotated[
    str | None,
    option(
        PLANNING, "--effort", metavar="LEVEL",
        help="quick, normal (default) or thorough: how many steps a search may take; never seconds.",
    ),
]  # fmt: skip
Kernels = Annotated[
    str | None,
    option(
        PLANNING, "--kernels", metavar="NAME",
        help="Whose scratch buffers and sharing: cmsis-nn (default; what TFLM pins), cmsis-nn-4.0 (the firmware "
        "stub's), reference (TFLM's own kernels) or none.",
    ),
]  # fmt: skip
Requests = Annotated[
    str | None,
    option(
        PLANNING, "--requests", metavar="FILE",
        help="Buffer requests as a device printed them with RecordedMemory, instead of the built-in "
        "kernel model; a raw serial log will do.",
    ),
]  # fmt: skip
HonorPlan = Annotated[
    bool, option(PLANNING, "--honor-plan", help="Keeps the offsets that the model's own offline plan fixes.")
]
Target = Annotated[
    str | None,
    option(PLANNING, "--target", metavar="CORE", help="m0, m3, m4 (default), m7, m33 or m55; cortex-m4 is m4."),
]
Align = Annotated[
    str | None,
    option(
        PLANNING, "--align", metavar="N",
        help="Power of two from 1 to 64; default 16. A minimum: no buffer lies below its element's alignment.",
    ),
]  # fmt: skip
InPlace = Annotated[
    bool,
    option(
        PLANNING, "--in-place/--no-in-place",
        help="Views and element-wise operators may take over their input's bytes (default), or may not.",
    ),
]  # fmt: skip
Overlap = Annotated[
    bool,
    option(
        PLANNING, "--overlap/--no-overlap",
        help="Outputs may trail their inputs where the kernel's order of access allows, or may not (default). Right "
        "for the kernels that the header names; PlannedMemory refuses the plan unless it is told that these run.",
    ),
]  # fmt: skip

Keep = Annotated[
    list[str] | None,
    option(
        WISHES, "--keep", metavar="TENSOR",
        help="Its bytes stay untouched until the end of the invocation. May be repeated, like --pin and --shape.",
    ),
]  # fmt: skip
Pin = Annotated[
    list[str] | None,
    option(WISHES, "--pin", metavar="TENSOR@OFFSET", help="A fixed offset (DMA, a shared display buffer)."),
]
Segment = Annotated[
    str | None,
    option(WISHES, "--segment", metavar="io", help="Inputs and outputs get bytes of their own that nothing else uses."),
]
Shape = Annotated[
    list[str] | None,
    option(
        WISHES, "--shape", metavar="TENSOR=1,49,10,64", help="Fixes the shape of a tensor with a dynamic dimension."
    ),
]

Arena = Annotated[
    str | None,
    option(
        SIZES, "--arena", metavar="plan|tflm|SIZE",
        help="How many bytes the emitted buffer has: the plan alone, plan and TFLM's tail, or a size of your own. "
        "Default: tflm where the tail is known, else plan.",
    ),
]  # fmt: skip
MaxArena = Annotated[
    str | None,
    option(
        SIZES, "--max-arena", metavar="SIZE",
        help="Bounds the emitted buffer: a larger need is exit 4, and nothing is written.",
    ),
]  # fmt: skip
Section = Annotated[str | None, option(SIZES, "--section", metavar="NAME", help="Linker section of the arena.")]

Version = Annotated[bool, option(ABOUT, "--version", help="Prints arena-codegen and its version.")]
CMakeDir = Annotated[
    bool,
    option(ABOUT, "--cmake-dir", help="Prints the directory for -DArenaCodegen_DIR=, for find_package(ArenaCodegen)."),
]
IncludeDir = Annotated[
    bool, option(ABOUT, "--include-dir", help="Prints the include path of arena_codegen/plan.h and tflm_planner.h.")
]
