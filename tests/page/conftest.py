"""One browser for all tests of pages, and pages of models."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena_codegen.emit.html import render_page
from arena_codegen.model.reader import parse_model
from arena_codegen.options import PlanOptions
from arena_codegen.peers import plan_peers
from arena_codegen.pipeline import plan_layout
from tests.support.browser import Browser, Page

Show = Callable[..., Page]


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Headless Chromium; skips where there is none."""
    with Browser(tmp_path_factory.mktemp("browser")) as started:
        yield started


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Show]:
    """Opens the page of a model; whatever a page complains about fails the test that opened it."""
    pages: list[Page] = []

    def opened(data: bytes, width: int = 1280, height: int = 900, kernels: str = "cmsis-nn", **media: str) -> Page:
        options, model = PlanOptions(kernels=kernels), parse_model(data, "m.tflite")
        path = tmp_path / f"{len(pages)}.html"
        path.write_text(render_page(plan_layout(model, options), plan_peers(model, options)), encoding="utf-8")
        page = browser.open(path, width, height, **media)
        pages.append(page)
        return page

    yield opened
    for page in pages:
        assert page.complaints == []
        assert [address for address in page.asked if not address.startswith("file:///")] == []
        page.close()
