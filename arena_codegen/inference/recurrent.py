"""Operators with a state: SVDF and UNIDIRECTIONAL_SEQUENCE_LSTM.

F3. Sources: TFLM's kernels/svdf_common.cc, lstm_eval_common.cc, lstm_eval.cc.
"""

from __future__ import annotations

import math
from typing import Any

from arena_codegen.inference.activations import logistic_table
from arena_codegen.inference.call import KernelCall, Table, Unsupported
from arena_codegen.inference.fixed_point import (
    NONE,
    RANGES,
    float_range,
    quantize_multiplier,
    scale,
    scale_fields,
    zero_point,
)
from arena_codegen.inference.pairs import ELEMENTS
from arena_codegen.kernels.call import Call, dims
from arena_codegen.model.types import Tensor

TANH = 4
"""Of the activation functions in the schema."""

GATE_SCALE, CURVE_SCALE = 2.0**-12, 2.0**-15
"""Of a gate before its curve, and after it."""

MOST_SHIFT = 7
"""To the left, of a sum of 64 bits (MultiplyByQuantizedMultiplier)."""


def svdf(call: Call) -> KernelCall:
    source, features, time, state, output = (*(call.input(position) for position in (0, 1, 2, 4)), call.output())
    batches, in_c = dims(source, 2)
    filters, memory = dims(time, 2)
    inputs = call.operator.inputs
    outputs = (*call.operator.outputs, inputs[4])
    shape = {"batches": batches, "in_c": in_c, "filters": filters, "rank": call.positive("rank"), "memory": memory}
    if {tensor.dtype.name for tensor in (source, features, time, state, output)} == {"FLOAT32"}:
        low, high = float_range(call.option("fused_activation_function"))
        params: dict[str, Any] = {**shape, "lowest": low, "highest": high}
        return KernelCall("svdf_f32", params, "svdf", "svdf_f32", inputs[:4], outputs)
    if source.dtype.name != "INT8" or state.dtype.name not in ("INT8", "INT16") or time.dtype != state.dtype:
        raise Unsupported(f"{source.dtype.name} with a state of {state.dtype.name}")
    into = scale(source) * scale(features) / scale(state)
    out = scale(state) * scale(time) / scale(output)
    params = {
        **shape,
        "state": ELEMENTS[state.dtype.name],
        "input_zero_point": zero_point(source),
        "state_zero_point": zero_point(state),
        "output_zero_point": zero_point(output),
        "feature_scale": scale_fields(into),
        "output_scale": scale_fields(out),
    }
    return KernelCall("svdf", params, inputs=inputs[:4], outputs=outputs)


def lstm(call: Call) -> KernelCall:
    """Weights, recurrent weights and biases of the gates input, forget, cell, output; peepholes and projections are not
    TFLM's, nor is another activation than tanh."""
    source, weights, cell, output = call.input(0), call.input(1), call.input(19), call.output()
    first, second, in_c = dims(source, 3)
    if call.option("fused_activation_function") != TANH:
        raise Unsupported(f"activation {call.option('fused_activation_function')}")
    time_major = bool(call.operator.options.get("time_major"))
    batches, steps = (second, first) if time_major else (first, second)
    shape = {
        **{"batches": batches, "steps": steps, "in_c": in_c, "state_c": dims(output, 3)[2]},
        "batch_stride": 1 if time_major else steps,
        "step_stride": batches if time_major else 1,
    }
    clip = float(call.operator.options.get("cell_clip") or 0.0)
    inputs = call.operator.inputs
    order = tuple(inputs[position] for position in (*range(9), *range(12, 16)))
    outputs = (*call.operator.outputs, inputs[18], inputs[19])
    kinds = source.dtype.name, weights.dtype.name, cell.dtype.name, call.input(12).dtype.name
    if set(kinds) == {"FLOAT32"}:
        params = {"shape": shape, "clip": clip if clip > 0 else float_range(NONE)[1]}
        return KernelCall("lstm_f32", params, "lstm", "lstm_f32", order, outputs)
    if kinds not in (("INT8", "INT8", "INT16", "INT32"), ("INT16", "INT8", "INT16", "INT64")):
        raise Unsupported(f"{kinds[0]} by {kinds[1]} with a cell state of {kinds[2]} and biases of {kinds[3]}")
    return KernelCall("lstm", {"shape": shape, **_quantized_lstm(call, clip)}, "lstm", "", order, outputs)


def _quantized_lstm(call: Call, clip: float) -> dict[str, Any]:
    source, hidden, cell = call.input(0), call.input(18), call.input(19)
    shift = 12 + _log2(scale(cell))
    if shift > 14:
        raise Unsupported(f"a cell state in steps of {scale(cell)}")
    low, high = RANGES[hidden.dtype.name]
    return {
        "element": ELEMENTS[source.dtype.name],
        "input_offset": -zero_point(source),
        "hidden_offset": -zero_point(hidden),
        "gates": tuple(_gate(call, call.input(1 + at), call.input(5 + at)) for at in range(4)),
        "forget_scale": scale_fields(CURVE_SCALE * scale(cell) / scale(cell)),
        "update_scale": scale_fields(CURVE_SCALE * CURVE_SCALE / scale(cell)),
        "hidden_scale": scale_fields(CURVE_SCALE * CURVE_SCALE / scale(hidden)),
        **{"lowest": low, "highest": high},
        "cell_multiplier": 3 << max(shift, 0),
        "cell_right_shift": max(-shift, 0),
        "clip": int(min(clip / scale(cell), 32767.0)) if clip > 0 else 32768,
        "logistic": Table("uint16_t", logistic_table()),
    }


def _gate(call: Call, weights: Tensor, recurrent: Tensor) -> dict[str, Any]:
    """A `kernel_lstm_gate_t`."""
    scales = [scale(call.input(at)) * scale(one) / GATE_SCALE for at, one in ((0, weights), (18, recurrent))]
    if call.input(0).dtype.name == "INT16" and max(quantize_multiplier(one)[1] for one in scales) > MOST_SHIFT:
        raise Unsupported("weights with a scale that is too large")
    return {
        "input_scale": scale_fields(scales[0]),
        "hidden_scale": scale_fields(scales[1]),
        "input_weight_offset": -zero_point(weights),
        "hidden_weight_offset": -zero_point(recurrent),
    }


def _log2(value: float) -> int:
    """The power of two that a scale is, or is nearest to."""
    return round(math.log2(value))
