"""TFLM's audio front end, one operator a case; numbers of 32 and 64 bits are constants: see `kernel_cases`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from flatbuffers import flexbuffers

from tests.firmware.kernel_cases import Case, Draw
from tests.support.model_builder import Graph, weights

STORED = {"INT16": "<i2", "UINT32": "<u4", "UINT64": "<u8"}
INT16 = 7
"""Of the schema's tensor types: what SignalRfft's option T says."""


def constant(g: Graph, name: str, values: Sequence[int] | np.ndarray, dtype: str) -> int:
    array = np.asarray(values).astype(STORED[dtype])
    return g.tensor(name, array.shape, dtype, data=array.tobytes())


def sizes(draw: Draw, count: int, bits: int) -> np.ndarray:
    """Numbers of any length up to so many bits, with the ends and their neighbours among them."""
    drawn = [int(draw.random() * (1 << draw.whole(0, bits))) for _ in range(count)]
    edges = [0, 1, 2, 3, 4, (1 << bits) - 1, (1 << bits) - 2, 1 << (bits - 1)]
    return np.array([*edges, *drawn][:count], object)


def signal(g: Graph, operator: str, inputs: Sequence[int], outputs: Sequence[int], **options: int | bool) -> None:
    g.op(operator, inputs, outputs, custom=True, custom_options=bytes(flexbuffers.Dumps(options)) if options else b"")


def window(rows: int, size: int, shift: int) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        x = g.input(f"{name}/in", (rows, size), "INT16")
        by = constant(g, f"{name}/weights", weights(draw.whole(0, 10**6), (size,), -32768, 32767), "INT16")
        signal(g, "SignalWindow", [x, by], [g.output(f"{name}/out", (rows, size), "INT16")], shift=shift)

    return Case(f"window {rows} of {size} shift {shift}", add)


def auto_scale(largest: int) -> Case:
    """Samples that are that large at most; 0 for an input."""

    def add(g: Graph, draw: Draw, name: str) -> None:
        values = weights(draw.whole(0, 10**6), (60,), -largest, largest)
        x = constant(g, f"{name}/in", values, "INT16") if largest else g.input(f"{name}/in", (60,), "INT16")
        outputs = [g.output(f"{name}/out", (60,), "INT16"), g.output(f"{name}/bits", (), "INT32")]
        signal(g, "SignalFftAutoScale", [x], outputs)

    return Case(f"auto scale {largest}", add)


def rfft(length: int, size: int, rows: int = 1) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        shape = (size,) if rows == 1 else (rows, size)
        x = g.input(f"{name}/in", shape, "INT16")
        y = g.output(f"{name}/out", (*shape[:-1], length + 2), "INT16")
        signal(g, "SignalRfft", [x], [y], T=INT16, fft_length=length)

    return Case(f"rfft {length} of {size}", add)


def energy(bins: int, first: int, end: int) -> Case:
    """All bins: TFLM leaves others as they are, and nobody knows what its arena held."""

    def add(g: Graph, draw: Draw, name: str) -> None:
        x = g.input(f"{name}/in", (2 * bins,), "INT16")
        signal(g, "SignalEnergy", [x], [g.output(f"{name}/out", (bins,), "UINT32")], start_index=first, end_index=end)

    return Case(f"energy {first} to {end} of {bins}", add)


def filter_bank(channels: int, bins: int) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        widths = [draw.whole(0, 4) for _ in range(channels + 1)]
        firsts = [draw.whole(0, bins - width) for width in widths]
        starts = [sum(widths[:at]) for at in range(channels + 1)]
        count = sum(widths) + 1
        rising = weights(draw.whole(0, 10**6), (count,), 0, 4096)
        inputs = [constant(g, f"{name}/in", sizes(draw, bins, 32), "UINT32")]
        parts = {"rising": rising, "falling": 4096 - rising, "bins": firsts, "starts": starts, "widths": widths}
        inputs += [constant(g, f"{name}/{part}", values, "INT16") for part, values in parts.items()]
        signal(g, "SignalFilterBank", inputs, [g.output(f"{name}/out", (channels,), "UINT64")], num_channels=channels)

    return Case(f"filter bank {channels} of {bins}", add)


def square_root(bits: int, shift: int) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        x = constant(g, f"{name}/in", sizes(draw, 60, bits), "UINT64")
        by = g.constant(f"{name}/shift", shift, "INT32", shape=())
        signal(g, "SignalFilterBankSquareRoot", [x, by], [g.output(f"{name}/out", (60,), "UINT32")])

    return Case(f"square root {bits} bits", add)


def subtraction(clamping: bool, bits: int) -> Case:
    """The estimate goes from one invocation to the next."""

    def add(g: Graph, draw: Draw, name: str) -> None:
        x = constant(g, f"{name}/in", sizes(draw, 30, bits), "UINT32")
        outputs = [g.output(f"{name}/{part}", (30,), "UINT32") for part in ("out", "noise")]
        whole, smoothing, alternate = 1 << 14, draw.whole(100, 3000), draw.whole(100, 3000)
        options = {"smoothing": smoothing, "one_minus_smoothing": whole - smoothing, "alternate_smoothing": alternate}
        options |= {"alternate_one_minus_smoothing": whole - alternate, "smoothing_bits": 10, "num_channels": 30}
        options |= {"min_signal_remaining": draw.whole(100, 3000), "spectral_subtraction_bits": 14}
        signal(g, "SignalFilterBankSpectralSubtraction", [x], outputs, clamping=clamping, **options)

    return Case(f"spectral subtraction {bits} bits", add)


def pcan(shift: int) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        x, noise = (constant(g, f"{name}/{part}", sizes(draw, 60, 32), "UINT32") for part in ("in", "noise"))
        gains = constant(g, f"{name}/gains", weights(draw.whole(0, 10**6), (125,), -3000, 3000), "INT16")
        signal(g, "SignalPCAN", [x, noise, gains], [g.output(f"{name}/out", (60,), "UINT32")], snr_shift=shift)

    return Case(f"pcan {shift}", add)


def logarithm(bits: int, correction: int, scale: int) -> Case:
    def add(g: Graph, draw: Draw, name: str) -> None:
        x = constant(g, f"{name}/in", sizes(draw, 80, bits), "UINT32")
        options = {"input_correction_bits": correction, "output_scale": scale}
        signal(g, "SignalFilterBankLog", [x], [g.output(f"{name}/out", (80,), "INT16")], **options)

    return Case(f"log {bits} bits", add)


SIGNALS = (
    *(window(rows, size, shift) for rows, size, shift in ((1, 480, 12), (3, 17, 15), (2, 5, 8))),
    *(auto_scale(largest) for largest in (0, 1, 2, 100, 5000, 16384, 32767)),
    *(
        rfft(length, size)
        for length, size in ((4, 4), (8, 7), (16, 16), (64, 50), (128, 128), (512, 480), (1024, 1001))
    ),
    rfft(32, 30, rows=3),
    *(energy(bins, first, end) for bins, first, end in ((9, 0, 9), (33, 0, 33))),
    *(filter_bank(channels, bins) for channels, bins in ((1, 5), (7, 30), (40, 257))),
    *(square_root(bits, shift) for bits, shift in ((16, 0), (32, 1), (33, 0), (48, 3), (64, 0), (64, 15))),
    *(subtraction(clamping, bits) for clamping in (False, True) for bits in (16, 22)),
    *(pcan(shift) for shift in (0, 6, 12)),
    *(logarithm(bits, correction, scale) for bits, correction, scale in ((16, 3, 64), (32, 0, 1600), (8, 0, 65536))),
)

GROUPS: dict[str, tuple[Case, ...]] = {"signals": SIGNALS}
