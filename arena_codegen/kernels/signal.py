"""TFLM's own custom operators: audio front end, circular buffer, detection post-processing.

F2. Read from signal/micro/kernels and tensorflow/lite/micro/kernels of TFLM 90b983c2; their options are FlexBuffers.
The signal library's FFT keeps a kissfft configuration: kiss_fftr_alloc of kissfft v130.
"""

from __future__ import annotations

from types import MappingProxyType

from arena_codegen.kernels.call import Call, Unknown, dim, dims, elements, width
from arena_codegen.kernels.steps import INT, Formula
from arena_codegen.model.flexbuffer import read_numbers

_FFT_WIDTHS = {"INT16": 2, "INT32": 4, "FLOAT32": 4}
_CIRCULAR_BUFFER = 24
"""sizeof(tflm_signal::CircularBuffer)."""
_MOST_CHANNELS = 4096
"""A shape that says more is a fault of the file, not an audio signal."""


def option(call: Call, name: str) -> int:
    """A number among the custom options, not negative."""
    value = read_numbers(call.operator.custom_options).get(name, -1)
    if value < 0:
        raise Unknown(f"no custom option {name}")
    return value


def fft_width(call: Call, position: int = 0) -> int:
    """Bytes of one sample; the kernel's type is that of its tensors (rfft.cc, irfft.cc check it)."""
    size = _FFT_WIDTHS.get(call.input(position).dtype.name)
    if size is None:
        raise Unknown(f"an FFT of {call.input(position).dtype.name}")
    return size


def fft_state(call: Call) -> int:
    """kiss_fftr_state 12 and kiss_fft_state 264 bytes, then complex samples: n and 3n/2, for n of half the length."""
    length = option(call, "fft_length")
    if length < 2 or length % 2:
        raise Unknown(f"an FFT of length {length}")
    half = length // 2
    return 12 + 264 + 2 * fft_width(call) * (half + half * 3 // 2)


def rfft_state(call: Call) -> tuple[int, ...]:
    return (fft_state(call),)


def irfft_state(call: Call) -> tuple[int, ...]:
    """For floats, the length and a pointer in front (irfft_float.cc)."""
    return (fft_state(call) + 8 * (call.input(0).dtype.name == "FLOAT32"),)


def rfft_work(call: Call) -> tuple[int, ...]:
    return (option(call, "fft_length") * fft_width(call),)


def filter_bank(call: Call) -> tuple[int, ...]:
    return (8 * (option(call, "num_channels") + 1),)


def noise_estimate(call: Call) -> tuple[int, ...]:
    return (INT * option(call, "num_channels"),)


def circular(capacity: int) -> int:
    """CircularBufferGetNeededMemory: twice the capacity, in int16 (circular_buffer.cc)."""
    return _CIRCULAR_BUFFER + 4 * capacity


def stacker(call: Call) -> tuple[int, ...]:
    frames = option(call, "stacker_left_context") + option(call, "stacker_right_context") + 1
    return (circular(option(call, "num_channels") * frames),)


def _outer(call: Call, inner: int) -> int:
    """How many frames of `inner` elements the input holds."""
    outer = elements(call.input(0)) // inner if inner > 0 else 0
    if not 0 < outer <= _MOST_CHANNELS:
        raise Unknown(f"{outer} channels")
    return outer


def delay(call: Call) -> tuple[int, ...]:
    """Two arrays of pointers, then a buffer a channel (delay.cc)."""
    frame = dim(call.input(0), -1)
    outer = _outer(call, frame)
    return (INT * outer, INT * outer) + (circular(frame + option(call, "delay_length")),) * outer


def framer(call: Call) -> tuple[int, ...]:
    """Two arrays of pointers, then a buffer a channel that holds whole steps (framer.cc)."""
    size, step = option(call, "frame_size"), option(call, "frame_step")
    if step < 1:
        raise Unknown("frame_step 0")
    outer = _outer(call, dim(call.input(0), -1))
    return (INT * outer, INT * outer) + (circular(-(-size // step) * step),) * outer


def overlap_add(call: Call) -> tuple[int, ...]:
    """An array of pointers, then a frame a channel (overlap_add.cc)."""
    frame = dim(call.input(0), -1)
    outer = _outer(call, frame * dim(call.input(0), -2))
    return (INT * outer,) + (frame * width(call.input(0)),) * outer


def detections(call: Call) -> tuple[int, ...]:
    """Eleven buffers over all boxes (detection_postprocess.cc)."""
    boxes = dim(call.input(0), 1)
    scores = dims(call.input(1), 3)[1] * dims(call.input(1), 3)[2]
    most, classes = option(call, "max_detections"), option(call, "num_classes")
    ranked = INT * most * boxes
    return (
        *(boxes, 16 * boxes, INT * scores, INT * boxes, INT * boxes, ranked, ranked, INT * boxes, ranked),
        *(INT * max(classes, most) * boxes, INT * min(boxes, most) * boxes),
    )


def decode(call: Call) -> tuple[int, ...]:
    """What TFLM_DECODE keeps depends on its compressed data; it needs no scratch (decode.cc)."""
    raise Unknown("what TFLM_DECODE keeps depends on its data")


PREPARE = MappingProxyType(
    {
        "CIRCULAR_BUFFER": "i0 o0",
        "SignalDelay": "i0 o0 P.delay",
        "SignalEnergy": "i0 o0",
        "SignalFftAutoScale": "i0 o0 o1",
        "SignalFilterBank": "i0 i1 i2 i3 i4 i5 o0",
        "SignalFilterBankLog": "i0 o0",
        "SignalFilterBankSpectralSubtraction": "i0 o0 o1",
        "SignalFilterBankSquareRoot": "i0 i1 o0",
        "SignalFramer": "i0 o0 o1 P.framer",
        "SignalIrfft": "i0 o0",
        "SignalOverlapAdd": "i0 o0 P.overlap_add",
        "SignalPCAN": "i0 i1 i2 o0",
        "SignalRfft": "i0 o0 S.rfft_work",
        "SignalStacker": "i0 o0 o1",
        "SignalWindow": "i0 i1 o0",
        "TFLM_DECODE": "P.decode",
        "TFLite_Detection_PostProcess": "i0 i1 i2 S.detections",
    }
)

INIT = MappingProxyType(
    {
        "SignalFilterBank": "P.filter_bank",
        "SignalFilterBankSpectralSubtraction": "P.noise_estimate",
        "SignalIrfft": "P.irfft_state",
        "SignalRfft": "P.rfft_state",
        "SignalStacker": "P.stacker",
    }
)

FORMULAS: MappingProxyType[str, Formula] = MappingProxyType(
    {
        "decode": decode,
        "delay": delay,
        "detections": detections,
        "filter_bank": filter_bank,
        "framer": framer,
        "irfft_state": irfft_state,
        "noise_estimate": noise_estimate,
        "overlap_add": overlap_add,
        "rfft_state": rfft_state,
        "rfft_work": rfft_work,
        "stacker": stacker,
    }
)

OP_DATA = MappingProxyType(
    {
        "CIRCULAR_BUFFER": 8,
        "SignalDelay": 20,
        "SignalEnergy": 8,
        "SignalFilterBank": 36,
        "SignalFilterBankLog": 8,
        "SignalFilterBankSpectralSubtraction": 44,
        "SignalFramer": 28,
        "SignalIrfft": 24,
        "SignalOverlapAdd": 24,
        "SignalPCAN": 4,
        "SignalRfft": 32,
        "SignalStacker": 36,
        "SignalWindow": 8,
        "TFLite_Detection_PostProcess": 112,
    }
)
