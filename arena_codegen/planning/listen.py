"""Who wants to know how far searches are, when they run deep inside other calls."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from .result import OnProgress

_LISTENER: ContextVar[OnProgress | None] = ContextVar("arena_codegen.planning.listener", default=None)


@contextmanager
def listening(listener: OnProgress | None) -> Iterator[None]:
    """Searches that start within tell `listener`, or nobody (None), unless they have a `progress` of their own.

    Holds for this thread (and context) only; may be nested.
    """
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def listener() -> OnProgress | None:
    """Who listens here."""
    return _LISTENER.get()
