"""A small int8 network whose parts can be chosen, for tests of what a change of the model does to its plan."""

from __future__ import annotations

from tests.support.model_builder import Graph, build, weights

SAME, VALID = 0, 1


def convnet(
    channels: int = 8,
    size: int = 12,
    *,
    padded: bool = False,
    front: bool = False,
    relu: bool = False,
    prefix: str = "",
    orphan: int = 0,
) -> bytes:
    """image → conv → CONV_2D 'wide' of so many channels → 'narrow' → MEAN → 'out'.

    `padded`: a PAD of one pixel stands before `wide`, which is then VALID. `front`: a RELU stands before all others.
    `relu`: `wide` is followed by a RELU of its own. `prefix` stands before the names. `orphan`: bytes of a tensor that
    nobody uses.
    """  # fmt: skip
    g = Graph()
    x = g.input(f"{prefix}image", (1, size, size, 4), scale=0.1)
    if front:
        raw, x = x, g.tensor(f"{prefix}front", (1, size, size, 4), scale=0.1)
        g.op("RELU", [raw], [x])
    x = _conv(g, f"{prefix}first", x, (1, size, size, 4), 4, 4)
    shape = (1, size, size, channels)
    if padded:
        pads = g.constant("pads", [[0, 0], [1, 1], [1, 1], [0, 0]], "INT32")
        inner, x = x, g.tensor(f"{prefix}padded", (1, size + 2, size + 2, 4), scale=0.1)
        g.op("PAD", [inner, pads], [x])
    x = _conv(g, f"{prefix}wide", x, shape, 4, channels, padding=VALID if padded else SAME)
    if relu:
        before, x = x, g.tensor(f"{prefix}relu", shape, scale=0.1)
        g.op("RELU", [before], [x])
    x = _conv(g, f"{prefix}narrow", x, (1, size, size, 2), channels, 2)
    if orphan:
        g.tensor("orphan", (1, orphan), scale=0.1)
    g.op("MEAN", [x, g.constant("axes", [1, 2], "INT32")], [g.output("out", (1, 2), scale=0.1)], keep_dims=False)
    return build(g)


def _conv(g: Graph, name: str, x: int, shape: tuple[int, ...], inside: int, channels: int, padding: int = SAME) -> int:
    kernel = g.constant(f"{name}/kernel", weights(1, (channels, 3, 3, inside)), scale=[0.1] * channels)
    bias = g.constant(f"{name}/bias", [0] * channels, "INT32", scale=[0.01] * channels)
    y = g.tensor(name, shape, scale=0.1)
    g.op("CONV_2D", [x, kernel, bias], [y], padding=padding, stride_w=1, stride_h=1, dilation_w_factor=1,
         dilation_h_factor=1, fused_activation_function=0)  # fmt: skip
    return y
