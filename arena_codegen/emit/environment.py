"""The one Jinja environment, and the only home of jinja2.

F5. Templates decide where text goes, Python what it is: values arrive ready to print. A value that a template names and
nobody gave is a bug and raises (StrictUndefined).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from arena_codegen.resources import templates

if TYPE_CHECKING:
    from arena_codegen.emit.c_array import Array


def render(template: str, **values: Any) -> str:
    """The text of a template, named from the templates' folder (`c/plan.h.j2`), ending in one newline."""
    return environment().get_template(template).render(values)


@cache
def environment() -> Environment:
    """The environment that all templates share; those of `html/` and `svg/` escape what they print."""
    made = Environment(
        loader=FileSystemLoader(templates()),
        autoescape=_is_markup,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    made.filters["c_array"] = _c_array
    return made


def _c_array(array: Array) -> str:
    """The filter of arrays; few templates have any, so it is loaded where one does."""
    from arena_codegen.emit.c_array import c_array

    return c_array(array)


def _is_markup(name: str | None) -> bool:
    return name is not None and name.startswith(("html/", "svg/"))
