from __future__ import annotations

import re
from dataclasses import replace

import pytest

from arena_codegen.emit.banner import MOST_WARNINGS, option_text
from arena_codegen.emit.header import check_section, render_header, section_note
from arena_codegen.errors import Finding, UsageError
from arena_codegen.layout.types import Layout, ModelInfo, ShareRow
from arena_codegen.names import c_prefix
from arena_codegen.resources import include
from tests.support.layouts import OPTIONS, TAIL, homeless, layout, many, small, tensor_row, with_everything


def macros(text: str) -> dict[str, str]:
    """The #define lines of the header proper, without those of the types."""
    found = re.findall(r"^#define (KWS_\w+) +(\S+)$", text, re.MULTILINE)
    assert len(found) == len(dict(found))
    return dict(found)


def rendered(plan: Layout, **options: str) -> str:
    return render_header(plan, **({"prefix": "kws"} | options))


def table(text: str) -> list[tuple[int, ...]]:
    rows = re.findall(r"^ +\{ *(\d+)U, *(\d+)U, *(-?\d+), *(-?\d+)\}", text, re.MULTILINE)
    return [tuple(map(int, row)) for row in rows]


def test_the_macros_are_those_of_the_contract() -> None:
    assert macros(rendered(small())) == {
        "KWS_ARENA_SIZE": "912U",
        "KWS_ARENA_BYTES": "912U",
        "KWS_ARENA_ALIGNMENT": "16U",
        "KWS_BUFFER_COUNT": "5U",
        "KWS_INPUT_COUNT": "1U",
        "KWS_OUTPUT_COUNT": "1U",
        "KWS_INPUT0_OFFSET": "256U",
        "KWS_INPUT0_SIZE": "490U",
        "KWS_INPUT0_KEPT": "0",
        "KWS_INPUTS_KEPT": "0",
        "KWS_OUTPUT0_OFFSET": "0U",
        "KWS_OUTPUT0_SIZE": "12U",
        "KWS_MODEL_SIZE": "9U",
        "KWS_MODEL_CRC32": "0xcbf43926U",
        "KWS_MODEL_SHA256": f'"{"0123456789abcdef" * 4}"',
    }


def test_macros_use_the_prefix_in_upper_case_and_symbols_as_given() -> None:
    text = rendered(small(), prefix="myKws")
    for line in (
        "#define MYKWS_ARENA_SIZE      912U",
        "extern const arena_plan_t myKws_plan;",
        "extern uint8_t myKws_arena[MYKWS_ARENA_BYTES];",
        "#ifndef MYKWS_PLAN_H",
    ):
        assert line in text


def test_the_macros_of_tflm_are_there_where_the_tail_is_known() -> None:
    known = macros(rendered(replace(small(), tail=TAIL, arena_bytes=1536)))
    assert known["KWS_TFLM_TAIL_SIZE"] == "868U"
    assert known["KWS_TFLM_ARENA_SIZE"] == "1536U"
    assert known["KWS_TFLM_GREEDY_ARENA_SIZE"] == "1856U"


def test_the_macros_of_tflm_are_absent_where_the_tail_is_not_known() -> None:
    assert "TFLM_TAIL_SIZE" not in rendered(small())
    assert "TFLM_ARENA_SIZE" not in rendered(small())


def test_the_header_names_what_the_tail_holds_for() -> None:
    text = rendered(replace(small(), tail=TAIL, arena_bytes=1536))
    assert "TFLM's part, for TFLM 90b983c2, arm-none-eabi-gcc" in text


@pytest.mark.parametrize("role", ["constant", "variable"])
def test_an_input_without_a_place_has_no_macros_but_counts(role: str) -> None:
    rows = [tensor_row(0, role="input", size=16)]
    text = rendered(layout(rows, inputs=(7, 0), others=[homeless(7, role=role, name="state")]))
    assert macros(text)["KWS_INPUT_COUNT"] == "2U"
    assert "KWS_INPUT0_OFFSET" not in macros(text)
    assert "KWS_INPUT1_OFFSET" in macros(text)
    assert f"/* Input 0: INT8[4] state, {role}: not in the arena. */" in text


def test_an_empty_output_has_no_macros() -> None:
    text = rendered(layout([], outputs=(7,), others=[homeless(7, role="output", size=0)]))
    assert "KWS_OUTPUT0_SIZE" not in macros(text)
    assert "empty: not in the arena" in text


def test_the_table_has_every_buffer_in_request_order_with_raw_sizes() -> None:
    assert table(rendered(small())) == [
        (256, 490, 0, 1), (0, 256, 1, 2), (256, 12, 2, 3), (0, 12, 3, 3), (752, 160, 1, 1),
    ]  # fmt: skip


def test_the_table_of_an_empty_plan_has_one_row() -> None:
    text = rendered(layout())
    assert table(text) == [(0, 0, -1, -1)]
    assert macros(text)["KWS_BUFFER_COUNT"] == "0U"
    assert macros(text)["KWS_ARENA_SIZE"] == "0U"
    assert macros(text)["KWS_ARENA_BYTES"] == "1U"


def test_offsets_of_two_gigabytes_are_written_out() -> None:
    far = tensor_row(0, size=16, offset=2**31 - 32)
    assert table(rendered(layout([far]))) == [(2**31 - 32, 16, 0, 1)]


def test_the_memory_map_lists_buffers_by_offset() -> None:
    text = rendered(small())
    head = next(line for line in text.splitlines() if line.startswith(" *  offset"))
    assert head.split()[1:] == ["offset", "end", "size", "row", "tensor", "role", "scopes", "type", "name"]
    body = [line.removeprefix(" *") for line in text[text.index(head) :].splitlines()[1:6]]
    assert [int(line.split()[0]) for line in body] == [0, 0, 256, 256, 752]
    assert body[2].split() == ["256", "752", "490", "0", "0", "input", "0", "0..1", "INT8[1,49,10,1]", "input_1"]
    assert "scratch 0 of op 0 CONV_2D" in body[4]


def test_a_kept_input_is_told_from_one_that_is_overwritten() -> None:
    rows = [tensor_row(0, role="input", size=16, last=5), tensor_row(1, role="input", size=16, first=0, offset=16)]
    rows.append(tensor_row(2, size=16, offset=32, last=5))
    found = macros(rendered(layout(rows, inputs=(0, 1))))
    assert (found["KWS_INPUT0_KEPT"], found["KWS_INPUT1_KEPT"], found["KWS_INPUTS_KEPT"]) == ("1", "0", "0")
    assert macros(rendered(layout(rows[::2], inputs=(0,))))["KWS_INPUTS_KEPT"] == "1"


def test_an_input_whose_bytes_are_taken_over_is_not_kept() -> None:
    rows = [tensor_row(0, role="input", size=16, last=2)]
    rows.append(tensor_row(1, size=16, last=2, shares=(ShareRow(0, "in-place", 0, "why"),)))
    assert macros(rendered(layout(rows, inputs=(0,))))["KWS_INPUT0_KEPT"] == "0"


def flags(text: str) -> str:
    initialiser = text[text.index("const arena_plan_t kws_plan = {") :]
    return initialiser.splitlines()[5].strip(" ,")


def sharing(rule: str, distance: int, *, source: int, output: int) -> str:
    rows = [tensor_row(0, size=64, offset=source)]
    rows.append(tensor_row(1, size=64, offset=output, shares=(ShareRow(0, rule, distance, "the kernel's reason"),)))
    return rendered(layout(rows))


def test_pairs_that_share_bytes_are_listed_with_their_rule() -> None:
    in_place = sharing("in-place", 0, source=0, output=0)
    assert "- row 1 over row 0: in-place, same start; the kernel's reason" in in_place
    assert flags(in_place) == "ARENA_PLAN_IN_PLACE"
    overlap = sharing("overlap", 16, source=32, output=0)
    assert "- row 1 over row 0: overlap, input 32 bytes above output (at least 16); the kernel's reason" in overlap
    assert "right for these kernels only: CMSIS-NN 4ab83cc3" in overlap
    assert flags(overlap) == "ARENA_PLAN_OVERLAP"


def test_a_permission_that_was_not_used_is_not_listed() -> None:
    text = sharing("overlap", 16, source=64, output=0)
    assert "Shared bytes" not in text
    assert flags(text) == "0U"


def test_operators_with_unknown_scratch_are_named_with_the_way_out() -> None:
    text = rendered(replace(small(), unknown_scratch=("MY_OP", "OTHER_OP")))
    assert "the scratch of MY_OP, OTHER_OP: nobody knows it here, so it is not in this plan, which needs" in text
    assert "--requests" in text
    assert flags(text) == "ARENA_PLAN_SCRATCH_UNKNOWN"


def test_warnings_stand_in_the_comment_with_place_and_hint() -> None:
    text = rendered(replace(small(), warnings=(Finding("no operator uses it", "m · tensor 3", "remove it"),)))
    assert " *   - m - tensor 3: no operator uses it (remove it)" in text


def test_many_warnings_are_counted() -> None:
    text = rendered(replace(small(), warnings=tuple(Finding(f"warning {i}") for i in range(MOST_WARNINGS + 7))))
    assert f"warning {MOST_WARNINGS - 1}\n" in text
    assert f"warning {MOST_WARNINGS}\n" not in text
    assert "and 7 more" in text


def test_the_banner_names_model_fingerprint_tool_options_and_kernels() -> None:
    text = rendered(small())
    assert text.startswith("/* Generated by arena-codegen ")
    assert "from kws.tflite; do not edit." in text.splitlines()[0]
    head = text[: text.index("*/")]
    for fact in ("0123456789abcdef" * 4, "--strategy best", "--align 16 --in-place --no-overlap", "CMSIS-NN 4ab83cc3"):
        assert fact in head


def test_the_banner_tells_a_search_from_a_step_as_the_proof() -> None:
    facts = " ".join(rendered(replace(small(), refuted=True)).replace("\n *", " ").split())
    assert "912 bytes by strategy best: no plan is smaller, a search has refuted every smaller size" in facts
    assert "decided by no step by itself; the tallest is scope 1" in facts
    assert "the lower bound, no plan is smaller" in rendered(small())
    assert "no step by itself" not in rendered(small())


def test_options_are_written_as_the_command_line_takes_them() -> None:
    wishes = {"keep": ["a b", "17"], "pin": ["x@64"], "honor_plan": True, "requests": True, "arena": 2048}
    assert option_text(OPTIONS | wishes) == (
        "--strategy best --effort normal --kernels cmsis-nn --target m4 --align 16 --in-place --no-overlap "
        "--keep 'a b' --keep 17 --pin x@64 --honor-plan --requests FILE --arena 2048"
    )


EVIL = '*/ #error out /* ??/ \\ \u202e\n" // ' + "x" * 300


def test_hostile_strings_change_nothing_but_comments() -> None:
    tame, wild = with_everything(), with_everything()
    wild = replace(
        wild,
        model=ModelInfo(EVIL, wild.model.sha256, wild.model.crc32, 9, 1, 2),
        kernels=EVIL,
        options=wild.options | {"keep": [EVIL]},
        tool=tame.tool,
        unknown_scratch=(EVIL,),
        warnings=(Finding(EVIL, EVIL, EVIL),),
        tail=replace(TAIL, tflm=EVIL, abi=EVIL),
        tensors=tuple(replace(row, name=EVIL, dtype=EVIL) for row in wild.tensors),
        operators=tuple(replace(row, name=EVIL) for row in wild.operators),
        buffers=tuple(
            replace(row, name=EVIL, shares=tuple(replace(share, why=EVIL) for share in row.shares))
            for row in wild.buffers
        ),
    )
    assert code(rendered(wild)) == code(rendered(tame))


def code(text: str) -> list[str]:
    """What a compiler sees."""
    return [line.strip() for line in re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL).splitlines() if line.strip()]


@pytest.mark.parametrize("plan", [small(), with_everything(), layout(), many(700)])
def test_the_text_is_ascii_with_short_lines_and_one_newline_at_the_end(plan: Layout) -> None:
    text = rendered(plan)
    assert text.isascii()
    assert "\r" not in text
    assert "\t" not in text
    assert text.endswith("*/\n")
    assert [line for line in text.splitlines() if len(line) > 120 or line != line.rstrip()] == []


def test_lines_stay_short_under_hostile_names() -> None:
    rows = [replace(row, name=EVIL) for row in many(20).buffers]
    text = rendered(replace(many(20), buffers=tuple(rows), warnings=(Finding(EVIL, "y" * 500, EVIL),)))
    assert max(map(len, text.splitlines())) <= 120


def test_lines_stay_short_under_the_longest_prefix_that_is_made() -> None:
    text = render_header(with_everything(), prefix=c_prefix("x" * 200), section=".ccmram")
    assert [line for line in text.splitlines() if len(line) > 120] == []


def test_a_row_costs_less_than_200_bytes_besides_comments() -> None:
    sizes = [len("\n".join(code(rendered(many(count))))) for count in (100, 700)]
    assert (sizes[1] - sizes[0]) / 600 < 50


def test_the_types_are_those_of_plan_h() -> None:
    assert (include() / "arena_codegen" / "plan.h").read_text() in rendered(small())


def test_plan_h_checks_the_version_that_it_defines() -> None:
    text = (include() / "arena_codegen" / "plan.h").read_text()
    assert re.search(r"#define ARENA_PLAN_ABI (\d+)", text)[1] == re.search(r"#if ARENA_PLAN_ABI != (\d+)", text)[1]


@pytest.mark.parametrize(("alignment", "extra", "expected"), [
    (4, 0, "KWS_ARENA_ALIGNMENT"), (4, 16, "16"), (16, 16, "KWS_ARENA_ALIGNMENT"), (64, 16, "KWS_ARENA_ALIGNMENT"),
])  # fmt: skip
def test_the_arena_is_aligned_to_16_at_least_where_a_tail_is_inside(alignment: int, extra: int, expected: str) -> None:
    plan = replace(small(), alignment=alignment, arena_bytes=912 + extra)
    assert f"\nARENA_ALIGN({expected}) uint8_t kws_arena[KWS_ARENA_BYTES];" in rendered(plan)


def test_the_arena_stands_in_the_section_that_was_asked_for() -> None:
    text = rendered(small(), section=".ccmram")
    assert 'uint8_t kws_arena[KWS_ARENA_BYTES] ARENA_SECTION(".ccmram");' in text
    assert "/* The arena, in section .ccmram;" in text


@pytest.mark.parametrize("name", [".bss.arena", ".noinit", ".ccmram", "DTCM_BSS", ".sram1$x", "my-section"])
def test_a_section_name_is_taken_as_it_stands(name: str) -> None:
    assert check_section(name) == name


@pytest.mark.parametrize("name", ["", ".a b", '.a"', ".a\n", ".a,#alloc", ".a\\", "*", ".é", ".bss;x"])
def test_what_no_section_is_called_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="not the name of a linker section"):
        check_section(name)


@pytest.mark.parametrize("section", [None, ".bss", ".bss.arena", ".noinit", ".noinit.arena"])
def test_sections_without_bytes_in_the_image_need_no_note(section: str | None) -> None:
    assert section_note(section) is None


@pytest.mark.parametrize("section", [".ccmram", "DTCM", ".bssx", ".database"])
def test_other_sections_come_with_the_line_that_a_linker_script_needs(section: str) -> None:
    note = section_note(section)
    assert note is not None
    assert f"{section} (NOLOAD) :" in note.hint
    assert f"*({section})" in note.hint
    assert note.is_note


@pytest.mark.parametrize(("section", "memory"), [(".ccmram", "CCMRAM"), (".dtcm.arena", "DTCM"), ("DTCM_BSS", "DTCM"),
                                                 (".1", "RAM")])  # fmt: skip
def test_the_memory_in_the_line_is_called_as_its_section_is(section: str, memory: str) -> None:
    note = section_note(section)
    assert note is not None
    line, meaning = note.hint.split("\n")
    assert line.endswith(f" > {memory}")
    assert meaning == f"{memory} stands for the memory that the arena is to lie in"


@pytest.mark.parametrize("section", [".data", ".data.arena"])
def test_a_section_that_start_up_code_copies_is_warned_of(section: str) -> None:
    note = section_note(section)
    assert note is not None
    assert not note.is_note
    assert note.what == f"{section} ships the arena as zeros: start-up code copies all of it from flash"
    assert f"Warning: {note.what}." in " ".join(rendered(small(), section=section).split()).replace(" * ", " ")


@pytest.mark.parametrize("section", [".text", ".text.arena", ".rodata", ".rodata.x", ".isr_vector", ".init_array"])
def test_a_section_that_cannot_be_written_is_warned_of(section: str) -> None:
    note = section_note(section)
    assert note is not None
    assert not note.is_note
    assert note.what.endswith("it cannot hold an arena")


def test_the_section_stands_among_the_options_of_the_banner() -> None:
    banner = rendered(small(), section=".ccmram").partition("*/")[0]
    assert "--no-overlap --section .ccmram " in " ".join(banner.replace(" * ", " ").split())


def test_where_the_tail_is_known_the_size_of_a_buffer_of_ones_own_is_said() -> None:
    told = "give TFLM a buffer of KWS_TFLM_ARENA_SIZE bytes where you bring your own"
    assert told in rendered(replace(small(), tail=TAIL)).replace("\n *", "")
    assert told not in rendered(small()).replace("\n *", "")


def test_a_pin_beyond_every_step_decides_and_the_banner_says_so() -> None:
    plan = layout(
        [tensor_row(0, size=64), tensor_row(1, size=64, offset=4096)], options={**OPTIONS, "pin": ["t1@4096"]}
    )
    assert " *   decided by  --pin t1@4096, which ends at 4160" in rendered(plan).splitlines()
