"""`diff`: what changed between two plans, and when that is an error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support import models
from tests.support.commands import Command
from tests.support.convnets import convnet
from tests.support.golden import check_golden


@pytest.fixture
def plans(command: Command) -> Command:
    """old.json and new.json, of whose models the second has more channels; and both models."""
    for name, channels in (("old", 8), ("new", 24)):
        command.model(convnet(channels), f"{name}.tflite")
        assert command(f"{name}.tflite", "--json", f"{name}.json").code == 0
    return command


def test_golden_difference(plans: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"grown.md": plans("diff", "old.json", "new.json", "--format", "markdown").out}
    files["grown.json"] = plans("diff", "old.json", "new.json", "--format", "json").out
    files["shrunk.txt"] = plans("diff", "new.json", "old.json").out
    files["same.txt"] = plans("diff", "old.json", "old.json").out
    for columns in ("60", "100"):
        monkeypatch.setenv("COLUMNS", columns)
        files[f"grown_{columns}.txt"] = plans("diff", "old.json", "new.json").out
    check_golden("diff", files)


def test_an_arena_that_grew_is_exit_1_and_says_by_how_much(plans: Command) -> None:
    done = plans("diff", "old.json", "new.json")
    before, after = (json.loads(Path(f"{name}.json").read_text())["arena_bytes"] for name in ("old", "new"))
    assert done.code == 1
    assert done.err.startswith(f"error: the arena grew by {after - before} bytes, from {before} to {after}\n")
    assert "CONV_2D" in done.err


def test_an_arena_that_shrank_or_stayed_is_exit_0(plans: Command) -> None:
    assert plans("diff", "new.json", "old.json").code == 0
    assert plans("diff", "old.json", "old.json").code == 0


def test_the_arena_may_grow_by_what_is_allowed_and_by_no_byte_more(plans: Command) -> None:
    before, after = (json.loads(Path(f"{name}.json").read_text())["arena_bytes"] for name in ("old", "new"))
    assert plans("diff", "old.json", "new.json", "--allow", str(after - before)).code == 0
    done = plans("diff", "old.json", "new.json", "--allow", str(after - before - 1))
    assert (done.code, f"more than the {after - before - 1} that --allow permits" in done.err) == (1, True)
    assert plans("diff", "old.json", "new.json", "--allow", "1M").code == 0


def test_models_are_planned_and_compared_like_layouts(plans: Command) -> None:
    layouts = plans("diff", "old.json", "new.json", "--format", "json").out
    assert plans("diff", "old.tflite", "new.tflite", "--format", "json").out == layouts
    assert plans("diff", "old.json", "new.tflite", "--format", "json").out == layouts


def test_a_model_is_planned_as_the_layout_beside_it_was(plans: Command) -> None:
    words = ("--overlap", "--kernels", "reference", "--keep", "first", "--pin", "image@0", "--arena", "plan")
    plans("old.tflite", "--json", "wishes.json", *words)
    assert plans("diff", "wishes.json", "old.tflite").out.endswith("no difference\n")
    assert "--overlap: True -> False" in plans("diff", "wishes.json", "old.tflite", "--kernels", "reference").out


def test_a_layout_with_a_device_s_requests_takes_no_model_beside_it(plans: Command) -> None:
    data = json.loads(Path("old.json").read_text())
    data["options"]["requests"] = True
    Path("old.json").write_text(json.dumps(data))
    done = plans("diff", "old.json", "new.tflite")
    assert (done.code, done.out) == (2, "")
    assert "--requests" in done.err


def test_options_that_shape_a_plan_do_not_go_with_two_layouts(plans: Command) -> None:
    assert plans("diff", "old.json", "new.json", "--overlap").code == 2
    assert plans("diff", "old.json", "new.json", "--align", "8").code == 2


@pytest.mark.parametrize(
    "words", [(), ("a",), ("a", "b", "c"), ("a", "b", "--format", "html"), ("a", "b", "--allow", "-1")]
)
def test_wrong_words_are_wrong_usage(command: Command, words: tuple[str, ...]) -> None:
    done = command("diff", *words)
    assert (done.code, done.out) == (2, "")


@pytest.mark.parametrize(
    "text", ["", "{}", "{", "[]", '{"schema": 1}', '{"schema": 2}', '{"schema": 1, "buffers": 7}', "\udcff"]
)
def test_a_file_that_is_no_layout_is_an_error_with_its_name(plans: Command, text: str) -> None:
    Path("bad.json").write_bytes(text.encode(errors="surrogateescape"))
    done = plans("diff", "old.json", "bad.json")
    assert (done.code, done.out) == (3, "")
    assert "bad.json" in done.err


def test_every_number_of_a_layout_may_be_anything_without_a_traceback(plans: Command) -> None:
    data = json.loads(Path("old.json").read_text())
    for key in data:
        for wrong in (None, -5, "x", [], [3], {}, {"a": 1}, 1e99, True, [{"index": 0}]):
            Path("bad.json").write_text(json.dumps(data | {key: wrong}))
            assert plans("diff", "bad.json", "new.json").code in (0, 1, 3), (key, wrong)
            assert plans("diff", "old.json", "bad.json").code in (0, 1, 3), (key, wrong)


def test_files_that_are_not_there_are_named(plans: Command) -> None:
    for other in ("none.json", "none.tflite"):
        done = plans("diff", "old.json", other)
        assert (done.code, done.out, other in done.err) == (3, "", True)


def test_names_of_a_model_cannot_break_the_markdown(command: Command) -> None:
    name = "a|b `c` <img src=x> *d* [e](f) @someone"
    for file, size in (("a", 16), ("b", 64)):
        g = models.Graph()
        x = g.input(name, (1, size), scale=0.1)
        g.op("RELU", [x], [g.output("out", (1, size), scale=0.1)])
        command.model(models.build(g), f"{file}.tflite")
    out = command("diff", "a.tflite", "b.tflite", "--format", "markdown", "--no-in-place").out
    row = next(line for line in out.splitlines() if line.startswith("| grew") and "someone" in line)
    assert r"a\|b \`c\` &lt;img src=x&gt; \*d\* \[e\](f) &#64;someone" in row
    assert row.replace(r"\|", "").count("|") == 7


def test_long_lists_are_cut_in_text_and_whole_in_data(command: Command) -> None:
    for file, size in (("a", 16), ("b", 32)):
        command.model(models.chain(40, (1, size)), f"{file}.tflite")
    text = command("diff", "a.tflite", "b.tflite").out
    data = json.loads(command("diff", "a.tflite", "b.tflite", "--format", "json").out)
    assert "and 16 more that grew" in text
    assert len(data["buffers"]) == 41
