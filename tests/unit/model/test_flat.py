"""Reading FlatBuffers within their bounds, on bytes written by hand."""

from __future__ import annotations

import struct

import pytest

from arena_codegen.model.flat import Broken, Exhausted, Field, Flat, Layout, reader


def layout(*fields: tuple[str, bool]) -> Layout:
    return tuple(
        Field(f"f{slot}", slot + 2, kind, many, None, reader(kind, many)) for slot, (kind, many) in enumerate(fields)
    )


def table(*words: int, vtable: tuple[int, ...] | None = None) -> bytes:
    """A vtable for 32-bit fields, then the table at byte 16: its way back, then `words`."""
    slots = vtable or (4 + 2 * len(words), 4 + 4 * len(words), *(4 + 4 * index for index in range(len(words))))
    head = struct.pack(f"<{len(slots)}H", *slots)
    assert len(head) <= 16
    return head.ljust(16, b"\0") + struct.pack("<i", 16) + struct.pack(f"<{len(words)}i", *words)


def test_scalars_come_from_their_slots() -> None:
    assert Flat(table(7, -2)).read(layout(("<i", False), ("<i", False)), 16) == [7, -2]


def test_an_absent_field_has_its_default() -> None:
    assert Flat(table(7)).read(layout(("<i", False), ("<i", False)), 16) == [7, None]


def test_a_vector_of_numbers_is_a_tuple() -> None:
    data = table(4) + struct.pack("<Iii", 2, 5, -6)
    assert Flat(data).read(layout(("<i", True)), 16) == [(5, -6)]


def test_a_vector_of_bytes_is_a_view() -> None:
    data = table(4) + struct.pack("<I", 2) + b"ab"
    (view,) = Flat(data).read(layout(("<B", True)), 16)
    assert (bytes(view), view.obj) == (b"ab", data)


def test_a_vector_of_tables_holds_positions() -> None:
    data = table(4) + struct.pack("<III", 2, 100, 96)
    assert Flat(data).read(layout(("table", True)), 16) == [(128, 128)]


@pytest.mark.parametrize(
    ("data", "at", "why"),
    [
        (table(7), 99, "table at byte 99 lies outside the file (24 bytes)"),
        (table(7)[:22], 16, "table at byte 16 runs past the end of the file (22 bytes)"),
        (table(7, vtable=(6, 60, 4)), 16, "table at byte 16 runs past the end of the file (24 bytes)"),
        (table(7, vtable=(3, 8, 4)), 16, "no vtable at byte 0"),
        (struct.pack("<i", 16), 0, "a table's vtable lies before the file, at byte -16"),
        (struct.pack("<i", -100), 0, "table at byte 0 lies outside the file (4 bytes)"),
        (table(7, vtable=(6, 8, 30)), 16, "field f0: lies outside the file"),
    ],
)
def test_a_table_outside_the_file_is_broken(data: bytes, at: int, why: str) -> None:
    with pytest.raises(Broken) as caught:
        Flat(data).read(layout(("<i", False)), at)
    assert str(caught.value) == why


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (table(-1), "field f0: lies outside the file, at byte 4294967315 of 24"),
        (
            table(4) + b"\xff\xff\xff\xff",
            "field f0: 4294967295 elements at byte 24 run past the end of the file (28 bytes)",
        ),
        (table(4) + b"\1\0\0\0abc", "field f0: 1 elements at byte 24 run past the end of the file (31 bytes)"),
    ],
)
def test_a_vector_outside_the_file_is_broken_before_it_is_read(data: bytes, why: str) -> None:
    with pytest.raises(Broken) as caught:
        Flat(data).read(layout(("<i", True)), 16)
    assert str(caught.value) == why


def test_reading_the_same_bytes_over_and_over_comes_to_an_end() -> None:
    data = table(4) + struct.pack("<I1000i", 1000, *range(1000))
    flat = Flat(data)
    for _ in range(4):
        flat.read(layout(("<i", True)), 16)
    with pytest.raises(Exhausted, match="the file refers to the same bytes over and over"):
        flat.read(layout(("<i", True)), 16)


def test_bytes_behind_the_flatbuffer_are_noticed_and_bounded() -> None:
    flat = Flat(b"0123456789")
    assert not flat.external
    assert bytes(flat.outside(8, 2)) == b"89"
    assert flat.external
    with pytest.raises(Broken, match="3 bytes at byte 8 run past the end of the file"):
        flat.outside(8, 3)
