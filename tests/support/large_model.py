"""A model of hundreds of operators, for tests of what must stay legible and fast."""

from __future__ import annotations

from tests.support.model_builder import Graph, build


def large_model(operators: int = 700) -> bytes:
    """Blocks of seven operators that end in an ADD with the block's input; sizes shrink from block to block."""
    g = Graph()
    last = skip = g.input("image", (1, 32, 32, 8), scale=0.1)
    height = 32
    for index in range(operators):
        block = index // 7
        if index % 7 == 6:
            out = g.tensor(f"block_{block}/add", (1, height, 32, 8), scale=0.1)
            g.op("ADD", [last, skip], [out])
            skip = out
        else:
            out = g.tensor(f"block_{block}/stage_{index % 7}/Relu", (1, height, 32, 8), scale=0.1)
            g.op("ABS" if index % 2 else "NEG", [last], [out])
        last = out
    g.outputs = [last]
    return build(g)
