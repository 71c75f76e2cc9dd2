"""Other people's bad files: every one reads, or is refused for its true reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_codegen.errors import ModelError
from arena_codegen.model.reader import read_model
from tests.support.tools import SHARED

FILES = sorted([*SHARED.glob("cases/*.tflite"), *SHARED.glob("models/*.tflite")])
REASONS = {
    "r11_dyn_signature": "tensor has no fixed size: dimensions 1 and 2 are -1",
    "r17_overflow_u32": "tensor needs 68719476736 bytes, more than 2 GiB (at most 2147483647)",
    "r35_string_activation": "STRING tensor has no fixed size, so it cannot lie in an arena",
    "r36_use_before_def": "operator reads a tensor that a later one, op 2 RELU, writes",
    "r37_two_producers": "operator writes a tensor that op 0 RELU writes already",
    "r39_recursion": "subgraph 0 calls itself: 0 → 0",
    "r41_bad_tensor_index": "inputs[0] names tensor 99, the subgraph has 2 tensor(s)",
    "r43_bad_buffer_index": "tensor names buffer 77, the file has 1 buffer(s)",
    "r44_version_4": "schema version is 4, not 3",
    "r45_wrong_ident": "file identifier is 'CIR0', not 'TFL3'",
    "r46_zero_subgraphs": "model has no subgraph",
    "r48_truncated_half": "buffer cannot be read: table at byte 584 lies outside the file (294 bytes)",
    "r50_empty_file": "the file is empty",
    "r51_text_file": "this is a Git LFS pointer, not the model",
    "litert__dynamic_shapes.bin": "tensor has no fixed size: dimension 1 is -1",
    "litert__string_input_model.bin": "STRING tensor has no fixed size, so it cannot lie in an arena",
    "litert__test_model_broken.bin": "file identifier is '\\x00\\x00\\x0e\\x00', not 'TFL3'",
}

if FILES:  # users have none beside their checkout

    @pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
    def test_a_file_reads_or_is_refused_for_its_true_reason(path: Path) -> None:
        reason = REASONS.get(path.stem)
        if reason is None:
            assert read_model(path).operators > 0
            return
        with pytest.raises(ModelError) as caught:
            read_model(path)
        assert caught.value.findings[0].what == reason
