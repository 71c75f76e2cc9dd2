"""Logs of RecordedMemory, as serial lines bring them."""

from __future__ import annotations

import pytest

from arena_codegen.errors import ModelError
from arena_codegen.kernels.recorded import Expected, Recorded, read_log, scratch_of

ROWS = [(48, 0, 1), (112, 1, 2), (576, 1, 1), (0, 2, 2)]
TENSORS = [Expected(48, 0, 1, "tensor 0"), Expected(112, 1, 2, "tensor 1")]


def _line(i: int, size: int, first: int, last: int) -> str:
    return f'arena-codegen-request {{"i":{i},"size":{size},"first":{first},"last":{last}}}'


def _log(rows: list[tuple[int, int, int]] = ROWS) -> list[str]:
    return [_line(index, *row) for index, row in enumerate(rows)]


def _keys(boot: tuple[Recorded, ...]) -> list[tuple[int, int, int]]:
    return [record.key for record in boot]


def _what(text: str) -> str:
    with pytest.raises(ModelError) as caught:
        scratch_of(read_log(text), TENSORS)
    finding = caught.value.findings[0]
    assert finding.where.startswith("requests log")
    return f"{finding.what} | {finding.where}"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\r\n\r\n"])
def test_every_kind_of_line_end_is_read(end: str) -> None:
    assert [_keys(boot) for boot in read_log(end.join(_log()))] == [ROWS]


def test_noise_around_the_records_does_not_matter() -> None:
    lines = [f"\x1b[32m[00:00:0{index}] uart0: {line} \x00\ufffd" for index, line in enumerate(_log())]
    log = "\n".join(["booting …", "Failed to nothing", *lines, "AllocateTensors ok", "{}"])
    assert [_keys(boot) for boot in read_log(log)] == [ROWS]


def test_two_records_on_one_line_are_two_requests() -> None:
    assert [_keys(boot) for boot in read_log(" ".join(_log()))] == [ROWS]


def test_scratch_is_what_follows_the_tensors() -> None:
    assert _keys(scratch_of(read_log("\n".join(_log())), TENSORS)) == ROWS[2:]


def test_a_log_that_starts_or_ends_within_a_boot_is_used_where_one_boot_is_whole() -> None:
    log = "\n".join([*_log()[2:], *_log(), *_log()[:3]])
    assert _keys(scratch_of(read_log(log), TENSORS)) == ROWS[2:]


def test_a_cut_line_does_not_matter_where_another_boot_is_whole() -> None:
    first = [*_log()[:2], _log()[2][:40]]
    assert _keys(scratch_of(read_log("\n".join([*first, *_log()])), TENSORS)) == ROWS[2:]


def test_requests_of_another_model_in_the_same_log_do_not_matter() -> None:
    other = _log([(16, 0, 3), (16, 1, 3), (32, 2, 2), (32, 3, 3), (32, 3, 3)])
    assert _keys(scratch_of(read_log("\n".join([*other, *_log()])), TENSORS)) == ROWS[2:]


def test_a_cut_line_is_named() -> None:
    log = "\n".join([*_log()[:2], _log()[2][:-9], _log()[3]])
    assert _what(log) == "line is cut off | requests log · line 3"


def test_a_missing_line_is_named() -> None:
    log = "\n".join([_log()[0], *_log()[2:]])
    assert _what(log) == "request 2 stands where request 1 should | requests log · line 2"


def test_a_line_that_stands_twice_is_named() -> None:
    log = "\n".join([_log()[0], _log()[1], _log()[1], *_log()[2:]])
    assert _what(log) == "request 1 stands where request 2 should | requests log · line 3"


def test_a_gap_in_the_longest_boot_is_not_hidden_by_a_shorter_one() -> None:
    assert "stands where" in _what("\n".join([*_log()[:2], *_log()[:3], _line(4, 16, 1, 1)]))


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ('{"i":0,"size":-16,"first":0,"last":1}', "size is no number of bytes"),
        ('{"i":0,"size":99999999999,"first":0,"last":1}', "size is no number of bytes"),
        ('{"i":0,"size":16,"first":2,"last":1}', "lifetime runs backwards"),
        ('{"i":0,"size":16,"first":-2,"last":1}', "lifetime runs backwards"),
        ('{"i":-1,"size":16,"first":0,"last":1}', "number is negative"),
        ('{"i":0,"size":16,"first":0}', "not a request"),
        ('{"i":0,"size":"16","first":0,"last":1}', "not a request"),
        ('{"i":0,"size":1e3,"first":0,"last":1}', "not a request"),
        ('{"i":true,"size":16,"first":0,"last":1}', "not a request"),
        ("{nonsense}", "not a request"),
    ],
)
def test_a_record_that_makes_no_sense_is_named(record: str, problem: str) -> None:
    assert _what(f"arena-codegen-request {record}").startswith(problem)


@pytest.mark.parametrize("log", ["", "nothing here\r\n", "arena-codegen: request 3 of 16 bytes"])
def test_a_log_without_requests_is_refused(log: str) -> None:
    assert _what(log).startswith("no line with")


def test_a_tensor_of_another_size_or_lifetime_is_refused_at_its_place() -> None:
    assert _what("\n".join(_log([(48, 0, 1), (128, 1, 2)]))) == (
        "request 1 is 128 bytes in scopes 1..2, this tensor needs 112 bytes in scopes 1..2"
        " | requests log · line 2 · tensor 1"
    )
    assert "scopes 1..3" in _what("\n".join(_log([(48, 0, 1), (112, 1, 3)])))


def test_a_log_with_fewer_requests_than_tensors_is_refused() -> None:
    assert _what("\n".join(_log([(48, 0, 1)]))).startswith("the log has 1 requests, the model has 2 tensors")


def test_two_boots_that_disagree_are_refused() -> None:
    other = _log([*ROWS[:2], (592, 1, 1)])
    assert _what("\n".join([*_log(), *other])).startswith("two boots disagree: 576 bytes")
