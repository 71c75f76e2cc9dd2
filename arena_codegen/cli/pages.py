"""F8. The prose of the manual pages: what stands before the options of a command, and what after them."""

from __future__ import annotations

_EXITS = """\
EXIT STATUS
    0   done
    1   diff or check found a difference or a fault
    2   wrong usage, or a file that cannot be written
    3   the model is missing, unreadable or unsupported
    4   it does not fit: a budget, a board's memory
    5   the board or the judge disagrees with a plan
    6   a tool or a package is missing
    70  a bug of ours
    130 interrupted

    A run that fails leaves every file as it was. Diagnostics go to standard error."""

_PLAN_BEFORE = """\
NAME
    arena-codegen - plans the tensor arena of a TensorFlow Lite Micro model at build time

SYNOPSIS
    arena-codegen MODEL.tflite -o PLAN.h [options]
{synopses}
    arena-codegen --cmake-dir | --include-dir | --version

DESCRIPTION
    Reads a model, gives every tensor an offset such that no two that are alive at the same time share a byte, \
and writes a C header with the offset table, the exact size of the arena and what is needed to check both. The \
result is one line:

    arena-codegen: plan.h arena=82272 head=55296 bound=55296 optimal tail=26964 peak_op=2 CONV_2D

    arena is the emitted buffer, head the planned bytes, bound what no plan can go below; optimal says that head \
and bound are equal, gap=N that they are N bytes apart; tail is what TFLM allocates besides, where that is \
known; peak_op is the operator at which most bytes are alive.

    Options and the model may come in any order. At least one output other than --depfile is needed. TENSOR is an \
index (17, or 1:17 in subgraph 1) or a name. SIZE is in bytes and takes K and M (1024).

COMMANDS
{commands}

    A model whose file is called like a command is written ./{first}. Each command has its own --help."""

_PLAN_AFTER = (
    _EXITS
    + """

EXAMPLES
    arena-codegen kws.tflite -o kws_plan.h
    arena-codegen kws.tflite -o kws_plan.h --json kws.json --max-arena 48K
    arena-codegen inspect kws.tflite"""
)

_INSPECT_BEFORE = """\
NAME
    arena-codegen inspect - shows what the arena of a model is made of

SYNOPSIS
    arena-codegen inspect MODEL.tflite… [options]

DESCRIPTION
    Plans each model and shows static and dynamic memory, the planning table, bytes alive and reference counts \
step by step, the peak step with everything that is alive there, and the memory map. The width is that of the \
terminal, or COLUMNS, or 100 where the output is piped.

    Several models, or a folder of them, come as one table with a row for each, the largest arena first; they are \
planned on all cores. One that cannot be planned stops no other, and makes the exit status.

    --advise ranks what would make the arena smaller. Each number is the head of a plan that was made: with other \
options, of a model without operators that a converter can fold, of one with a smaller input or fewer channels."""

_COMPARE_BEFORE = """\
NAME
    arena-codegen compare - plans models in every way, side by side

SYNOPSIS
    arena-codegen compare MODEL.tflite… [options]

DESCRIPTION
    Plans each model by every strategy; best and exact with nothing that shares bytes, with in-place and with \
overlap. A folder stands for all models inside. Several models are planned on all cores; one that cannot be planned \
stops no other, and makes the exit status. A row has:

    peak           planned bytes, the head
    over bound     bytes above the best bound that any strategy proved for the same buffers and sharing
    unused at peak bytes of the head that nothing uses in the step of the peak
    on average     the same over all steps
    proof          optimal where peak and bound are equal
    ms             processor time of the planning alone; the one number that differs from run to run

    What decides the peak of best is told for each sharing: the operator, the bytes there, and why its output cannot \
take over its input. TFLM as shipped is TFLM's own planner, which no wish reaches."""

_DIFF_BEFORE = """\
NAME
    arena-codegen diff - tells what changed between two plans

SYNOPSIS
    arena-codegen diff OLD NEW [options]

DESCRIPTION
    OLD and NEW are layouts that --json wrote, or models. A model is planned with the options that are given here, or, \
without any, with those of the layout on the other side. Says how arena and head changed, which operator is to blame \
and for which buffers, what shaped the plans in another way, and which buffers appeared, vanished, grew, shrank or \
moved. Tensors are the same where subgraph and name are; those that lost their name are matched by their number.

    Where the arena (the emitted buffer) grew, the exit status is 1."""

_VERIFY_BEFORE = """\
NAME
    arena-codegen verify - executes a plan on an emulated Cortex-M4

SYNOPSIS
    arena-codegen verify MODEL.tflite [--plan FILE.json] [options]

DESCRIPTION
    Builds the firmware stub with the plan's header and runs it on QEMU (mps2-an386). Step by step the board \
writes every buffer that is born and checks every buffer that is alive, all bytes, twice: once by the plan's \
lifetimes, once by the model's own. A plan whose buffers touch is refuted, with both named: exit 5. A missing \
compiler or emulator is exit 6."""

_CHECK_BEFORE = """\
NAME
    arena-codegen check - judges a plan that was made elsewhere

SYNOPSIS
    arena-codegen check MODEL.tflite [--plan FILE.json] [options]

DESCRIPTION
    Without --plan, the offline plan in the model's metadata, written by --metadata, by Vela or by anybody else: \
its length and count, the range and alignment of its offsets, and whether tensors that are alive together share \
bytes where their kernels do not permit it. With --plan, a layout, against the sizes and lifetimes of the model's \
own tensors. A fault is exit 1."""

_PAGES = {
    "check": (_CHECK_BEFORE, _EXITS),
    "compare": (_COMPARE_BEFORE, _EXITS),
    "diff": (_DIFF_BEFORE, _EXITS),
    "inspect": (_INSPECT_BEFORE, _EXITS),
    "verify": (_VERIFY_BEFORE, _EXITS),
}


def of(command: str) -> tuple[str, str]:
    """What stands before and after the options of a command's page."""
    from arena_codegen.cli.main import COMMANDS

    if command != "plan":
        return _PAGES[command]
    synopses = "\n".join(f"    arena-codegen {name} …" for name in COMMANDS if name != "plan")
    commands = "\n".join(f"    {name:<8} {what}" for name, (_, what) in COMMANDS.items())
    first = next(iter(COMMANDS))
    return _PLAN_BEFORE.format(synopses=synopses, commands=commands, first=first), _PLAN_AFTER
