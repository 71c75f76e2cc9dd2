"""Kernels that compute nothing and write down which bytes they read and write, in order.

Each is the loops of the function that it names, element by element, for tensors that begin at byte 0 of their own. They
are what distances are held against; nothing of the package is used here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Event = tuple[str, int, int, int]
"""("read", input byte, 0, count), ("write", 0, output byte, count), or ("copy", from, to, count) by memcpy."""


def clobbers(events: list[Event], distance: int) -> bool:
    """True where an input `distance` bytes above the output loses a byte before its last read.

    memcpy may not copy to bytes that it copies from: which of them it reads first is not said.
    """
    last: dict[int, int] = {}
    for when, (kind, source, _, count) in enumerate(events):
        if kind != "write":
            last.update(dict.fromkeys(range(source + distance, source + distance + count), when))
    for when, (kind, _, target, count) in enumerate(events):
        if kind != "read":
            latest = when if kind == "copy" else when + 1
            if any(last.get(byte, -1) >= latest for byte in range(target, target + count)):
                return True
    return False


@dataclass(frozen=True)
class Windows:
    """A window that moves over an image, the padding in front, and bytes of an element before and after."""

    batch: int
    in_h: int
    in_w: int
    in_ch: int
    out_h: int
    out_w: int
    out_ch: int
    kernel_h: int
    kernel_w: int
    stride_h: int
    stride_w: int
    dilation_h: int = 1
    dilation_w: int = 1
    pad_h: int = 0
    pad_w: int = 0
    size: int = 1

    def pixels(self, batch: int) -> Iterator[tuple[int, int, int]]:
        """(number of the output pixel, y, x) in order."""
        for y in range(self.out_h):
            for x in range(self.out_w):
                yield (batch * self.out_h + y) * self.out_w + x, y, x

    def taps(self, batch: int, y: int, x: int) -> Iterator[int]:
        """Numbers of the input pixels that a window has inside the image."""
        for kernel_y in range(self.kernel_h):
            for kernel_x in range(self.kernel_w):
                in_y = y * self.stride_h - self.pad_h + kernel_y * self.dilation_h
                in_x = x * self.stride_w - self.pad_w + kernel_x * self.dilation_w
                if 0 <= in_y < self.in_h and 0 <= in_x < self.in_w:
                    yield (batch * self.in_h + in_y) * self.in_w + in_x

    def read(self, pixel: int, channel: int, count: int = 1) -> Event:
        return ("read", (pixel * self.in_ch + channel) * self.size, 0, count * self.size)

    def write(self, pixel: int, channel: int, count: int = 1) -> Event:
        return ("write", 0, (pixel * self.out_ch + channel) * self.size, count * self.size)


def conv_reference(w: Windows, groups: int = 1) -> Iterator[Event]:
    """reference_integer_ops::ConvPerChannel, reference_ops::Conv."""
    read, written = w.in_ch // groups, w.out_ch // groups
    for batch in range(w.batch):
        for pixel, y, x in w.pixels(batch):
            for channel in range(w.out_ch):
                for tap in w.taps(batch, y, x):
                    for depth in range(read):
                        yield w.read(tap, channel // written * read + depth)
                yield w.write(pixel, channel)


def depthwise_reference(w: Windows) -> Iterator[Event]:
    """reference_integer_ops::DepthwiseConvPerChannel; a pool with as many channels before as after."""
    multiplier = w.out_ch // w.in_ch
    for batch in range(w.batch):
        for pixel, y, x in w.pixels(batch):
            for channel in range(w.out_ch):
                for tap in w.taps(batch, y, x):
                    yield w.read(tap, channel // multiplier)
                yield w.write(pixel, channel)


def conv_unfolded(w: Windows, pixels: int) -> Iterator[Event]:
    """arm_convolve_s8, arm_convolve_s16: im2col of some pixels, then their outputs; leftovers at a batch's end."""
    for batch in range(w.batch):
        waiting: list[int] = []
        for pixel, y, x in w.pixels(batch):
            for tap in w.taps(batch, y, x):
                yield w.read(tap, 0, w.in_ch)
            waiting.append(pixel)
            if len(waiting) == pixels or pixel == (batch + 1) * w.out_h * w.out_w - 1:
                for channel in range(w.out_ch):
                    for number in waiting:
                        yield w.write(number, channel)
                waiting = []


def conv_by_rows(w: Windows) -> Iterator[Event]:
    """arm_convolve_1x1_s8: arm_nn_mat_mult_nt_t_s8 for every row, two channels by two pixels."""
    for batch in range(w.batch):
        for y in range(w.out_h):
            row = (batch * w.out_h + y) * w.out_w
            source = (batch * w.in_h + y * w.stride_h) * w.in_w
            for channel in range(0, w.out_ch - 1, 2):
                for x in range(0, w.out_w, 2):
                    both = [column for column in (x, x + 1) if column < w.out_w]
                    for depth in range(w.in_ch):
                        for column in both:
                            yield w.read(source + column * w.stride_w, depth)
                    for column in both:
                        yield w.write(row + column, channel, 2)
            if w.out_ch % 2:
                for x in range(w.out_w):
                    yield w.read(source + x * w.stride_w, 0, w.in_ch)
                    yield w.write(row + x, w.out_ch - 1)


def depthwise_3x3(w: Windows) -> Iterator[Event]:
    """arm_depthwise_conv_3x3_s8: four channels at once, then the others one by one."""
    for pixel, y, x in w.pixels(0):
        channel = 0
        while channel < w.in_ch:
            count = 4 if channel <= w.in_ch - 4 else 1
            for tap in w.taps(0, y, x):
                yield w.read(tap, channel, count)
            for number in range(count):
                yield w.write(pixel, channel + number)
            channel += count


def depthwise_opt(w: Windows) -> Iterator[Event]:
    """arm_depthwise_conv_s8_opt with the DSP extension, arm_avgpool_s8: a pixel's window, then the pixel."""
    for batch in range(w.batch):
        for pixel, y, x in w.pixels(batch):
            for tap in w.taps(batch, y, x):
                yield w.read(tap, 0, w.in_ch)
            for channel in range(w.out_ch):
                yield w.write(pixel, channel)


def depthwise_mult_4(w: Windows) -> Iterator[Event]:
    """depthwise_conv_s8_mult_4: four output channels of one input channel at once."""
    multiplier = w.out_ch // w.in_ch
    for pixel, y, x in w.pixels(0):
        for channel in range(w.in_ch):
            for tile in range(0, multiplier, 4):
                for tap in w.taps(0, y, x):
                    yield w.read(tap, channel)
                yield w.write(pixel, channel * multiplier + tile, 4)


def max_pool(w: Windows) -> Iterator[Event]:
    """arm_max_pool_s8: memcpy of the first tap to the pixel's place, then the larger of that and each other tap."""
    for batch in range(w.batch):
        for pixel, y, x in w.pixels(batch):
            place = pixel * w.out_ch * w.size
            for number, tap in enumerate(w.taps(batch, y, x)):
                source = tap * w.in_ch * w.size
                if number == 0:
                    yield ("copy", source, place, w.in_ch * w.size)
                    continue
                for channel in range(w.in_ch):
                    yield w.read(tap, channel)
                    yield w.write(pixel, channel)
        yield ("write", 0, batch * w.out_h * w.out_w * w.out_ch * w.size, w.out_h * w.out_w * w.out_ch * w.size)


def elements(count: int, before: int, after: int, at_once: int = 1) -> Iterator[Event]:
    """One output element for each input element, `at_once` of them at a time (arm_elementwise_add_s8: four)."""
    for start in range(0, count, at_once):
        some = min(at_once, count - start)
        yield ("read", start * before, 0, some * before)
        yield ("write", 0, start * after, some * after)


def softmax(rows: int, width: int, before: int, after: int) -> Iterator[Event]:
    """arm_nn_softmax_common_s8, reference_ops::Softmax: maximum, sum, then element by element, row by row."""
    for row in range(rows):
        start = row * width
        for _ in ("maximum", "sum"):
            yield ("read", start * before, 0, width * before)
        for column in range(width):
            yield ("read", (start + column) * before, 0, before)
            yield ("write", 0, (start + column) * after, after)


def svdf(inputs: int, filters: int, outputs: int) -> Iterator[Event]:
    """EvalIntegerSvdfReference: every filter reads the input, into the state; outputs come from a scratch buffer."""
    for _ in range(filters):
        yield from (("read", number, 0, 1) for number in range(inputs))
    yield from (("write", 0, number, 1) for number in range(outputs))


def padded(before: list[int], shape: list[int], after: list[int], size: int) -> Iterator[Event]:
    """reference_ops::PadImpl: element by element, padding or the next one of the input."""
    taken = 0
    for number, inside in enumerate(_inside(before, shape, after)):
        if inside:
            yield ("read", taken * size, 0, size)
            taken += 1
        yield ("write", 0, number * size, size)


def padded_by_rows(before: list[int], shape: list[int], after: list[int]) -> Iterator[Event]:
    """arm_pad_s8: memset where there is padding, memcpy of a row where channels are not padded, else of a pixel."""
    run = shape[-1] * (shape[-2] if len(shape) > 1 and not before[-1] + after[-1] else 1)
    cells = list(_inside(before, shape, after))
    taken = number = 0
    while number < len(cells):
        if cells[number]:
            yield ("copy", taken, number, run)
            taken, number = taken + run, number + run
        else:
            yield ("write", 0, number, 1)
            number += 1


def _inside(before: list[int], shape: list[int], after: list[int]) -> Iterator[bool]:
    """For every element of the padded tensor, whether it comes from the input."""
    whole = [left + size + right for left, size, right in zip(before, shape, after, strict=True)]
    count = 1
    for size in whole:
        count *= size
    for number in range(count):
        inside, rest = True, number
        for left, size, total in reversed(list(zip(before, shape, whole, strict=True))):
            inside = inside and left <= rest % total < left + size
            rest //= total
        yield inside


def sliced(shape: list[int], ranges: list[range], size: int, runs: bool) -> Iterator[Event]:
    """reference_ops::Slice element by element; with `runs` reference_ops::StridedSlice, the last axis by memcpy."""
    written = 0
    for source in _picked(shape, ranges[:-1] if runs else ranges):
        if runs:
            start, count = source * shape[-1] + ranges[-1].start, len(ranges[-1])
            yield ("copy", start * size, written * size, count * size)
        else:
            count = 1
            yield ("read", source * size, 0, size)
            yield ("write", 0, written * size, size)
        written += count


def _picked(shape: list[int], ranges: list[range]) -> Iterator[int]:
    """Numbers of the elements that ranges over the first axes pick, in order."""
    numbers = [0]
    for size, picked in zip(shape, ranges, strict=False):
        numbers = [number * size + index for number in numbers for index in picked]
    yield from numbers


def offset(position: list[int], shape: list[int]) -> int:
    """The number of an element."""
    return next(_picked(shape, [range(index, index + 1) for index in position]))
