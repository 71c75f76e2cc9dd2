"""Operators with a state: SVDF and UNIDIRECTIONAL_SEQUENCE_LSTM.

F3. Sources: TFLM's kernels/svdf_common.cc, lstm_eval_common.cc, lstm_eval.cc.
"""

from __future__ import annotations

import math

from arena_codegen.inference.activations import logistic_table
from arena_codegen.inference.call import KernelCall, Table, Unsupported
from arena_codegen.inference.fixed_point import scale, scale_fields, zero_point
from arena_codegen.inference.pairs import ELEMENTS
from arena_codegen.kernels.call import Call, dims
from arena_codegen.model.types import Tensor

TANH = 4
"""Of the activation functions in the schema."""

GATE_SCALE, CURVE_SCALE = 2.0**-12, 2.0**-15
"""Of a gate before its curve, and after it."""


def svdf(call: Call) -> KernelCall:
    source, features, time, state, output = (*(call.input(position) for position in (0, 1, 2, 4)), call.output())
    batches, in_c = dims(source, 2)
    filters, memory = dims(time, 2)
    if source.dtype.name != "INT8" or state.dtype.name not in ("INT8", "INT16") or time.dtype != state.dtype:
        raise Unsupported(f"{source.dtype.name} with a state of {state.dtype.name}")
    into = scale(source) * scale(features) / scale(state)
    out = scale(state) * scale(time) / scale(output)
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


def lstm(call: Call) -> KernelCall:
    """Weights, recurrent weights and biases of the gates input, forget, cell, output; peepholes and projections are not
    TFLM's."""
    source, hidden, cell, output = call.input(0), call.input(18), call.input(19), call.output()
    if (source.dtype.name, cell.dtype.name) != ("INT8", "INT16"):
        raise Unsupported(f"{source.dtype.name} with a cell state of {cell.dtype.name}")
    first, second, in_c = dims(source, 3)
    state_c = dims(output, 3)[2]
    time_major = bool(call.operator.options.get("time_major"))
    batches, steps = (second, first) if time_major else (first, second)
    shift = 12 + _log2(scale(cell))
    clip = float(call.operator.options.get("cell_clip") or 0.0)
    params = {
        **{"batches": batches, "steps": steps, "in_c": in_c, "state_c": state_c},
        "batch_stride": 1 if time_major else steps,
        "step_stride": batches if time_major else 1,
        "input_offset": -zero_point(source),
        "hidden_offset": -zero_point(hidden),
        "hidden_zero_point": zero_point(hidden),
        "input_scales": _gates(call, source, 1),
        "hidden_scales": _gates(call, hidden, 5),
        "forget_scale": scale_fields(CURVE_SCALE * scale(cell) / scale(cell)),
        "update_scale": scale_fields(CURVE_SCALE * CURVE_SCALE / scale(cell)),
        "hidden_scale": scale_fields(CURVE_SCALE * CURVE_SCALE / scale(hidden)),
        "cell_is_tanh": int(call.option("fused_activation_function") == TANH),
        "cell_multiplier": 3 << max(shift, 0),
        "cell_right_shift": max(-shift, 0),
        "clip": int(min(max(clip / scale(cell), -32768.0), 32767.0)) if clip > 0 else 0,
        "logistic": Table("uint16_t", logistic_table()),
    }
    inputs = call.operator.inputs
    order = (0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 15)
    return KernelCall(
        "lstm",
        params,
        inputs=tuple(inputs[position] for position in order),
        outputs=(*call.operator.outputs, inputs[18], inputs[19]),
    )


def _gates(call: Call, values: Tensor, first: int) -> tuple[dict[str, int], ...]:
    """The scales of four products of 8 bits, into those of a gate."""
    weights = [call.input(first + gate) for gate in range(4)]
    return tuple(scale_fields(scale(values) * scale(one) / GATE_SCALE) for one in weights)


def _log2(value: float) -> int:
    """The power of two that a scale is, or is nearest to."""
    return round(math.log2(value))
