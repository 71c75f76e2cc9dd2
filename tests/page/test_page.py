"""The page in a real browser: what it shows, what it answers to a mouse, a finger and a keyboard."""

from __future__ import annotations

import re

import pytest

from tests.page.conftest import Show
from tests.support import models
from tests.support.browser import Page
from tests.support.large_model import large_model

FIRST_ROW = "document.querySelector('#t-buffers tbody tr').cells[0].textContent.trim()"


def details(page: Page, view: str = "plan") -> dict[str, str]:
    """What the panel under a picture says, and its heading."""
    script = (
        f"[...document.querySelectorAll('#v-{view} .details div')].map(d => [...d.children].map(c => c.textContent))"
    )
    title = page.run(f"document.querySelector('#v-{view} .details h3')?.textContent ?? ''")
    return {"name": title, **dict(page.run(script))}


def column(page: Page, table: str, heading: str) -> list[str]:
    """The cells of a column that are shown."""
    script = f"""(() => {{
        const table = document.querySelector('#t-{table} table');
        const at = [...table.tHead.rows[0].cells].findIndex(cell => cell.textContent === '{heading}');
        return [...table.tBodies[0].rows].filter(row => !row.hidden).map(row => row.cells[at].textContent.trim());
    }})()"""
    return list(page.run(script))


@pytest.mark.parametrize("name", ["depthwise_cnn", "residual", "if_model", "orphans", "call_once_model", "scalars"])
def test_a_page_renders_without_a_complaint(show: Show, name: str) -> None:
    page = show(getattr(models, name)())
    assert page.run("document.querySelectorAll('#v-plan .b').length") > 0
    assert page.run("document.querySelector('#v-plan .map').getBoundingClientRect().width") > 600


def test_the_answer_is_seen_without_scrolling(show: Show) -> None:
    page = show(models.depthwise_cnn(), 1280, 800)
    bottom = page.run("document.querySelector('.answers').getBoundingClientRect().bottom")
    assert 0 < bottom < 800
    assert page.run("document.querySelector('.answers .big').textContent").startswith("op ")


def test_hover_shows_the_tensor_its_producer_and_its_readers(show: Show) -> None:
    page = show(models.depthwise_cnn())
    page.hover('#v-plan .b[data-key="1"]')
    shown = details(page)
    assert shown["name"] == "conv"
    assert (shown["tensor"], shown["role"], shown["bytes"]) == ("1", "intermediate", "512")
    assert (shown["first step"], shown["last step"]) == ("1", "2")
    assert (shown["written by"], shown["read by"]) == ("op 0 CONV_2D", "op 1 DEPTHWISE_CONV_2D")


def test_hover_frames_the_tensor_in_every_picture_and_in_the_table(show: Show) -> None:
    page = show(models.depthwise_cnn())
    page.hover('#v-plan .b[data-key="1"]')
    for view in ("plan", "peer-greedy", "peer-naive"):
        frame = f"document.querySelector('#v-{view} .lit').getAttribute('x')"
        box = f"""document.querySelector('#v-{view} .b[data-key="1"] rect').getAttribute('x')"""
        assert page.run(frame) == page.run(box)
    assert page.run("""document.querySelector('#t-buffers tr[data-key="1"]').classList.contains('on')""")
    page.hover("h1")
    assert page.run("document.querySelector('#v-plan .lit').getAttribute('width')") == "0"


def test_hover_over_another_strategy_shows_its_offset(show: Show) -> None:
    page = show(models.depthwise_cnn())
    page.hover('#v-peer-naive .b[data-key="2"]')
    offset = page.run("""document.querySelector('#v-peer-naive .b[data-key="2"]').dataset.offset""")
    assert details(page, "peer-naive")["offset"] == offset


def test_the_mouse_reads_the_step_off_the_picture(show: Show) -> None:
    page = show(models.depthwise_cnn())
    page.hover("#v-plan .curve rect:nth-of-type(3)")
    alive = column(page, "steps", "bytes alive")[2]
    assert page.run("document.querySelector('#v-plan .readout').textContent") == (
        f"step 2 · op 1 DEPTHWISE_CONV_2D · {alive} bytes alive"
    )


def test_a_click_holds_what_is_shown_until_another_click(show: Show) -> None:
    page = show(models.depthwise_cnn())
    page.click('#v-plan .b[data-key="1"]')
    page.hover("h1")
    assert details(page)["tensor"] == "1"
    page.press("Escape")
    assert details(page) == {"name": ""}


def test_a_tap_shows_what_a_mouse_shows(show: Show) -> None:
    page = show(models.depthwise_cnn(), 400, 800)
    page.tap('#v-plan .b[data-key="1"]')
    assert details(page)["name"] == "conv"


def test_a_keyboard_reaches_every_buffer(show: Show) -> None:
    page = show(models.depthwise_cnn())
    page.run("document.querySelector('#v-plan .zoom button:last-child').focus()")
    page.press("Tab")
    seen = []
    for _ in range(page.run("document.querySelectorAll('#v-plan .b').length")):
        seen.append(page.run("document.activeElement.dataset.key"))
        assert details(page)["no"] == seen[-1]
        page.press("ArrowRight")
    assert sorted(seen) == sorted(column(page, "buffers", "no"))
    page.press("Home")
    assert page.run("document.activeElement.dataset.key") == seen[0]


def test_arrows_go_up_and_down_among_those_that_are_alive_together(show: Show) -> None:
    page = show(models.depthwise_cnn())
    page.run("document.querySelector('#v-plan .b').focus()")
    before = int(details(page)["offset"])
    page.press("ArrowDown")
    assert int(details(page)["offset"]) < before
    page.press("ArrowUp")
    assert int(details(page)["offset"]) == before


def test_tab_goes_from_the_skip_link_to_the_picture_and_the_tables(show: Show) -> None:
    page = show(models.residual())
    stops = []
    for _ in range(60):
        page.press("Tab")
        stops.append(page.run("[...document.querySelectorAll('*')].indexOf(document.activeElement)"))
        if len(stops) > 1 and stops[-1] < stops[-2]:
            break
    assert stops[:-1] == sorted(stops[:-1])
    assert len(stops) > 20


def test_tables_sort_by_number_and_by_name(show: Show) -> None:
    page = show(models.depthwise_cnn())
    page.click("#t-buffers th:nth-child(7) button")
    sizes = [int(cell) for cell in column(page, "buffers", "bytes")]
    assert sizes == sorted(sizes, reverse=True)
    assert page.run("document.querySelector('#t-buffers th:nth-child(7)').getAttribute('aria-sort')") == "descending"
    page.click("#t-buffers th:nth-child(7) button")
    assert [int(cell) for cell in column(page, "buffers", "bytes")] == sorted(sizes)
    page.click("#t-buffers th:nth-child(4) button")
    roles = column(page, "buffers", "role")
    assert roles == sorted(roles)


def test_tables_filter_by_what_is_typed(show: Show) -> None:
    page = show(models.depthwise_cnn())
    page.run("document.querySelector('#f-buffers').focus()")
    page.press(*"scratch")
    shown = column(page, "buffers", "role")
    assert shown
    assert set(shown) == {"scratch"}
    total = page.run("document.querySelectorAll('#t-buffers tbody tr').length")
    assert page.run("document.querySelector('#t-buffers output').textContent") == f"{len(shown)} of {total} rows"


def test_zoom_widens_the_picture_and_keeps_the_axes_together(show: Show) -> None:
    page = show(models.depthwise_cnn())
    before = page.run("document.querySelector('#v-plan .map').getBoundingClientRect().width")
    page.click("#v-plan [data-zoom='1']")
    page.click("#v-plan [data-zoom='1']")
    widths = page.run(
        "[...document.querySelectorAll('#v-plan .scroller > svg')].map(s => s.getBoundingClientRect().width)"
    )
    assert widths == [pytest.approx(4 * before, abs=1)] * 3
    assert page.run("document.documentElement.scrollWidth") <= 1280


@pytest.mark.parametrize("width", [320, 400, 800, 1280, 1920])
def test_no_page_is_wider_than_its_window(show: Show, width: int) -> None:
    page = show(large_model(60), width, 800)
    assert page.run("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("width", "scheme"), [(400, "light"), (1280, "light"), (1280, "dark")])
def test_labels_stay_inside_their_rectangles(show: Show, width: int, scheme: str) -> None:
    page = show(models.depthwise_cnn(), width, 800, prefers_color_scheme=scheme)
    outside = page.run("""(() => {
        const rectangles = [...document.querySelectorAll('#v-plan .b > rect:first-child')];
        const boxes = rectangles.map(b => b.getBoundingClientRect());
        return [...document.querySelectorAll('#v-plan .labels text')].filter(text => {
            const t = text.getBoundingClientRect();
            return !boxes.some(b => b.left - 1 <= t.left && t.right <= b.right + 1
                                    && b.top - 4 <= t.top && t.bottom <= b.bottom + 4);
        }).map(text => text.textContent);
    })()""")
    assert outside == []


def luminance(colour: str) -> float:
    """Relative luminance of `rgb(…)` as WCAG 2 defines it, 0 … 1."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast_in_light_and_dark(show: Show, scheme: str) -> None:
    """4.5 for text on the page (WCAG AA), and for labels on every role's colour."""
    page = show(models.depthwise_cnn(), prefers_color_scheme=scheme)
    paper = page.run("getComputedStyle(document.documentElement).backgroundColor")
    for selector in ("p.lead", ".answers h2", ".answers .big", "caption", "a[href='#picture']", ".readout"):
        assert contrast(page.run(f"getComputedStyle(document.querySelector({selector!r})).color"), paper) >= 4.5, (
            selector
        )
    label = page.run("getComputedStyle(document.querySelector('#v-plan .labels text')).fill")
    for role in ("input", "intermediate", "output", "scratch"):
        fill = page.run(f"getComputedStyle(document.querySelector('#v-plan .b.{role} rect')).fill")
        assert contrast(label, fill) >= 4.5, role


def long_names(steps: int = 12) -> bytes:
    """The second operator decides; it has a long name, and so have tensors, joined as converters do it."""
    g = models.Graph()
    x = g.input("serving_default_input_1:0", (1, 24, 24, 8), scale=0.1)
    for index in range(steps):
        size = 24 if index < 3 else 8
        y = g.tensor(f"model/activation_{index}/Relu;" * 6, (1, size, size, 8), scale=0.1)
        g.op(f"DEPTHWISE_CONV_2D_OF_{index}", [x], [y], custom=True)
        x = y
    g.op("RELU", [x], [g.output("Identity", (1, 8, 8, 8), scale=0.1)])
    return models.build(g)


@pytest.mark.parametrize("width", [500, 1400])
def test_every_name_on_the_axis_is_whole(show: Show, width: int) -> None:
    page = show(long_names(), width, 900, "none")
    cut = page.run("""[...document.querySelectorAll('.scroller .axis')].flatMap(axis => {
        const end = axis.getBoundingClientRect().bottom;
        return [...axis.querySelectorAll('g g text')].filter(t => t.getBoundingClientRect().bottom > end);
    }).map(text => text.textContent)""")
    assert page.run("document.querySelectorAll('.axis .tick.peak g text').length") > 0
    assert cut == []


@pytest.mark.parametrize("width", [360, 500, 1400])
def test_the_name_of_the_peak_stays_inside_the_picture(show: Show, width: int) -> None:
    page = show(long_names(), width, 900, "none")
    outside = page.run("""[...document.querySelectorAll('.map')].map(map => {
        const [outer, inner] = [map, map.querySelector('text.peak')].map(e => e.getBoundingClientRect());
        return Math.max(outer.left - inner.left, inner.right - outer.right);
    }).filter(pixels => pixels > 0)""")
    assert outside == []


def test_the_planning_table_fits_a_window_of_1400_pixels(show: Show) -> None:
    page = show(long_names(), 1400, 900, "cmsis-nn")
    wide, room = page.run("(e => [e.scrollWidth, e.clientWidth])(document.querySelector('#t-buffers .scroll'))")
    assert wide <= room
    rows = page.run("[...document.querySelectorAll('#t-buffers tbody tr')].map(row => row.clientHeight)")
    assert max(rows) < 80


def test_a_filter_finds_what_a_name_is_not_shown_of(show: Show) -> None:
    page = show(long_names(), 1400, 900, "none")
    page.run("""(input => { input.value = 'activation_3/Relu;model'; input.dispatchEvent(new Event('input')); })
        (document.querySelector('#f-buffers'))""")
    assert column(page, "buffers", "name") == ["model/activation_3/Relu"]


def test_dark_is_dark(show: Show) -> None:
    page = show(models.residual(), prefers_color_scheme="dark")
    assert luminance(page.run("getComputedStyle(document.documentElement).backgroundColor")) < 0.02


def test_print_shows_every_row_and_no_tools(show: Show) -> None:
    page = show(large_model(60), prefers_color_scheme="dark")
    page.emulate("print")
    page.settle()
    assert luminance(page.run("getComputedStyle(document.documentElement).backgroundColor")) == 1
    assert page.run("getComputedStyle(document.querySelector('.zoom').parentElement).display") == "none"
    table = page.run("(e => [e.scrollHeight, e.clientHeight])(document.querySelector('#t-buffers .scroll'))")
    assert table[0] <= table[1] + 1


def test_print_fits_a_sheet(show: Show) -> None:
    """A4 across, without its margins, has 1032 pixels."""
    g = models.Graph()
    x = g.input("serving_default_input_1:0;" * 4, (1, 96, 96, 3), scale=0.1)
    g.op("RELU", [x], [g.output("StatefulPartitionedCall/model/activation_4/Relu;" * 6, (1, 96, 96, 3), scale=0.1)])
    page = show(models.build(g), 1032, 700)
    page.emulate("print")
    page.settle()
    assert page.run("document.documentElement.scrollWidth") <= 1032


def test_hostile_names_do_nothing(show: Show) -> None:
    g = models.Graph()
    evil = "</title></script><script>window.bad=1</script><img src=x onerror=window.bad=1>\"'`${window.bad=1}"
    x = g.input(evil, (1, 64), scale=0.1)
    g.op("RELU", [x], [g.output(evil + "\u202e\u2028", (1, 64), scale=0.1)])
    page = show(models.build(g))
    page.hover("#v-plan .b")
    assert page.run("window.bad") is None
    assert details(page)["name"].startswith("</title></script><script>")


class TestLarge:
    """Seven hundred operators."""

    def test_it_draws_every_buffer_three_times(self, show: Show) -> None:
        page = show(large_model())
        assert page.run("document.querySelectorAll('.b').length") == 3 * 701

    def test_pointing_changes_a_few_elements_and_not_the_page(self, show: Show) -> None:
        """What a move of the mouse costs does not grow with the model; changes are counted, not seconds."""
        page = show(large_model())
        page.run("""(() => {
            window.changes = 0;
            new MutationObserver(records => { window.changes += records.length; })
                .observe(document.body, { attributes: true, childList: true, subtree: true });
        })()""")
        keys = range(100, 150)
        for key in keys:
            page.hover(f'#v-plan .b[data-key="{key}"]')
            assert int(details(page)["no"]) in (key, key + 1)  # the next one takes over its right half
        assert 0 < page.run("window.changes") / len(keys) < 40

    def test_labels_and_numbers_of_steps_are_few(self, show: Show) -> None:
        page = show(large_model())
        shown = page.run("document.querySelectorAll('#v-plan .tick:not([display])').length")
        assert 5 <= shown <= 40

    def test_details_and_the_filter_work_as_in_small_ones(self, show: Show) -> None:
        page = show(large_model())
        page.hover('#v-plan .b[data-key="350"]')
        assert details(page)["no"] == "350"
        page.run("document.querySelector('#f-buffers').focus()")
        page.press(*"block_99/add")
        assert column(page, "buffers", "name") == ["block_99/add"]
