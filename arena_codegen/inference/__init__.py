"""F3. Model → Network: what the firmware's kernels need to know to compute a model, to the bit as TFLM computes it."""

from arena_codegen.inference.network import Network, State, describe

__all__ = ["Network", "State", "describe"]
