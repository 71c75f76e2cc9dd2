"""Pages, read back: a strict walk over tags, and the tables with their cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset(("area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"))


@dataclass
class Element:
    """An element with its attributes; `parts` are texts and elements, in their order."""

    tag: str
    attributes: dict[str, str]
    parts: list[str | Element] = field(default_factory=list)

    def walk(self) -> Iterator[Element]:
        """This element and all below it, in document order."""
        yield self
        for part in self.parts:
            if isinstance(part, Element):
                yield from part.walk()

    def all(self, tag: str, **attributes: str) -> list[Element]:
        """Elements of a tag that have these attributes; `class_` holds one of the classes."""
        name = attributes.pop("class_", None)
        return [
            found
            for found in self.walk()
            if found.tag == tag
            and (name is None or name in found.attributes.get("class", "").split())
            and all(found.attributes.get(key) == value for key, value in attributes.items())
        ]

    def one(self, tag: str, **attributes: str) -> Element:
        (found,) = self.all(tag, **attributes)
        return found

    @property
    def text(self) -> str:
        return "".join(part if isinstance(part, str) else part.text for part in self.parts)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"<{tag}> has an attribute twice: {names}"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].parts.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> where <{self.open[-1].tag}> is open, line {self.getpos()[0]}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].parts.append(data)


def read_page(text: str) -> Element:
    """The tree of a page. Every element that is opened must be closed, in order; fails otherwise."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert len(reader.open) == 1, f"<{reader.open[-1].tag}> is not closed"
    return reader.root


def read_table(page: Element, name: str) -> list[dict[str, str]]:
    """The rows of the table `name`, cells by their headings; cells without one are left out."""
    table = page.one("div", id=f"t-{name}").one("table")
    heads = [cell.text.strip() for cell in table.one("thead").walk() if cell.tag in ("th", "td")]
    rows = []
    for row in table.one("tbody").all("tr"):
        cells = [cell.text.strip() for cell in row.parts if isinstance(cell, Element)]
        assert len(cells) == len(heads), (heads, cells)
        rows.append({head: cell for head, cell in zip(heads, cells, strict=True) if head})
    return rows
