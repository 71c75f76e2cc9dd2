"""Ready-made small models, as bytes; `Graph` and `build` from `model_builder` make others.

Each one says what it is for. All but those that say otherwise load and run in real TFLM with reference kernels.
"""

from __future__ import annotations

import numpy as np

from tests.support.model_builder import Graph as Graph
from tests.support.model_builder import OpSpec as OpSpec
from tests.support.model_builder import TensorSpec as TensorSpec
from tests.support.model_builder import build as build
from tests.support.model_builder import weights as weights

SAME, VALID = 0, 1


def chain(n: int = 3, shape: tuple[int, ...] = (1, 16)) -> bytes:
    """in → RELU → … → out: `n` operators, every tensor of the same size."""
    g = Graph()
    last = g.input("in", shape, scale=0.1)
    for index in range(n):
        following = g.tensor(f"t{index}" if index < n - 1 else "out", shape, scale=0.1)
        g.op("RELU", [last], [following])
        last = following
    g.outputs = [last]
    return build(g)


def residual() -> bytes:
    """in → a → b, out = a + b: `a` lives across the operator that makes `b`."""
    g = Graph()
    x = g.input("in", (1, 4, 4, 8), scale=0.1)
    a, b = (g.tensor(name, (1, 4, 4, 8), scale=0.1) for name in "ab")
    out = g.output("out", (1, 4, 4, 8), scale=0.1)
    g.op("RELU", [x], [a])
    g.op("RELU6", [a], [b])
    g.op("ADD", [a, b], [out])
    return build(g)


def depthwise_cnn() -> bytes:
    """An int8 classifier: CONV_2D, DEPTHWISE_CONV_2D, 1x1 CONV_2D, pool, reshape, dense, softmax."""
    g = Graph()
    x = g.input("image", (1, 8, 8, 3), scale=0.02, zero_point=-4)
    conv = g.tensor("conv", (1, 8, 8, 8), scale=0.05, zero_point=-128)
    kernel, bias = _filter(g, "conv", (8, 3, 3, 3), 0, 0.02)
    g.op("CONV_2D", [x, kernel, bias], [conv], padding=SAME, stride_w=1, stride_h=1, fused_activation_function=1)
    depth = g.tensor("depth", (1, 4, 4, 8), scale=0.06, zero_point=-128)
    kernel, bias = _filter(g, "depth", (1, 3, 3, 8), 3, 0.05)
    g.op(
        "DEPTHWISE_CONV_2D",
        [conv, kernel, bias],
        [depth],
        padding=SAME,
        stride_w=2,
        stride_h=2,
        depth_multiplier=1,
        fused_activation_function=1,
    )
    point = g.tensor("point", (1, 4, 4, 16), scale=0.07, zero_point=-128)
    kernel, bias = _filter(g, "point", (16, 1, 1, 8), 0, 0.06)
    g.op("CONV_2D", [depth, kernel, bias], [point], padding=VALID, stride_w=1, stride_h=1, fused_activation_function=1)
    pool = g.tensor("pool", (1, 1, 1, 16), scale=0.07, zero_point=-128)
    g.op("AVERAGE_POOL_2D", [point], [pool], padding=VALID, stride_w=4, stride_h=4, filter_width=4, filter_height=4)
    flat = g.tensor("flat", (1, 16), scale=0.07, zero_point=-128)
    g.op("RESHAPE", [pool, g.constant("flat/shape", [1, 16], "INT32")], [flat], new_shape=[1, 16])
    dense = g.tensor("dense", (1, 4), scale=0.1, zero_point=3)
    kernel = g.constant("dense/kernel", weights(9, (4, 16)), scale=0.01, zero_point=0)
    bias = g.constant("dense/bias", weights(10, (4,)), "INT32", scale=0.07 * 0.01)
    g.op("FULLY_CONNECTED", [flat, kernel, bias], [dense])
    g.op("SOFTMAX", [dense], [g.output("probabilities", (1, 4), scale=1 / 256, zero_point=-128)], beta=1.0)
    return build(g)


def _filter(g: Graph, name: str, shape: tuple[int, ...], axis: int, input_scale: float) -> tuple[int, int]:
    """Weights with a scale for each output channel, and their bias."""
    channels = shape[axis]
    scales = [0.004 + 0.0005 * channel for channel in range(channels)]
    kernel = g.constant(f"{name}/kernel", weights(sum(map(ord, name)), shape), scale=scales, axis=axis)
    bias_scales = [input_scale * scale for scale in scales]
    return kernel, g.constant(f"{name}/bias", weights(channels, (channels,)), "INT32", scale=bias_scales)


def if_model() -> bytes:
    """IF (condition, a, b): then adds and negates, else multiplies."""
    main, then, other = Graph("main"), Graph("then"), Graph("else")
    condition = main.input("condition", (1,), "BOOL")
    a, b = (main.input(name, (1, 6), "FLOAT32") for name in "ab")
    out = main.output("out", (1, 6), "FLOAT32")
    main.op("IF", [condition, a, b], [out], then_subgraph_index=1, else_subgraph_index=2)
    a, b = (then.input(name, (1, 6), "FLOAT32") for name in "ab")
    total = then.tensor("sum", (1, 6), "FLOAT32")
    then.op("ADD", [a, b], [total])
    then.op("NEG", [total], [then.output("negative", (1, 6), "FLOAT32")])
    a, b = (other.input(name, (1, 6), "FLOAT32") for name in "ab")
    other.op("MUL", [a, b], [other.output("product", (1, 6), "FLOAT32")])
    return build(main, then, other)


def while_model() -> bytes:
    """x += 1 while x < 10."""
    main, condition, body = Graph("main"), Graph("condition"), Graph("body")
    x = main.input("x", (1,), "FLOAT32")
    main.op("WHILE", [x], [main.output("out", (1,), "FLOAT32")], cond_subgraph_index=1, body_subgraph_index=2)
    x = condition.input("x", (1,), "FLOAT32")
    condition.op("LESS", [x, condition.constant("ten", [10], "FLOAT32")], [condition.output("go", (1,), "BOOL")])
    x = body.input("x", (1,), "FLOAT32")
    body.op("ADD", [x, body.constant("one", [1], "FLOAT32")], [body.output("next", (1,), "FLOAT32")])
    return build(main, condition, body)


def call_once_model() -> bytes:
    """A resource variable, set to 3 by CALL_ONCE, to which each invocation adds its input."""
    main, init = Graph("main"), Graph("init")
    x = main.input("x", (1, 4), "FLOAT32")
    main.op("CALL_ONCE", [], [], init_subgraph_index=1)
    handle = _variable(main)
    before, after = main.tensor("before", (1, 4), "FLOAT32"), main.output("after", (1, 4), "FLOAT32")
    main.op("READ_VARIABLE", [handle], [before])
    main.op("ADD", [x, before], [after])
    main.op("ASSIGN_VARIABLE", [handle, after], [])
    init.op("ASSIGN_VARIABLE", [_variable(init), init.constant("three", [[3, 3, 3, 3]], "FLOAT32")], [])
    return build(main, init)


def _variable(g: Graph) -> int:
    handle = g.tensor("handle", (), "RESOURCE")
    g.op("VAR_HANDLE", [], [handle], container="", shared_name="state")
    return handle


def svdf_model() -> bytes:
    """An int8 SVDF whose state is a variable tensor, then RELU."""
    units, rank, memory, width = 4, 1, 3, 8
    filters = units * rank
    g = Graph()
    x = g.input("in", (1, width), scale=0.1)
    feature = g.constant("feature", weights(1, (filters, width)), scale=0.01)
    time = g.constant("time", weights(2, (filters, memory)), "INT16", scale=0.01)
    bias = g.constant("bias", weights(3, (units,)), "INT32", scale=0.01 * 0.02)
    state = g.tensor("state", (1, filters * memory), "INT16", scale=0.02, variable=True)
    y = g.tensor("svdf", (1, units), scale=0.01)
    g.op("SVDF", [x, feature, time, bias, state], [y], rank=rank)
    g.op("RELU", [y], [g.output("out", (1, units), scale=0.01)])
    return build(g)


def zero_dimension() -> bytes:
    """A tensor of no bytes beside the chain; nothing reads it."""
    g = Graph()
    x = g.input("in", (1, 16), scale=0.1)
    g.tensor("nothing", (0, 16), scale=0.1)
    g.op("RELU", [x], [g.output("out", (1, 16), scale=0.1)])
    return build(g)


def scalars() -> bytes:
    """Scalars with an empty shape, and one whose shape is absent."""
    g = Graph()
    a, b = g.input("a", (), "FLOAT32"), g.input("b", None, "FLOAT32")
    g.op("ADD", [a, b], [g.output("out", (), "FLOAT32")])
    return build(g)


def orphans() -> bytes:
    """Two tensors that nobody writes or reads: TFLM allocates them too."""
    g = Graph()
    x = g.input("in", (1, 16), scale=0.1)
    g.tensor("orphan/a", (1, 400), scale=0.1)
    g.op("RELU", [x], [g.output("out", (1, 16), scale=0.1)])
    g.tensor("orphan/b", (1, 256), scale=0.1)
    return build(g)


def dead_outputs() -> bytes:
    """A SPLIT of whose three outputs only the middle one is used."""
    g = Graph()
    x = g.input("in", (1, 12), "FLOAT32")
    parts = [g.tensor(f"part{index}", (1, 4), "FLOAT32") for index in range(3)]
    axis = g.constant("axis", 1, "INT32", shape=())
    g.op("SPLIT", [axis, x], parts, num_splits=3)
    g.op("NEG", [parts[1]], [g.output("out", (1, 4), "FLOAT32")])
    return build(g)


def shared_callee() -> bytes:
    """Two IFs that call the same two subgraphs, one after the other."""
    main = Graph("main")
    condition = main.input("condition", (1,), "BOOL")
    x = main.input("x", (1, 8), "FLOAT32")
    middle, out = main.tensor("middle", (1, 8), "FLOAT32"), main.output("out", (1, 8), "FLOAT32")
    main.op("IF", [condition, x], [middle], then_subgraph_index=1, else_subgraph_index=2)
    main.op("IF", [condition, middle], [out], then_subgraph_index=1, else_subgraph_index=2)
    return build(main, _unary("then", "NEG"), _unary("else", "ABS"))


def _unary(name: str, op: str) -> Graph:
    g = Graph(name)
    x = g.input("x", (1, 8), "FLOAT32")
    g.op(op, [x], [g.output("y", (1, 8), "FLOAT32")])
    return g


def custom_op() -> bytes:
    """A custom operator between two builtin ones. TFLM does not load it."""
    g = Graph()
    x = g.input("in", (1, 16), scale=0.1)
    a, b = (g.tensor(name, (1, 16), scale=0.1) for name in "ab")
    g.op("RELU", [x], [a])
    g.op("MyFilter", [a], [b], custom=True, custom_options=b"\x01\x02")
    g.op("RELU", [b], [g.output("out", (1, 16), scale=0.1)])
    return build(g)


def external_constant() -> bytes:
    """out = in + a constant that lies behind the flatbuffer. TFLM does not find it there."""
    g = Graph()
    x = g.input("in", (1, 4), "FLOAT32")
    c = g.constant("c", np.ones((1, 4)), "FLOAT32", external=True)
    g.op("ADD", [x, c], [g.output("out", (1, 4), "FLOAT32")])
    return build(g)


ALL = {
    function.__name__: function
    for function in (
        *(chain, residual, depthwise_cnn, if_model, while_model, call_once_model, svdf_model, zero_dimension, scalars),
        *(orphans, dead_outputs, shared_callee, custom_op, external_constant),
    )
}
"""Every one of them by name."""
