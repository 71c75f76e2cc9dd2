"""TFLM's audio front end: window, FFT, energy, filter bank, noise, gain, logarithm. Its options are FlexBuffers.

F3. Sources: TFLM's signal/micro/kernels and signal/src; for the FFT in fixed point kissfft's kiss_fft.c, kiss_fftr.c.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable

from arena_codegen.inference.call import KernelCall, Table, Unsupported
from arena_codegen.kernels.call import Call
from arena_codegen.kernels.signal import option
from arena_codegen.model.types import Tensor

LARGEST = 32767
GAINS = 125
"""Entries of PCAN's table that a number of 32 bits may reach."""
LOG_SEGMENTS = 128


def window(call: Call) -> KernelCall:
    source, weights = call.input(0), call.input(1)
    _need(source, "INT16")
    if source.elements % weights.elements:
        raise Unsupported(f"{source.elements} samples by {weights.elements} weights")
    params = {"rows": source.elements // weights.elements, "size": weights.elements, "shift": option(call, "shift")}
    return KernelCall("signal_window", params)


def fft_auto_scale(call: Call) -> KernelCall:
    _need(call.input(0), "INT16")
    return KernelCall("signal_fft_auto_scale", {"count": call.output().elements})


def rfft(call: Call) -> KernelCall:
    """An FFT of half the length, of pairs of samples as complex numbers, in stages of 4 and 2."""
    source, length = call.input(0), option(call, "fft_length")
    _need(source, "INT16")
    half = length // 2
    if half < 2 or half & (half - 1) or length % 2:
        raise Unsupported(f"an FFT of {length}, which is no power of two from 4 up")
    size = source.shape[-1] if source.shape else 1
    if size > length or call.output().shape[-1:] != (length + 2,):
        raise Unsupported(f"{size} samples into {list(call.output().shape)}")
    stages = _radices(half)
    params = {
        **{"rows": source.elements // size, "size": size, "half": half},
        "stages": len(stages),
        "radices": Table("int32_t", stages),
        "order": Table("uint16_t", _order(half, stages)),
        "twiddles": Table("int16_t", _rotations(-2 * math.pi * at / half for at in range(half))),
        "last_twiddles": Table("int16_t", _rotations(-math.pi * ((at + 1) / half + 0.5) for at in range(half // 2))),
    }
    return KernelCall("signal_rfft", params, scratch=1)


def _radices(size: int) -> list[int]:
    """kf_factor: fours, then a two; the outermost stage first."""
    radices = []
    while size > 1:
        radices.append(4 if size % 4 == 0 else 2)
        size //= radices[-1]
    return radices


def _order(size: int, radices: list[int]) -> list[int]:
    """Which input stands where before the first stage: the digits of its position in reverse."""
    order = []
    for place in range(size):
        index, stride, rest, width = 0, 1, place, size
        for radix in radices:
            width //= radix
            index += rest // width * stride
            rest, stride = rest % width, stride * radix
        order.append(index)
    return order


def _rotations(phases: Iterable[float]) -> list[int]:
    """Real and imaginary parts in turn, in units of 1/32767."""
    parts = []
    for phase in phases:
        parts += [math.floor(0.5 + LARGEST * math.cos(phase)), math.floor(0.5 + LARGEST * math.sin(phase))]
    return parts


def energy(call: Call) -> KernelCall:
    source, output = call.input(0), call.output()
    _need(source, "INT16")
    first, end = option(call, "start_index"), option(call, "end_index")
    if not first <= end <= min(output.elements, source.elements // 2):
        raise Unsupported(f"bins {first} to {end} of {source.elements // 2}")
    return KernelCall("signal_energy", {"first": first, "end": end, "count": output.elements})


def filter_bank(call: Call) -> KernelCall:
    channels, output = option(call, "num_channels"), call.output()
    _need(call.input(0), "UINT32")
    if channels != output.elements:
        raise Unsupported(f"{channels} channels into {output.elements}")
    first_bins, first_weights, widths = (_shorts(call.input(position)) for position in (3, 4, 5))
    if min(map(len, (first_bins, first_weights, widths))) <= channels:
        raise Unsupported(f"no bounds for {channels} channels")
    most = min(call.input(1).elements, call.input(2).elements)
    for at in range(channels + 1):
        ends = first_bins[at] + widths[at], first_weights[at] + widths[at]
        is_inside = (
            min(first_bins[at], first_weights[at]) >= 0 and ends[0] <= call.input(0).elements and ends[1] <= most
        )
        if widths[at] > 0 and not is_inside:
            raise Unsupported(f"channel {at} reaches beyond its input or its weights")
    return KernelCall("signal_filter_bank", {"channels": channels})


def filter_bank_square_root(call: Call) -> KernelCall:
    _need(call.input(0), "UINT64")
    return KernelCall("signal_filter_bank_square_root", {"count": call.output().elements})


def filter_bank_spectral_subtraction(call: Call) -> KernelCall:
    """The estimate of the noise goes from one invocation to the next; alternate values are for odd channels."""
    _need(call.input(0), "UINT32")
    names = ("smoothing", "alternate_smoothing", "one_minus_smoothing", "alternate_one_minus_smoothing")
    numbers = (*names, "smoothing_bits", "min_signal_remaining", "spectral_subtraction_bits")
    channels = option(call, "num_channels")
    if not channels == call.output(0).elements == call.output(1).elements:
        raise Unsupported(f"{channels} channels into {call.output(0).elements}")
    params = {
        "channels": channels,
        "clamps": int(option(call, "clamping") != 0),
        **{name: option(call, name) for name in numbers},
    }
    return KernelCall("signal_filter_bank_spectral_subtraction", params, kept=4 * channels)


def pcan(call: Call) -> KernelCall:
    _need(call.input(0), "UINT32")
    if call.input(2).elements < GAINS:
        raise Unsupported(f"a table of {call.input(2).elements} gains, not {GAINS}")
    return KernelCall("signal_pcan", {"count": call.output().elements, "shift": option(call, "snr_shift")})


def filter_bank_log(call: Call) -> KernelCall:
    """The table is 65536 (log2(1 + x) − x) for x from 0 to 1."""
    _need(call.input(0), "UINT32")
    bends = [round(65536 * (math.log2(1 + at / LOG_SEGMENTS) - at / LOG_SEGMENTS)) for at in range(LOG_SEGMENTS + 1)]
    params = {
        "count": call.output().elements,
        "input_shift": option(call, "input_correction_bits"),
        "output_scale": option(call, "output_scale"),
        "bends": Table("uint16_t", bends),
    }
    return KernelCall("signal_filter_bank_log", params)


def _need(tensor: Tensor, kind: str) -> None:
    if tensor.dtype.name != kind:
        raise Unsupported(f"{tensor.dtype.name} instead of {kind}")


def _shorts(tensor: Tensor) -> tuple[int, ...]:
    if tensor.data is None or tensor.dtype.name != "INT16":
        raise Unsupported(f"{tensor.label} is not constant")
    return struct.unpack(f"<{tensor.elements}h", tensor.data)
