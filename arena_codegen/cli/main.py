"""F8. From words to a command, from exceptions to exit codes.

Only the module of the command that runs is imported, and it imports what it needs when it needs it: a build step is
started thousands of times.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Sequence
from types import FrameType, TracebackType

from arena_codegen.cli import console
from arena_codegen.errors import ArenaError, Finding, ToolError, UsageError
from arena_codegen.version import VERSION

COMMANDS = {
    "plan": ("arena_codegen.cli.build", "the build step; the word plan may be left out"),
    "inspect": ("arena_codegen.cli.inspect", "tensors, lifetimes, reference counts, memory map"),
    "check": ("arena_codegen.cli.check", "judges a plan made elsewhere"),
    "compare": ("arena_codegen.cli.compare", "every strategy side by side"),
    "diff": ("arena_codegen.cli.diff", "what changed between two plans"),
    "verify": ("arena_codegen.cli.verify", "runs a plan on an emulated Cortex-M4"),
}
"""Every command: its module, where a function of that name is, and what it does. A row is all that a new one needs."""

INTERRUPTED = 130
BUG = ArenaError.exit_code


def run(words: Sequence[str] | None = None) -> int:
    """Runs the command line; gives the exit code. Diagnostics go to standard error."""
    _start_lightly()
    console.prepare()
    try:
        _end_politely()
        code = _run(list(sys.argv[1:] if words is None else words))
        console.flush()
        return code
    except ArenaError as error:
        console.report("error", error.findings)
        return error.exit_code
    except KeyboardInterrupt as stop:
        console.say("arena-codegen: interrupted, nothing was written" + (f"; {stop}" if stop.args else ""), sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        console.forsake()
        return 0
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("", "arena_codegen"):
            return _confess(error)
        hint = "pip install arena-codegen brings all that it needs"
        console.report("error", [Finding(f"the Python package {error.name} is not installed", hint=hint)])
        return ToolError.exit_code
    except Exception as error:
        return _confess(error)


def _run(words: list[str]) -> int:
    if words and words[0] == "help" and not os.path.exists("help"):
        of = words[1] + " " if words[1:] and words[1] in COMMANDS else ""
        raise UsageError(Finding("there is no command help", hint=f"arena-codegen {of}--help"))
    name = words.pop(0) if words and words[0] in COMMANDS else "plan"
    from arena_codegen.cli.manual import call

    return call(name, COMMANDS[name][0], words)


def _start_lightly() -> None:
    """A fifth of the start is spent on things that a short run does not need.

    Looking for cycles among objects that modules have just made for good, and, in numpy's linear algebra, threads for
    every core of the machine; nothing here multiplies matrices.
    """
    gc.set_threshold(1_000_000)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _end_politely() -> None:
    """SIGTERM ends a run as Ctrl-C does, so that temporary files go."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        return
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) is signal.SIG_DFL:
            signal.signal(getattr(signal, name), stop)


def _confess(error: Exception) -> int:
    """Our bug, in three lines; the traceback is for those who ask."""
    where = _place(error.__traceback__)
    hint = "please report this with the command and, if you may, the model; ARENA_DEBUG=1 shows the traceback"
    what = f"a bug in arena-codegen {VERSION}: {type(error).__name__}: {error}"
    console.report("error", [Finding(what, where, hint)])
    if os.environ.get("ARENA_DEBUG") == "1":
        import traceback

        traceback.print_exception(error)
    return BUG


def _place(trace: TracebackType | None) -> str:
    """The innermost place in our own code, by module: paths of this machine are nobody's business."""
    found = ""
    while trace is not None:
        module = trace.tb_frame.f_globals.get("__name__", "")
        if module.startswith("arena_codegen"):
            found = f"{module}:{trace.tb_lineno} in {trace.tb_frame.f_code.co_name}"
        trace = trace.tb_next
    return found
