"""The whole text of headers, as a reviewer would see it."""

from __future__ import annotations

import pytest

from arena_codegen.emit.header import render_header
from arena_codegen.model.reader import parse_model
from arena_codegen.options import PlanOptions
from arena_codegen.pipeline import plan_layout
from tests.support import models
from tests.support.golden import check_golden
from tests.support.layouts import layout, with_everything


def test_golden_headers_made_by_hand() -> None:
    """One plan with everything that a header can say, one with nothing."""
    check_golden(
        "header/by_hand",
        {
            "everything.h": render_header(with_everything(), prefix="kws", section=".ccmram"),
            "nothing.h": render_header(layout(), prefix="nothing"),
        },
    )


@pytest.mark.parametrize("name", ["depthwise_cnn", "if_model"])
def test_golden_headers_of_models(name: str) -> None:
    """From the model's bytes; without kernels, so that only tensors, lifetimes and offsets decide."""
    model = parse_model(getattr(models, name)(), f"{name}.tflite")
    plan = plan_layout(model, PlanOptions(kernels="none"))
    check_golden(f"header/{name}", {f"{name}_plan.h": render_header(plan, prefix=name)})
