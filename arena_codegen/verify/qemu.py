"""A program for the board → what it said.

F7. QEMU's UART is our standard output, its semihosting exit code our exit code.
"""

from __future__ import annotations

from pathlib import Path

from arena_codegen.errors import Finding, ToolError
from arena_codegen.verify import tools
from arena_codegen.verify.board import MPS2_AN386, Board


def run_program(program: Path, *, timeout: float, board: Board = MPS2_AN386, counted: bool = False) -> tools.Ended:
    """Runs a program on the emulated board for `timeout` seconds at most; `counted`: its clock counts instructions.

    Raises ToolError where QEMU is missing.
    """
    if board.machine is None:
        raise ToolError(Finding(f"no emulator runs {board.name}", hint="flash the program that was built"))
    command = [
        tools.find(tools.EMULATOR),
        "-M", board.machine,
        "-display", "none",
        "-monitor", "none",
        "-serial", "stdio",
        "-semihosting-config", "enable=on,target=native",
        "-kernel", program.name,
        *(["-icount", "shift=0"] if counted else []),
    ]  # fmt: skip
    return tools.run(command, timeout=timeout, folder=program.parent)
