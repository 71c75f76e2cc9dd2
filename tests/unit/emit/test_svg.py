"""The picture: well-formed XML, legible for few buffers and for many, in agreement with the layout."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from arena_codegen.emit.svg import HEIGHT, LEFT, RIGHT, TOP, WIDTH, render_svg
from arena_codegen.layout.types import Layout
from tests.support.layouts import layout, many, small, tensor_row, with_everything

NAME = "{http://www.w3.org/2000/svg}"
ACROSS = WIDTH - LEFT - RIGHT


def drawn(given: Layout) -> ElementTree.Element:
    return ElementTree.fromstring(render_svg(given))


def texts(given: Layout) -> list[str]:
    return [element.text or "" for element in drawn(given).iter(f"{NAME}text")]


def boxes(given: Layout) -> dict[str, dict[str, float]]:
    """What each rectangle says of itself → its place."""
    found = {}
    for group in drawn(given).iter(f"{NAME}g"):
        title, area = group.find(f"{NAME}title"), group.find(f"{NAME}rect")
        if title is not None and area is not None:
            found[title.text or ""] = {name: float(area.get(name, "")) for name in ("x", "y", "width", "height")}
    return found


@pytest.mark.parametrize(
    "given", [layout(), small(), with_everything(), many(700)], ids=["none", "small", "all", "many"]
)
def test_a_picture_is_well_formed_and_needs_nothing_else(given: Layout) -> None:
    text = render_svg(given)
    assert ElementTree.fromstring(text).tag == f"{NAME}svg"
    assert "<script" not in text
    assert re.findall(r'(?:href|src)="(?!#)[^"]*"|url\((?!#)|@import|https?://(?!www\.w3\.org/2000/svg")', text) == []


def test_equal_layouts_give_equal_pictures() -> None:
    assert render_svg(with_everything()) == render_svg(with_everything())


def test_a_rectangle_spans_its_life_and_its_bytes() -> None:
    rows = [
        tensor_row(0, size=64, first=0, last=1, offset=0),
        tensor_row(1, size=32, first=1, last=3, offset=64),
    ]
    low, high = boxes(layout(rows)).values()
    byte = HEIGHT / (96 + 96 // 12)
    assert (low["x"], low["width"]) == (LEFT, pytest.approx(ACROSS / 2))
    assert low["y"] + low["height"] == pytest.approx(TOP + HEIGHT, abs=0.02)
    assert low["height"] == pytest.approx(64 * byte, abs=0.02)
    assert (high["x"], high["width"]) == (pytest.approx(LEFT + ACROSS / 4), pytest.approx(ACROSS * 3 / 4))
    assert high["y"] + high["height"] == pytest.approx(low["y"], abs=0.02)


def test_every_buffer_that_takes_place_is_drawn_once() -> None:
    given = with_everything()
    assert len(boxes(given)) == len(given.buffers)
    assert len(boxes(many(700))) == 700
    empty = layout([tensor_row(0, size=16), tensor_row(1, size=0)])
    assert len(boxes(empty)) == 1


def test_a_rectangle_tells_its_tensor_its_bytes_and_its_steps() -> None:
    assert "tensor 1 conv/Relu, intermediate, 256 bytes at offset 0, steps 1 to 2" in boxes(small())
    assert "scratch 0 of op 0 CONV_2D, scratch, 160 bytes at offset 752, step 1" in boxes(small())


def test_the_role_shows_without_colour() -> None:
    patterns = re.findall(
        r'<rect fill="url\(#p-(\w+)\)" x="[^"]*" y="[^"]*" width="[^"]*" height="(?!14")', render_svg(small())
    )
    assert sorted(set(patterns)) == ["input", "output", "scratch"]
    assert {"input", "intermediate", "output", "scratch"} <= set(texts(small()))


def test_the_peak_step_and_the_bound_are_marked() -> None:
    assert "peak: op 0 CONV_2D" in texts(small())
    assert "peak 912 = lower bound" in texts(small())
    apart = texts(replace(small(), lower_bound=800))
    assert {"peak 912", "lower bound 800"} <= set(apart)


def test_permitted_overlaps_are_drawn_where_the_plan_makes_use_of_them() -> None:
    shared = [element for element in drawn(with_everything()).iter(f"{NAME}rect") if element.get("class") == "shared"]
    said = [element.findtext(f"{NAME}title") for element in shared if element.find(f"{NAME}title") is not None]
    assert said == [
        "tensor 2 dense/BiasAdd takes over bytes of tensor 1 conv/Relu (in-place): "
        "RELU reads an element before it writes it",
        "tensor 3 Identity takes over bytes of tensor 2 dense/BiasAdd (overlap): arm_softmax_s8 goes row by row",
    ]
    assert "bytes shared, as permitted" not in texts(small())


def test_the_axes_have_bytes_and_operator_numbers() -> None:
    assert {"0", "200", "400", "600", "800"} <= set(texts(small()))
    assert {"start", "1", "2"} <= set(texts(small()))
    assert "CONV_2D" in texts(small())


@pytest.mark.parametrize("count", [5, 50, 700, 4000])
def test_numbers_of_steps_do_not_run_into_each_other(count: int) -> None:
    root = drawn(many(count))
    axis = [element for element in root.iter(f"{NAME}text") if element.get("y") == str(TOP + HEIGHT + 15)]
    at = [float(element.get("x", "")) for element in axis if re.fullmatch(r"\d+", element.text or "")]
    assert len(at) > 3
    assert min(b - a for a, b in pairwise(at)) >= len(str(count)) * 6.4


def test_labels_stay_inside_their_rectangles() -> None:
    """A character takes no more than 6.4 pixels."""
    given = many(12)
    root, areas = drawn(given), list(boxes(given).values())
    labels = [element for group in root.iter(f"{NAME}g") if group.get("class") == "label" for element in group]
    level = [(float(e.get("x", "")), float(e.get("y", "")), len(e.text or "") * 6.4) for e in labels if e.get("x")]
    assert len(level) > 5
    for x, y, wide in level:
        inside = [a for a in areas if a["x"] <= x - wide / 2 and x + wide / 2 <= a["x"] + a["width"]]
        assert any(a["y"] <= y <= a["y"] + a["height"] for a in inside)


def test_names_from_a_model_stay_text() -> None:
    evil = "</text><script>alert(1)</script>\x00\ud800\u202e]]>&\"'"
    rows = [tensor_row(0, name=evil, size=4096, first=0, last=3)]
    root = drawn(replace(layout(rows), model=replace(layout().model, file=evil)))
    assert not list(root.iter(f"{NAME}script"))
    (title,) = (title for title in boxes(layout(rows)))
    assert title.startswith("tensor 0 </text><script>alert(1)</script>\\x00\\ud800\\u202e]]>&\"'")


def test_a_layout_without_buffers_says_so() -> None:
    assert "nothing of this model needs memory in the arena" in texts(layout())


def test_the_title_tells_head_and_arena_apart() -> None:
    assert "kws.tflite: head 912 bytes · arena 1536" in texts(replace(small(), arena_bytes=1536))
    assert "kws.tflite: head 912 bytes" in texts(small())
