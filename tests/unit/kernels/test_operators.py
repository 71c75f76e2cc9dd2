"""Each operator of TFLM by itself: what real TFLM asked for on a Cortex-M4, and what we say.

`measured.csv` was written by TFLM 90b983c2 with CMSIS-NN 4ab83cc3 and with its reference kernels, built by
arm-none-eabi-gcc 12.2 and run on QEMU's mps2-an386: scratch in request order, rounded up to 16; bytes of the tail with
the greedy planner; bytes of all temporary tensors of Prepare.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from arena_codegen.kernels import library
from arena_codegen.kernels.reference import PREPARE
from arena_codegen.kernels.tflm_abi import events, usage
from arena_codegen.model.reader import parse_model
from arena_codegen.options import PlanOptions
from arena_codegen.requests import Requests, collect
from arena_codegen.timeline import lay_timeline
from tests.support.operator_models import operator_models

MODELS = operator_models()
with (Path(__file__).parent / "measured.csv").open(newline="") as file:
    MEASURED = list(csv.DictReader(file))


@pytest.fixture(params=MEASURED, ids=lambda row: f"{row['case']}-{row['kernels']}")
def row(request: pytest.FixtureRequest) -> dict[str, str]:
    return request.param


def _requests(row: dict[str, str]) -> Requests:
    model = parse_model(MODELS[row["case"]], "one.tflite")
    return collect(model, lay_timeline(model), library(row["kernels"], "m4"), PlanOptions())


def test_scratch_is_what_the_device_asked_for(row: dict[str, str]) -> None:
    requests = _requests(row)
    assert requests.unknown_scratch == ()
    assert [r.size for r in requests.rows if r.kind == "scratch"] == [int(size) for size in row["scratch"].split()]


def test_tail_and_temporaries_are_those_of_the_device(row: dict[str, str]) -> None:
    requests = _requests(row)
    run = events(requests.model, requests.kernels, 0, len(requests.rows))
    prepare = [event.bytes for event in run if event.kind == "temp"][:-2]
    assert (usage(run).tail, sum(prepare)) == (int(row["tail"]), int(row["temporaries"]))


def test_every_operator_of_the_table_was_measured_or_stands_in_a_model_of_several() -> None:
    others = {"ASSIGN_VARIABLE", "CALL_ONCE", "IF", "READ_VARIABLE", "SVDF", "VAR_HANDLE", "WHILE"}
    others |= {"UNIDIRECTIONAL_SEQUENCE_LSTM", "CIRCULAR_BUFFER", "TFLM_DECODE", "TFLite_Detection_PostProcess"}
    measured = {row["case"].split()[0] for row in MEASURED} | {"DEPTHWISE_CONV_2D"}
    assert {name for name in PREPARE if not name.startswith("Signal")} <= measured | others
