"""F8. What typer is asked to do: parse the words of one command, and show its manual page.

Typer's own page and messages differ from release to release and know nothing of exit codes; ours are made here from the
parameters that typer knows.
"""

from __future__ import annotations

import importlib
import shutil
import sys
import textwrap
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import typer
from typer.core import TyperCommand

from arena_codegen.cli import console, pages
from arena_codegen.errors import Finding, UsageError

_USAGE_ERROR: type[Exception] = typer.BadParameter.__bases__[0]
"""Base of all that the parser raises; typer does not export it."""

ALIKE = 0.75
"""How alike an option must be for us to think that it was meant, 0 … 1."""


def call(name: str, module: str, words: Sequence[str]) -> int:
    """Runs the function `name` of a module with its words; gives the exit code. Raises UsageError for other words."""
    function = getattr(importlib.import_module(module), name)
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(name, cls=_Command, context_settings={"help_option_names": ["-h", "--help"]})(function)
    command: Any = typer.main.get_command(app)
    try:
        with command.make_context(name, list(words)) as context:
            return command.invoke(context) or 0
    except typer.Exit as stop:
        return stop.exit_code
    except _USAGE_ERROR as error:
        raise UsageError(_said(error, command)) from error


class _Text:
    """Takes text as it comes. Typer would load pydantic to turn text into text, which takes longer than most plans."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        return list(value) if isinstance(value, tuple | list) else value


class _Command(TyperCommand):
    """A command that shows our manual page, and whose parameters are text."""

    def get_params(self, ctx: Any) -> Any:
        parameters = super().get_params(ctx)
        for parameter in parameters:
            if hasattr(parameter, "_runtime_param"):
                parameter._runtime_param = _Text()
        return parameters

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As typer does; of an option that names a file, the last one does not win in silence."""
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for parameter in dict.fromkeys(given):
            if (getattr(parameter, "metavar", None) or "").startswith("FILE") and given.count(parameter) > 1:
                what = f"option {parameter.opts[0]} is given {given.count(parameter)} times"
                raise UsageError(Finding(what, hint="one file for each option; a second header is a run of its own"))
        rest: list[str] = super().parse_args(ctx, args)
        return rest

    def format_help(self, ctx: Any, formatter: Any) -> None:
        width = min(shutil.get_terminal_size((80, 24)).columns, 100)
        formatter.write(console.fitting(_page(self, max(width, 40)), sys.stdout))


def _page(command: TyperCommand, width: int) -> str:
    """The manual page: what the command says about itself, with its options by group in between."""
    before, after = pages.of(command.name or "plan")
    groups: dict[str, list[str]] = {}
    for parameter in command.params:
        if parameter.param_type_name == "option" and not getattr(parameter, "hidden", False):
            group = getattr(parameter, "rich_help_panel", None) or "Options"
            groups.setdefault(group, []).extend(_entry(parameter, width))
    sections = [f"{group.upper()}\n" + "\n".join(lines) for group, lines in groups.items()]
    return "\n\n".join([_wrapped(before, width), *sections, _wrapped(after, width)]).strip() + "\n"


def _entry(parameter: Any, width: int) -> list[str]:
    names = ", ".join(parameter.opts)
    if parameter.secondary_opts:
        names = " / ".join([*parameter.opts, *parameter.secondary_opts])
    if parameter.metavar:
        names += f" {parameter.metavar}"
    text = textwrap.wrap(parameter.help or "", width - 8, break_on_hyphens=False)
    return [f"    {names}", *(f"        {line}" for line in text)]


def _wrapped(text: str, width: int) -> str:
    """Text whose lines fit: a line that is too long is wrapped at its own indentation."""
    lines: list[str] = []
    for line in text.strip("\n").split("\n"):
        indent = " " * (len(line) - len(line.lstrip()))
        lines += textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False) or [""]
    return "\n".join(lines)


def _said(error: Any, command: TyperCommand) -> Finding:
    """What the parser has to say, in our words, which do not change with its release."""
    words = "arena-codegen" if command.name == "plan" else f"arena-codegen {command.name}"
    hint = f"{words} --help lists the options"
    kind = type(error).__name__
    if kind == "NoSuchOption":
        options = [name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)]
        if close := get_close_matches(error.option_name, options, 1, ALIKE):
            hint = f"did you mean {close[0]}?"
        return Finding(f"no such option: {error.option_name}", hint=hint)
    if kind == "BadOptionUsage":
        takes = "takes no value" if "not take" in error.message else "needs a value"
        return Finding(f"option {error.option_name} {takes}", hint=hint)
    text = error.format_message().rstrip(".")
    return Finding(text[:1].lower() + text[1:], hint=hint)
