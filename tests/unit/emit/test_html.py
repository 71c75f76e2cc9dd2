"""The page: well-formed, closed to what names contain, and in agreement with the JSON in every view."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from hashlib import sha256
from itertools import pairwise

import pytest

from arena_codegen.emit.html import render_page
from arena_codegen.errors import Finding
from arena_codegen.layout.advice import Advice
from arena_codegen.layout.json import layout_data
from arena_codegen.layout.types import Layout, used_bytes
from arena_codegen.model.reader import parse_model
from arena_codegen.options import PlanOptions
from arena_codegen.peers import plan_peers
from arena_codegen.pipeline import plan_layout
from tests.support import models
from tests.support.layouts import TAIL, layout, small, tensor_row, with_everything
from tests.support.markup import Element, read_page, read_table

EVIL = "</script></style><img src=x onerror=alert(1)>{{7*7}}\"'`${0}\x00\n\ud800\u202e\u2028]]>--><!--"
MODELS = (
    "residual",
    "depthwise_cnn",
    "if_model",
    "call_once_model",
    "svdf_model",
    "orphans",
    "shared_callee",
    "scalars",
)


@cache
def planned(name: str) -> tuple[Layout, Mapping[str, Layout]]:
    model = parse_model(getattr(models, name)(), f"{name}.tflite")
    return plan_layout(model, PlanOptions()), plan_peers(model, PlanOptions())


@cache
def page(name: str) -> Element:
    return read_page(render_page(*planned(name)))


def boxes(figure: Element) -> list[Element]:
    return figure.all("g", class_="b")


@pytest.mark.parametrize("given", [layout(), small(), with_everything()], ids=["none", "small", "all"])
def test_a_page_is_well_formed(given: Layout) -> None:
    root = read_page(render_page(given, {"greedy": replace(given, strategy="greedy")}))
    ids = [element.attributes["id"] for element in root.walk() if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    links = [element.attributes["href"] for element in root.walk() if "href" in element.attributes]
    assert {link[1:] for link in links} <= set(ids)


def test_equal_values_give_equal_pages() -> None:
    assert render_page(*planned("depthwise_cnn")) == render_page(*planned("depthwise_cnn"))


def test_a_page_needs_nothing_from_elsewhere() -> None:
    text = render_page(*planned("depthwise_cnn"))
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)|(?:src|href)=\"(?!#)|@import|fetch\(|XMLHttp", text) == []


def test_the_policy_allows_the_page_s_own_style_and_script_and_no_other() -> None:
    root = page("residual")
    (policy,) = [meta.attributes["content"] for meta in root.all("meta") if "http-equiv" in meta.attributes]
    hashes = {tag: b64encode(sha256(root.one(tag).text.encode()).digest()).decode() for tag in ("style", "script")}
    allowed = f"style-src 'sha256-{hashes['style']}'; script-src 'sha256-{hashes['script']}'"
    assert policy == f"default-src 'none'; base-uri 'none'; {allowed}"
    assert not [
        name for element in root.walk() for name in element.attributes if name.startswith("on") or name == "style"
    ]


def test_names_from_a_model_stay_text_everywhere() -> None:
    rows = [tensor_row(0, name=EVIL, size=64, first=0, last=1), tensor_row(1, size=64, first=1, last=2, offset=64)]
    given = layout(
        rows, warnings=(Finding(EVIL, EVIL, EVIL),), unknown_scratch=(EVIL,), options={"keep": [EVIL]}, kernels=EVIL
    )
    given = replace(
        given,
        model=replace(given.model, file=EVIL),
        operators=tuple(replace(row, name=EVIL) for row in given.operators),
    )
    root = read_page(render_page(given, {"naive": given}, (Advice(EVIL, EVIL, 64, 64, EVIL),)))
    assert len(root.all("script")) == 1
    assert not root.all("img")
    assert root.one("script").text == page("residual").one("script").text
    assert "49" not in root.one("h1").text
    assert root.one("h1").text.startswith(
        "</script></style><img src=x onerror=alert(1)>{{7*7}}\"'`${0}\\x00\\n\\ud800\\u202e"
    )
    cells = root.one("div", id="t-buffers").all("td")
    assert [cell.attributes["title"] for cell in cells if "title" in cell.attributes] == [root.one("h1").text]
    assert len(read_table(root, "buffers")[0]["name"]) <= 40


@pytest.mark.parametrize("name", MODELS)
def test_the_table_of_buffers_holds_what_the_json_holds(name: str) -> None:
    data = layout_data(planned(name)[0])
    rows = read_table(page(name), "buffers")
    assert len(rows) == len(data["buffers"])
    for shown, row in zip(rows, data["buffers"], strict=True):
        assert (shown["no"], shown["name"], shown["role"]) == (str(row["index"]), row["name"], row["role"])
        numbers = [int(shown[head]) for head in ("bytes", "offset", "first step", "last step")]
        assert numbers == [row["bytes"], row["offset"], row["first"], row["last"]]
        assert int(shown["padding"]) == row["size"] - row["bytes"]


@pytest.mark.parametrize("name", MODELS)
def test_readers_and_producers_are_those_of_the_json(name: str) -> None:
    data = layout_data(planned(name)[0])
    rows = read_table(page(name), "buffers")
    for tensor in data["tensors"]:
        if tensor["buffer"] is None:
            continue
        shown = rows[tensor["buffer"]]
        in_graph = f"{tensor['subgraph']}:" if tensor["subgraph"] else ""
        readers = [f"{in_graph}{index}" for index in tensor["readers"]]
        assert [text.split()[1] for text in shown["read by"].split(", ") if text] == readers
        producer = [f"{in_graph}{tensor['producer']}"] if tensor["producer"] is not None else []
        assert [text.split()[1] for text in [shown["written by"]] if text] == producer


@pytest.mark.parametrize("name", MODELS)
def test_the_table_of_steps_holds_the_bytes_alive_and_in_use(name: str) -> None:
    given, _ = planned(name)
    rows = read_table(page(name), "steps")
    assert {int(row["step"]): int(row["bytes alive"]) for row in rows} == given.live_bytes()
    assert {int(row["step"]): int(row["bytes in use"]) for row in rows} == used_bytes(given.buffers, given.end_scope)
    alive = {int(row["step"]): int(row["bytes alive"]) for row in rows}
    for operator in layout_data(given)["operators"]:
        if operator["scope"] >= 0:
            assert alive[operator["scope"]] == operator["live"]


@pytest.mark.parametrize("name", MODELS)
def test_references_that_are_left_fall_to_none(name: str) -> None:
    given, _ = planned(name)
    for row, step in zip(read_table(page(name), "steps"), given.live_bytes(), strict=True):
        shown = row["alive, by number: reads still to come"].split()
        alive = [buffer for buffer in given.buffers if buffer.first <= step <= buffer.last]
        expected = [f"{b.index}:{b.references(step)}" if b.kind == "tensor" else str(b.index) for b in alive]
        assert shown == expected


@pytest.mark.parametrize("name", MODELS)
def test_pictures_show_every_buffer_at_its_offset(name: str) -> None:
    given, peers = planned(name)
    for plan, shown in {"plan": given, **{f"peer-{peer}": found for peer, found in peers.items()}}.items():
        figure = page(name).one("figure", id=f"v-{plan}")
        found = {int(box.attributes["data-key"]): int(box.attributes["data-offset"]) for box in boxes(figure)}
        assert found == {row.index: row.offset for row in shown.buffers if row.size}


@pytest.mark.parametrize("name", MODELS)
def test_rectangles_and_curve_share_one_axis(name: str) -> None:
    given, _ = planned(name)
    figure = page(name).one("figure", id="v-plan")
    count = len(given.live_bytes())
    first = min(given.live_bytes())
    bars = [bar for bar in figure.one("svg", class_="curve").all("rect") if "alive" in bar.attributes["class"].split()]
    assert [float(bar.attributes["x"].rstrip("%")) for bar in bars] == [
        pytest.approx(100 * at / count, abs=1e-3) for at in range(count)
    ]
    for box in boxes(figure):
        row, area = given.buffers[int(box.attributes["data-key"])], box.all("rect")[0].attributes
        assert float(area["x"].rstrip("%")) == pytest.approx(100 * (row.first - first) / count, abs=1e-3)
        assert float(area["width"].rstrip("%")) == pytest.approx(100 * (row.last - row.first + 1) / count, abs=1e-3)


def test_the_answer_comes_first() -> None:
    root = page("depthwise_cnn")
    given, _ = planned("depthwise_cnn")
    peak = given.operators[given.peak_operator or 0]
    assert root.one("p", class_="big").text == f"op {peak.index} {peak.name}"
    heads = [element.text for element in root.all("h2")]
    assert heads[:4] == ["Which operator decides", "Why", "First step", "The arena over time"]


@pytest.mark.parametrize("name", MODELS)
def test_strategies_are_those_of_the_json(name: str) -> None:
    data = layout_data(planned(name)[0])
    rows = {row["way to plan"]: int(row["bytes"]) for row in read_table(page(name), "strategies")}
    ours = rows.pop("this plan (best)")
    assert (ours, rows.pop("lower bound")) == (data["peak"], data["lower_bound"])
    assert rows == {peer: data[peer] for peer in ("greedy", "linear", "naive")}


@pytest.mark.parametrize("name", MODELS)
def test_memory_adds_up_to_the_file_and_to_the_emitted_buffer(name: str) -> None:
    given, _ = planned(name)
    for table, total in (("flash", given.model.bytes), ("ram", given.arena_bytes)):
        rows = [row for row in read_table(page(name), table) if "variables" not in row["what"]]
        *parts, last = (int(row["bytes"]) for row in rows)
        assert (sum(parts), last) == (total, total)
    assert given.weights is not None
    assert given.metadata is not None
    shown = [(int(row["bytes"]), int(row["count"])) for row in read_table(page(name), "flash")[:3]]
    others = (given.constants.bytes - given.weights.bytes, given.constants.count - given.weights.count)
    known = (given.weights.bytes, given.weights.count), others, (given.metadata.bytes, given.metadata.count)
    assert shown == list(known)


def test_the_tail_is_itemised() -> None:
    given, _ = planned("depthwise_cnn")
    assert given.tail is not None
    rows = {row["what"]: (row["bytes"], row["count"]) for row in read_table(page("depthwise_cnn"), "tail")}
    assert rows.pop("TFLM's tail") == (str(given.tail.bytes), "")
    assert rows == {item.what: (str(item.bytes), str(item.count)) for item in given.tail.items}


def test_without_a_known_tail_there_is_no_table_of_it() -> None:
    root = read_page(render_page(small()))
    assert not root.all("div", id="t-tail")


def test_advice_has_a_section_only_where_there_is_some() -> None:
    assert not page("residual").all("section", id="advice")
    advice = (Advice("fuse", "convert again", 800, 112), Advice("overlap", "--overlap", 500, 412, "tried"))
    root = read_page(render_page(small(), advice=advice))
    assert [(row["step"], row["saves bytes"], row["head then"]) for row in read_table(root, "advice")] == [
        ("overlap", "412", "500"),
        ("fuse", "112", "800"),
    ]
    assert root.one("div", class_="do").all("p")[0].text == "overlap: 500 bytes, which saves 412."


def test_steps_that_need_no_training_come_first_and_others_are_marked() -> None:
    advice = (Advice("shrink", "--what-if x", 300, 612, retrain=True), Advice("overlap", "--overlap", 500, 412),
              Advice("align", "--align 4", 912, 0))  # fmt: skip
    root = read_page(render_page(small(), advice=advice))
    assert [row["step"] for row in read_table(root, "advice")] == ["overlap", "shrink (retrain)", "align"]
    assert root.one("div", class_="do").all("p")[0].text == "overlap: 500 bytes, which saves 412."


def test_head_and_arena_are_told_apart() -> None:
    lead = read_page(render_page(replace(small(), tail=TAIL, arena_bytes=1536))).one("p", class_="lead").text
    assert lead.startswith("912 bytes of head planned for 5 buffers; 1536 bytes (1.5 KiB) of arena, with TFLM's tail;")


def test_warnings_and_unknown_scratch_are_said() -> None:
    text = read_page(render_page(with_everything())).text
    for finding in with_everything().warnings:
        assert finding.what in text
    assert "scratch of MY_OP, evil */ op" in text


def test_people_who_do_not_see_the_page_can_use_it() -> None:
    root = page("depthwise_cnn")
    assert root.one("html").attributes["lang"] == "en"
    assert all(root.all(tag) for tag in ("header", "nav", "main", "footer"))
    assert root.all("a")[0].attributes["href"] == "#main"
    for table in root.all("table"):
        assert table.one("caption").text
        assert all(head.attributes.get("scope") in ("col", "row") for head in table.all("th"))
    for box in [box for figure in root.all("figure") for box in boxes(figure)]:
        assert box.attributes["role"] == "img"
        assert box.attributes["aria-label"]
    for figure in root.all("figure"):
        assert [box.attributes["tabindex"] for box in boxes(figure)].count("0") == 1
    for field in root.all("input"):
        assert root.one("label", **{"for": field.attributes["id"]}).text
    levels = [int(element.tag[1]) for element in root.walk() if re.fullmatch("h[1-6]", element.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_colours_are_told_apart_by_patterns_too() -> None:
    figure = page("depthwise_cnn").one("figure", id="v-plan")
    for box in boxes(figure):
        role = box.attributes["class"].split()[1]
        patterns = [rect.attributes["fill"] for rect in box.all("rect") if "fill" in rect.attributes]
        assert patterns == ([] if role == "intermediate" else [f"url(#p-{role})"])
