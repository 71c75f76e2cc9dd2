"""All benchmarks: `python -m tests.bench`. Tables with their command; ratios are taken in one run."""

from __future__ import annotations

import subprocess
import sys

BENCHES = (
    ("tests.bench.startup",),
    ("tests.bench.planning",),
)
"""Six minutes, half of them for 100,000 buffers and for the two problems that use up their minute."""


def main() -> int:
    """Runs them one after another; 1 where one of them found a limit exceeded."""
    codes = [subprocess.run([sys.executable, "-m", *bench], check=False).returncode for bench in BENCHES]
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
