"""F1. The faults of one file: all are counted, the first hundred are kept, and they are reported together."""

from __future__ import annotations

from arena_codegen.errors import Finding, ModelError

_SHOWN = 100


class Faults:
    """What is wrong with a file, and what is merely worth knowing, in the order in which it was found."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.warnings: list[Finding] = []
        self._found: list[Finding] = []
        self._more = 0

    def __len__(self) -> int:
        return len(self._found) + self._more

    @property
    def full(self) -> bool:
        """True where a further fault would only be counted, so that its text need not be made."""
        return len(self._found) >= _SHOWN

    def add(self, what: str, where: str = "", hint: str = "") -> None:
        """Note a fault; `where` is the file unless it is given."""
        if len(self._found) < _SHOWN:
            self._found.append(Finding(what, where or self.file, hint))
        else:
            self._more += 1

    def warn(self, what: str, where: str = "", hint: str = "", is_note: bool = False) -> None:
        if len(self.warnings) < _SHOWN:
            self.warnings.append(Finding(what, where or self.file, hint, is_note))

    def stop_if_any(self) -> None:
        """Raises `ModelError` with all of them."""
        if self._found:
            rest = (Finding(f"{self._more} more faults are not shown", self.file),) if self._more else ()
            raise ModelError((*self._found, *rest))
