"""F3. Who asks for memory: model, timeline, kernels and wishes become requests, and those a problem."""

from arena_codegen.requests.collect import as_shipped, collect, needs_memory, to_problem
from arena_codegen.requests.offline import fixed_for_npu, ignored_plan
from arena_codegen.requests.scratch import SCRATCH_ALIGNMENT
from arena_codegen.requests.types import MAX_ARENA, TFLM_ALIGNMENT, Request, Requests

__all__ = [
    "MAX_ARENA",
    "SCRATCH_ALIGNMENT",
    "TFLM_ALIGNMENT",
    "Request",
    "Requests",
    "as_shipped",
    "collect",
    "fixed_for_npu",
    "ignored_plan",
    "needs_memory",
    "to_problem",
]
