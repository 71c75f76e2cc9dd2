"""Strings from outside → C: identifiers that every compiler takes, comments that nothing can break out of.

F0. Everything that is returned is ASCII.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from itertools import pairwise

from arena_codegen.errors import Finding, UsageError

PREFIX_LIMIT = 48
"""Longest prefix that is made from a file name; C99 looks at 63 characters of a name, and ours get suffixes."""

C_WORDS = """
    auto break case char const continue default do double else enum extern float for goto if inline int long register
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while alignas alignof
    bool constexpr false nullptr static_assert thread_local true typeof typeof_unqual
"""
"""Keywords of C89 to C23."""

CPP_WORDS = """
    and and_eq asm bitand bitor catch char16_t char32_t char8_t class co_await co_return co_yield compl concept
    const_cast consteval constinit decltype delete dynamic_cast explicit export friend mutable namespace new noexcept
    not not_eq operator or or_eq private protected public reinterpret_cast requires static_cast template this throw try
    typeid typename using virtual wchar_t xor xor_eq
"""
"""Keywords that C++11 to C++20 add, alternative operators included."""

RESERVED = frozenset((C_WORDS + CPP_WORDS).split())

_PLAIN = str.maketrans({
    "·": "-", "−": "-", "–": "-", "—": "-", "×": "x", "≥": ">=", "≤": "<=", "→": "->", "…": "...", "±": "+-",
    "‘": "'", "’": "'", "“": '"', "”": '"', "µ": "u",
})  # fmt: skip

_HARMLESS = re.compile(r"[ !-)+->@-\[\]-~]*")
"""Printable ASCII but for `*`, `?` and the backslash."""


def c_prefix(text: str) -> str:
    """A C prefix made from a model's file name: `models/kws-v2.tflite` → `kws_v2`.

    Never a reserved word, never with `__` or an underscore at either end, at most PREFIX_LIMIT characters. The CRC-32
    of the name keeps apart what would end up the same: long names, and those without a single letter of ASCII.
    """
    stem = re.sub(r"\.(tflite|lite|fb|bin)$", "", re.split(r"[/\\]", text)[-1], flags=re.IGNORECASE)
    ascii_stem = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode("ascii")
    name = re.sub(r"[^A-Za-z0-9]+", "_", ascii_stem).strip("_")
    crc = f"{zlib.crc32(stem.encode('utf-8', 'surrogatepass')):08x}"
    if not name:
        name = f"model_{crc}" if stem else "model"
    if name[0].isdigit():
        name = f"model_{name}"
    if name in RESERVED:
        name = f"{name}_model"
    if len(name) > PREFIX_LIMIT:
        name = f"{name[: PREFIX_LIMIT - 9].rstrip('_')}_{crc}"
    return name


def check_prefix(text: str) -> str:
    """The prefix that a user gave, as it stands. Raises UsageError, with one that is legal, where it cannot be used.

    Legal are the identifiers that neither C nor C++ keeps for itself.
    """
    problem = None
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", text):
        problem = "not a C identifier"
    elif text in RESERVED:
        problem = "a reserved word of C or C++"
    elif text.startswith("_") or text.endswith("_") or "__" in text:
        problem = "C and C++ keep names with a leading underscore or with two in a row for themselves"
    if problem:
        raise UsageError(Finding(f"--prefix {text!r}: {problem}", hint=f"for example --prefix {c_prefix(text)}"))
    return text


def c_comment(text: str, limit: int | None = 64) -> str:
    """Text that is safe inside `/* … */`: printable ASCII on one line, no comment mark, no trigraph, no line splice.

    What is not safe appears as an escape (`\\x2a`, `\\u202e`). Text of more than `limit` characters loses its middle,
    since both ends of a tensor's name tell something; an escape is never cut in two.
    """
    if _HARMLESS.fullmatch(text) and "//" not in text:
        return text if limit is None else shorten(text, limit)
    units = [_unit(before, char) for before, char in pairwise(" " + text.translate(_PLAIN))]
    return "".join(units if limit is None else _without_middle(units, limit))


def shorten(text: str, limit: int) -> str:
    """The text, or where it is longer than `limit` characters, both its ends."""
    if len(text) <= limit:
        return text
    return "".join(_without_middle(list(text), limit))


def _without_middle(units: list[str], limit: int) -> list[str]:
    if sum(map(len, units)) <= limit:
        return units
    keep = max(limit - 3, 0)
    head = _as_many(units, (keep + 1) // 2)
    tail = _as_many(units[::-1], keep // 2)[::-1]
    return [*head, "...", *tail]


def _unit(before: str, char: str) -> str:
    code = ord(char)
    if 0x20 <= code <= 0x7E and char not in "*\\?" and before + char != "//":
        return char
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _as_many(units: list[str], room: int) -> list[str]:
    taken = []
    for unit in units:
        room -= len(unit)
        if room < 0:
            break
        taken.append(unit)
    return taken
