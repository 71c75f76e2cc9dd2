"""The dependency file that Make and Ninja read: which inputs a build step looked at.

F5. One rule, `target: inputs…`. The target must be the string that the build tool knows, or it rebuilds for ever.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from arena_codegen.errors import Finding, UsageError


def render_depfile(target: str, inputs: Iterable[str]) -> bytes:
    """The rule, as gcc's -MD would write it; inputs in the order given, each once.

    Raises UsageError for a path that neither Make nor Ninja can name.
    """
    names = [_escaped(path) for path in (target, *dict.fromkeys(inputs))]
    return os.fsencode(names[0] + ": " + " \\\n  ".join(names[1:]) + "\n")


def _escaped(path: str) -> str:
    """As Make and Ninja both read it: `\\ ` and `\\#` (backslashes before them doubled), `$$`; all else as it is."""
    if "\n" in path or "\r" in path:
        raise UsageError(Finding("a depfile cannot name a path with a line break", repr(path), "rename the file"))
    if os.sep == "\\":
        path = path.replace("\\", "/")
    doubled = re.sub(r"(\\*)([ \t#])", lambda match: match[1] * 2 + "\\" + match[2], path)
    return doubled.replace("$", "$$")
