"""F9. `python -m arena_codegen` is `arena-codegen`."""

import sys

from arena_codegen.cli.main import run

sys.exit(run())
