"""SVDF.

F3. Source: TFLM's kernels/svdf_common.cc; scales are multiplied as float32.
"""

from __future__ import annotations

from arena_codegen.inference.call import KernelCall, Unsupported
from arena_codegen.inference.fixed_point import float32, scale, scale_fields, zero_point
from arena_codegen.inference.pairs import ELEMENTS
from arena_codegen.kernels.call import Call, dims


def svdf(call: Call) -> KernelCall:
    source, features, time, state, output = (*(call.input(position) for position in (0, 1, 2, 4)), call.output())
    batches, in_c = dims(source, 2)
    filters, memory = dims(time, 2)
    if source.dtype.name != "INT8" or state.dtype.name not in ("INT8", "INT16") or time.dtype != state.dtype:
        raise Unsupported(f"{source.dtype.name} with a state of {state.dtype.name}")
    into = float32(float32(scale(source) * scale(features)) / scale(state))
    out = float32(float32(scale(state) * scale(time)) / scale(output))
    params = {
        **{"batches": batches, "in_c": in_c, "filters": filters, "rank": call.positive("rank"), "memory": memory},
        "state": ELEMENTS[state.dtype.name],
        "input_zero_point": zero_point(source),
        "state_zero_point": zero_point(state),
        "output_zero_point": zero_point(output),
        "feature_scale": scale_fields(into),
        "output_scale": scale_fields(out),
    }
    inputs = call.operator.inputs
    return KernelCall("svdf", params, inputs=inputs[:4], outputs=(*call.operator.outputs, inputs[4]))
