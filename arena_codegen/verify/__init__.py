"""F7. Does the silicon agree? A plan, the firmware stub and QEMU's Cortex-M4 make a verdict."""

from arena_codegen.verify.pattern import TIMEOUT as TIMEOUT
from arena_codegen.verify.pattern import run_pattern_check as run_pattern_check
from arena_codegen.verify.pattern import run_pattern_checks as run_pattern_checks
from arena_codegen.verify.verdict import Damage as Damage
from arena_codegen.verify.verdict import Verdict as Verdict
