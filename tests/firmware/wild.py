"""Models that no converter would make: any shape of graph, control flow nested and shared, sizes from 1 byte up."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.support.models import Graph, build

Ports = tuple[tuple[int, ...], tuple[int, ...]]
"""Bytes of each input and of each output of a subgraph."""

MOST_SUBGRAPHS = 7


class _Maker:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed).random
        self.graphs: list[Graph | None] = [None]
        self.finished: dict[tuple[Ports, bool], list[int]] = {}

    def below(self, limit: int) -> int:
        return int(self.random() * limit)

    def size(self) -> int:
        return (1, 3, 16, 17, 31, 48, 64, 100, 160)[self.below(9)]

    def callee(self, inputs: tuple[int, ...], outputs: tuple[int, ...], depth: int, is_condition: bool = False) -> int:
        """A subgraph with these ports: one that is there already, or a new one. Calls never form a circle."""
        key = ((inputs, outputs), is_condition)
        if self.finished.get(key) and self.random() < 0.5:
            return self.finished[key][self.below(len(self.finished[key]))]
        index = len(self.graphs)
        self.graphs.append(None)
        self.graphs[index] = self.graph(index, inputs, outputs, depth, is_condition)
        self.finished.setdefault(key, []).append(index)
        return index

    def graph(
        self, index: int, inputs: Sequence[int], outputs: Sequence[int], depth: int, is_condition: bool = False
    ) -> Graph:
        g = Graph(f"graph{index}")
        known = [(g.input(f"g{index}/in{k}", (size,)), size) for k, size in enumerate(inputs)]
        for number in range(1 + self.below(5)):
            self.operator(g, index, number, known, depth)
        for k, size in enumerate(outputs):
            out = g.output(f"g{index}/out{k}", (1,) if is_condition else (size,), "BOOL" if is_condition else "INT8")
            g.op("Work", self.some(known), [out], custom=True)
        if self.random() < 0.3:
            g.tensor(f"g{index}/orphan", (self.size(),))
        return g

    def some(self, known: list[tuple[int, int]]) -> list[int]:
        return [known[self.below(len(known))][0] for _ in range(1 + self.below(3))] if known else [-1]

    def operator(self, g: Graph, index: int, number: int, known: list[tuple[int, int]], depth: int) -> None:
        name = f"g{index}/t{number}"
        room = depth > 0 and len(self.graphs) < MOST_SUBGRAPHS
        kind = self.random() if room else 1.0
        if kind < 0.2 and known:
            chosen = [known[self.below(len(known))] for _ in range(1 + self.below(2))]
            sizes = tuple(size for _, size in chosen)
            results = [(g.tensor(f"{name}/{k}", (size,)), size) for k, size in enumerate(sizes)]
            condition = self.callee(sizes, (1,), depth - 1, is_condition=True)
            body = self.callee(sizes, sizes, depth - 1)
            g.op(
                "WHILE",
                [t for t, _ in chosen],
                [t for t, _ in results],
                cond_subgraph_index=condition,
                body_subgraph_index=body,
            )
        elif kind < 0.4 and known:
            chosen = [known[self.below(len(known))] for _ in range(self.below(3))]
            ports = tuple(size for _, size in chosen), tuple(self.size() for _ in range(1 + self.below(2)))
            results = [(g.tensor(f"{name}/{k}", (size,)), size) for k, size in enumerate(ports[1])]
            flag = g.tensor(f"{name}/flag", (1,), "BOOL")
            g.op("Work", self.some(known), [flag], custom=True)
            g.op(
                "IF",
                [flag, *(t for t, _ in chosen)],
                [t for t, _ in results],
                then_subgraph_index=self.callee(*ports, depth - 1),
                else_subgraph_index=self.callee(*ports, depth - 1),
            )
        elif kind < 0.5:
            g.op("CALL_ONCE", [], [], init_subgraph_index=self.callee((), (), depth - 1))
            return
        else:
            sizes = [self.size() for _ in range(1 + self.below(2))]
            results = [(g.tensor(f"{name}/{k}", (size,)), size) for k, size in enumerate(sizes)]
            g.op(
                "Work",
                [*self.some(known), *([-1] if self.random() < 0.2 else [])],
                [t for t, _ in results],
                custom=True,
            )
        known.extend(results)


def wild_model(seed: int) -> bytes:
    """A model of up to MOST_SUBGRAPHS subgraphs (a few more where the last ones need callees)."""
    maker = _Maker(seed)
    inputs = [maker.size() for _ in range(1 + maker.below(3))]
    outputs = [maker.size() for _ in range(1 + maker.below(2))]
    maker.graphs[0] = maker.graph(0, inputs, outputs, depth=3)
    return build(*(graph for graph in maker.graphs if graph is not None))
