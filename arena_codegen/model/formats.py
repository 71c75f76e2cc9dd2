"""F1. What a file is when it is not a TensorFlow Lite model, so that a wrong download is named for what it is."""

from __future__ import annotations

import re

from arena_codegen.model.schema import IDENTIFIER

_BEGINNINGS = (
    (b"version https://git-lfs.", "this is a Git LFS pointer, not the model", "fetch the model itself: git lfs pull"),
    (b"PK\x03\x04", "this is a zip archive, not a model", "unpack it; the .tflite file is inside"),
    (b"\x1f\x8b", "this is gzip data, not a model", "unpack it: gunzip, or tar xzf for a .tar.gz"),
    (b"\x89HDF\r\n", "this is an HDF5 file, as Keras writes it, not a TensorFlow Lite model", "convert it first"),
    (b"<!doctype html", "this is a web page, not a model", "download the raw file"),
    (b"<html", "this is a web page, not a model", "download the raw file"),
)
_C_ARRAY = re.compile(rb"\[\s*\w*\s*\][^;{}]{0,200}=\s*\{")
"""The definition of an array, with what compilers are told about it before the `=`; in lower case."""
_FROM_C = r"turn the array back: grep -o '0x[0-9a-fA-F]\{2\}' model.cc | xxd -r -p > model.tflite"


def foreign(data: bytes) -> tuple[str, str] | None:
    """What is wrong with the beginning of a file, and a hint; None where it begins as a model does."""
    if not data:
        return "the file is empty", ""
    start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    for beginning, what, hint in _BEGINNINGS:
        if start.startswith(beginning.lower()):
            return what, hint
    if data[4:8] == IDENTIFIER:
        return None
    if data[:1] == b"\x08" and (b"onnx" in start or b"pytorch" in start):
        return "this is an ONNX model, not a TensorFlow Lite model", "convert it first"
    if _C_ARRAY.search(start):
        return "this is C source, not a model", _FROM_C
    if data[8:12] == IDENTIFIER:
        return "the model has a length in front of it", "remove the first four bytes"
    if len(data) < 8:
        return f"the file has {len(data)} bytes, too few for a model", ""
    found = data[4:8].decode("ascii", "backslashreplace")
    return f"file identifier is {found!r}, not {IDENTIFIER.decode()!r}", "this is no TensorFlow Lite model"
