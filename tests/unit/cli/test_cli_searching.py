from __future__ import annotations

import io

import pytest

from arena_codegen.cli import searching
from arena_codegen.planning import Progress, listening, plan
from arena_codegen.planning.listen import listener
from arena_codegen.planning.problem import Buffer, Problem
from tests.support.problems import dissection


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch, columns: int = 100) -> Terminal:
    """Standard error from now on; what there is to show is due at once."""
    made = Terminal()
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.stderr", made)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(searching, "PATIENCE", 0.0)
    return made


def test_the_line_names_peak_gap_and_steps() -> None:
    assert searching.search_line(Progress(120, 100, 750, 3000)) == (
        "searching: 120 bytes, 20 (20.0%) above the bound; 25% of the steps; Ctrl-C ends it"
    )


def test_the_line_is_as_wide_as_the_terminal_and_gone_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = terminal(monkeypatch, columns=30)
    with searching.searching():
        tell = listener()
        assert tell is not None
        tell(Progress(120, 100, 750, 3000))

    assert shown.getvalue() == "\r\x1b[Ksearching: 120 bytes, 20 (20.\r\x1b[K"


def test_what_is_over_at_once_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = terminal(monkeypatch)
    with searching.searching():
        assert listener() is not None
        plan(Problem((Buffer(4, 0, 1), Buffer(4, 1, 2))))

    assert shown.getvalue() == ""


def test_a_dumb_terminal_sees_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal(monkeypatch)
    monkeypatch.setenv("TERM", "dumb")
    with searching.searching():
        assert listener() is None


def test_who_listens_hears_of_searches_deep_inside() -> None:
    heard: list[Progress] = []
    with listening(heard.append):
        plan(dissection(150, 3), effort="quick")
        inside = len(heard)
        with listening(None):
            plan(dissection(150, 3), effort="quick")
    plan(dissection(150, 3), effort="quick")

    assert 0 < inside == len(heard)
