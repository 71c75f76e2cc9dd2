"""How far an output must lie below its input where a window moves over an image: convolutions and pools.

F2. Output pixels come row by row, and the window of each begins at its lowest pixel inside the image. Kernels differ in
what they read before they write: the window of one element, of a pixel, of several pixels, or a whole row. What is
written grows from step to step, so the distance is the largest of what is written before the last reads of a step, less
the lowest byte of that step alone. Both are sums of something for the batch, for the row and for the column, so that
each of these is looked at by itself. Distances are in bytes, never below 0: an output that begins above its input would
gain nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from arena_codegen.kernels.call import SAME, VALID, Call, Unknown, dims
from arena_codegen.kernels.sharing import plain_width


@dataclass(frozen=True, slots=True)
class Sweep:
    """All windows of an operator.

    `rows`, `columns`: (output position, lowest input position of its window) along each axis, without windows that lie
    in the padding. Strides are the bytes from one batch, row or pixel to the next; `in_ch`, `out_ch` count channels.
    """

    rows: tuple[tuple[int, int], ...]
    columns: tuple[tuple[int, int], ...]
    batches: int
    out_w: int
    in_strides: tuple[int, int, int]
    out_strides: tuple[int, int, int]
    in_ch: int
    out_ch: int

    def by_element(self, groups: int, at_once: int = 1) -> int:
        """A window for every `at_once` output channels; group g of them reads group g of the input channels alone.

        `groups` 1: a convolution; as many as input channels: a depthwise one.
        """
        read, written = self.in_strides[2] // groups, self.out_strides[2] // groups
        kept = at_once * self.out_strides[2] // self.out_ch
        within = max((group + 1) * written - kept - group * read for group in (0, groups - 1))
        return max(0, self._pixels() + within)

    def by_pixels(self, ahead: int = 0) -> int:
        """The window of a pixel is read, then the pixel written; `ahead`: so many pixels are written before that."""
        return max(0, self._pixels() + ahead * self.out_strides[2])

    def by_several(self, pixels: int) -> int:
        """The windows of `pixels` pixels are read, then these written, also where a row ends among them.

        A batch writes what it has. Pixels number `y · out_w + x`, so their place among those that are read together
        depends on the remainder of the row's first one alone.
        """
        residues = {y * self.out_w % pixels for y, _ in self.rows}
        within = max(
            max(self._moved(1, y, low) for y, low in self.rows if y * self.out_w % pixels == residue)
            + max(self._moved(2, x, low) - (residue + x) % pixels * self.out_strides[2] for x, low in self.columns)
            for residue in residues
        )
        return max(0, self._batch() + within)

    def by_rows(self) -> int:
        """A row at a time, two channels of two pixels each, channels outermost (a matrix product).

        With one or two channels there is one round: a pixel, or two of a row, at once.
        """
        if self.out_ch <= 2:
            back = (self._moved(2, x, low) - x % self.out_ch * self.out_strides[2] for x, low in self.columns)
            return max(0, self._batch() + self._row() + max(back))
        last = (2 - self.out_ch % 2) * self.out_strides[2] // self.out_ch
        lowest = min(low for _, low in self.columns) * self.in_strides[2]
        return max(0, self._batch() + self._row() + self.out_strides[1] - last - lowest)

    def _pixels(self) -> int:
        return self._batch() + self._row() + max(self._moved(2, x, low) for x, low in self.columns)

    def _batch(self) -> int:
        return max(self._moved(0, batch, batch) for batch in (0, self.batches - 1))

    def _row(self) -> int:
        return max(self._moved(1, y, low) for y, low in self.rows)

    def _moved(self, axis: int, written: int, read: int) -> int:
        """Bytes written in front of a position of an axis, less those in front of what is read there."""
        return written * self.out_strides[axis] - read * self.in_strides[axis]


def sweep(call: Call, kernel: tuple[int, int], dilation: tuple[int, int] = (1, 1)) -> Sweep:
    """The windows of an operator with `stride_h`, `stride_w` and `padding`. Raises Unknown."""
    batch, in_h, in_w, in_ch = dims(call.input(0), 4)
    batches, out_h, out_w, out_ch = dims(call.output(), 4)
    strides = (call.positive("stride_h"), call.positive("stride_w"))
    axes = tuple(zip((in_h, in_w), (out_h, out_w), strides, kernel, dilation, strict=True))
    if batch != batches or any(_out(call, size, *rest) != out for size, out, *rest in axes):
        raise Unknown(f"{call.output().label} has another shape than its operator gives it")
    rows, columns = (tuple(_lowest(*axis, call.padding(*axis[2:], axis[0]))) for axis in axes)
    if not rows or not columns:
        raise Unknown("all windows lie in the padding")
    read, written = in_ch * plain_width(call.input(0)), out_ch * plain_width(call.output())
    strides_in, strides_out = (
        (height * width * pixel, width * pixel, pixel)
        for height, width, pixel in ((in_h, in_w, read), (out_h, out_w, written))
    )
    return Sweep(rows, columns, batch, out_w, strides_in, strides_out, in_ch, out_ch)


def _out(call: Call, size: int, stride: int, kernel: int, dilation: int) -> int:
    """Output size of an axis (kernels/padding.h, ComputeOutSize)."""
    padding = call.option("padding")
    if padding not in (SAME, VALID):
        raise Unknown(f"padding {padding}")
    return -(-size // stride) if padding == SAME else (size + stride - (kernel - 1) * dilation - 1) // stride


def _lowest(size: int, out: int, stride: int, kernel: int, dilation: int, pad: int) -> Iterable[tuple[int, int]]:
    """Each output position of an axis with the first tap of its window inside the image."""
    for position in range(out):
        start = position * stride - pad
        tap = -(-max(0, -start) // dilation)
        if tap < kernel and start + tap * dilation < size:
            yield position, start + tap * dilation
