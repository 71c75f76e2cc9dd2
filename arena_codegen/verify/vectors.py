"""The inputs of every invocation, as the firmware makes them (firmware_stub/inference/fill.c): numbers from a seed.

F7. Whole numbers or multiples of 1/128, so that both sides agree to the bit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena_codegen.model.types import Tensor

LOWEST, HIGHEST, PATTERN, RANDOM = "NETWORK_LOWEST", "NETWORK_HIGHEST", "NETWORK_PATTERN", "NETWORK_RANDOM"
WIDTHS = {"INT8": "i1", "UINT8": "u1", "INT16": "<i2", "INT32": "<i4", "INT64": "<i8", "FLOAT32": "<f4", "BOOL": "?"}
"""Element types that an input may have, and numpy's names for them."""


@dataclass(frozen=True, slots=True)
class Vector:
    """How the inputs of one invocation are filled; input number n is filled from `seed + n`."""

    name: str
    fill: str
    seed: int = 0


VECTORS = (
    Vector("random 1", RANDOM, 1000),
    Vector("all lowest", LOWEST),
    Vector("all highest", HIGHEST),
    Vector("ramp", PATTERN),
    Vector("random 2", RANDOM, 2000),
)
"""The invocations of a verification, extremes included."""


def values(tensor: Tensor, fill: str, seed: int) -> np.ndarray:
    """What an input tensor holds."""
    kind = np.dtype(WIDTHS[tensor.dtype.name])
    bits = _bits(fill, seed, tensor.elements)
    if tensor.dtype.name == "FLOAT32":
        flat = _extreme(fill, -1.0, 1.0, ((bits & 255).astype(np.int64) - 128) / 128)
    elif tensor.dtype.name in ("INT32", "INT64", "BOOL"):
        flat = _extreme(fill, 0, 1, bits & 1)
    elif tensor.dtype.name == "INT16":
        ramp = (bits & 255).astype(np.int64) * 64 - 8192
        flat = _extreme(fill, -32768, 32767, bits & 0xFFFF if fill == RANDOM else ramp)
    else:
        low, high = np.iinfo(kind).min, np.iinfo(kind).max
        flat = _extreme(fill, low, high, bits & 255)
    spread = np.broadcast_to(np.asarray(flat), tensor.elements)
    return spread.astype(np.int64 if kind.kind in "iub" else np.float64).astype(kind).reshape(tensor.shape)


def _extreme(fill: str, low: float, high: float, drawn: np.ndarray) -> np.ndarray | float:
    return low if fill == LOWEST else high if fill == HIGHEST else drawn


def _bits(fill: str, seed: int, count: int) -> np.ndarray:
    """Thirty-two bits for every element: a ramp, or the finaliser of MurmurHash3."""
    position = np.arange(count, dtype=np.uint32)
    if fill != RANDOM:
        return position * np.uint32(37) + np.uint32(11)
    bits = np.uint32(seed * 0x9E3779B9 & 0xFFFFFFFF) + position
    bits = (bits ^ (bits >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    bits = (bits ^ (bits >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return bits ^ (bits >> np.uint32(16))
