"""SOFTMAX.

F3. Sources: TFLM's kernels/softmax_common.cc, kernels/internal/reference/softmax.h. Of an int8 input every difference
to the row's maximum is one of 256 values, so the exponentials are a table.
"""

from __future__ import annotations

import math
from typing import Any

from arena_codegen.inference import nonlinear
from arena_codegen.inference.call import KernelCall, Table, Unsupported
from arena_codegen.inference.fixed_point import quantize_multiplier, scale
from arena_codegen.kernels.call import Call, dim

DIFFERENCE_BITS = 5
"""Integer bits of a scaled difference."""


def softmax(call: Call) -> KernelCall:
    source, output = call.input(0), call.output()
    width = dim(source, -1)
    rows = source.elements // width
    beta = call.operator.options.get("beta")
    if not isinstance(beta, float | int):
        raise Unsupported("no beta")
    kinds = source.dtype.name, output.dtype.name
    if kinds == ("FLOAT32", "FLOAT32"):
        params = {"rows": rows, "width": width, "beta": float(beta)}
        return KernelCall("softmax_f32", params, header="softmax", params_type="softmax_f32")
    if kinds not in (("INT8", "INT8"), ("INT8", "INT16")):
        raise Unsupported(" to ".join(kinds))
    table = Table("int32_t", exponentials(float(beta), scale(source)))
    whole: dict[str, Any] = {"rows": rows, "width": width, "exponentials": table}
    return KernelCall("softmax" if kinds[1] == "INT8" else "softmax_s16", whole, header="softmax")


def exponentials(beta: float, input_scale: float) -> list[int]:
    """exp(−n · beta · scale) without integer bits for n from 0 to 255; 0 where the kernel takes it for nothing."""
    real = min(beta * input_scale * (1 << (31 - DIFFERENCE_BITS)), (1 << 31) - 1.0)
    multiplier, shift = quantize_multiplier(real)
    if shift < 0:
        raise Unsupported(f"a scale of {input_scale:g}")
    radius = math.floor(((1 << DIFFERENCE_BITS) - 1) * 2.0 ** (31 - DIFFERENCE_BITS) / 2.0**shift)
    return [
        nonlinear.exp(nonlinear.high_mul(-n * (1 << shift), multiplier), DIFFERENCE_BITS) if n <= radius else 0
        for n in range(256)
    ]
