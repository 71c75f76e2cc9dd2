"""How small and how fast plans are, as tables: `python -m tests.bench.planning [--instances DIR] [TABLE …]`.

Tables: real, synthetic, capacity, minimise, techniques, scale; all of them by default. DIR holds CSV problems in
`real/`, `synthetic/` and `challenging/` (default: $ARENA_INSTANCES, else `../shared/instances`). A table whose folder
is absent is left out, by name. Times are CPU seconds. Minimisation stops after --seconds a problem. Where `minimalloc`
(MiniMalloc's own program) is on the PATH, `capacity` runs it on the same problems, --seconds each at most.
"""

from __future__ import annotations

import argparse
import os
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from pathlib import Path

from arena_codegen.planning import EFFORTS, Plan, Problem, Progress, plan, read_csv
from arena_codegen.planning.bound import lower_bound
from arena_codegen.planning.effort import Search, Techniques
from arena_codegen.planning.search.minimise import minimise
from tests.support.problems import dissection, large

ROOT = Path(__file__).resolve().parents[2]


class Stopwatch:
    """Ends a search, by an interrupt, after so many CPU seconds."""

    def __init__(self, seconds: float) -> None:
        self.end = time.process_time() + seconds

    def __call__(self, _: Progress) -> None:
        if time.process_time() > self.end:
            raise KeyboardInterrupt


def timed(problem: Problem, **options: object) -> tuple[Plan, float]:
    """A plan and the CPU seconds that it took."""
    start = time.process_time()
    made = plan(problem, **options)  # type: ignore[arg-type]
    return made, time.process_time() - start


def table(title: str, head: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """Print rows as they come, under a title and a head."""
    print(f"\n## {title}\n\n| {' | '.join(head)} |", flush=True)
    print("|" + " --- |" * len(list(head)), flush=True)
    for row in rows:
        print(f"| {' | '.join(f'{cell:.3f}' if isinstance(cell, float) else str(cell) for cell in row)} |", flush=True)


def problems(folder: Path) -> list[tuple[str, Problem]]:
    """All problems of a folder by name."""
    return [(path.name.split(".")[0], read_csv(path)) for path in sorted(folder.glob("*.csv"))]


def real(instances: Path, _: float) -> None:
    """Real models: all at the bound, and in how many milliseconds."""
    runs = [(name, *timed(problem)) for name, problem in problems(instances / "real")]
    late = [name for name, made, _ in runs if not made.optimal]
    times = [1000 * seconds for _, _, seconds in runs]
    head = ("problems", "optimal", "median ms", "max ms", "not proven")
    row = (len(runs), len(runs) - len(late), statistics.median(times), max(times), ", ".join(late) or "none")
    table("Real models", head, [row])


def synthetic(instances: Path, seconds: float) -> None:
    """Known optimum 1024 (perfect packings); the ones of the folder and some of our own."""

    def rows() -> Iterable[Iterable[object]]:
        own = [(f"dissection {n} {seed}", dissection(n, seed)) for n in (50, 100, 200, 300) for seed in (1, 2, 3)]
        for name, problem in problems(instances / "synthetic") + own:
            made, took = timed(problem, effort="thorough", progress=Stopwatch(seconds))
            yield name, len(problem.buffers), made.peak, made.lower_bound, made.optimal, took

    table("Known optimum", ("problem", "buffers", "peak", "bound", "proven", "seconds"), rows())


def capacity(instances: Path, seconds: float) -> None:
    """The challenging problems as a question: is there a plan within 1 MiB? MiniMalloc beside us, where it is there."""
    program = shutil.which("minimalloc")
    total = theirs = 0.0

    def rows() -> Iterable[Iterable[object]]:
        nonlocal total, theirs
        for path in sorted((instances / "challenging").glob("*.csv")):
            problem = read_csv(path)
            made, took = timed(problem, effort="thorough", capacity=1 << 20)
            total += took
            other = [minimalloc(program, path, seconds)] if program else []
            theirs += sum(other)
            yield path.name.split(".")[0], len(problem.buffers), made.peak, made.peak <= 1 << 20, took, *other
        yield "sum", "", "", "", total, *([theirs] if program else [])

    head = ("problem", "buffers", "peak", "fits", "seconds", *(["MiniMalloc"] if program else []))
    table("Within 1 MiB", head, rows())


def minimalloc(program: str, path: Path, seconds: float) -> float:
    """CPU seconds that MiniMalloc takes for 1 MiB, or until it gives up."""

    def spent() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = spent()
    flags = (f"--capacity={1 << 20}", f"--input={path}", f"--output={os.devnull}", f"--timeout={seconds:g}s")
    subprocess.run((program, *flags), check=False, capture_output=True)
    return spent() - before


def smallest(instances: Path, seconds: float) -> None:
    """The challenging problems as minimisation, `seconds` each."""

    def rows() -> Iterable[Iterable[object]]:
        for name, problem in problems(instances / "challenging"):
            greedy = plan(problem, "greedy")
            made, took = timed(problem, effort="thorough", progress=Stopwatch(seconds))
            bound = lower_bound(problem).bytes
            yield name, greedy.peak / bound, made.peak / bound, made.lower_bound / bound, made.optimal, took

    head = ("problem", "greedy / tallest step", "peak / tallest step", "bound / tallest step", "proven", "seconds")
    table(f"Smallest in {seconds:g} s", head, rows())


def techniques(instances: Path, _: float) -> None:
    """What each technique buys: all on, then each one off; steps of `normal` on problems that need a search."""
    few = [pair for pair in problems(instances / "challenging") if pair[0] in "ABFGHK"]
    few += [(f"dissection {count} {seed}", dissection(count, seed)) for count in (200, 300) for seed in range(8)]

    def run(chosen: Techniques) -> tuple[int, float, float]:
        ratios, start = [], time.process_time()
        for _, problem in few:
            found = minimise(problem, Search(EFFORTS["normal"], techniques=chosen), most=3000)
            ratios.append(problem.peak(found.offsets) / lower_bound(problem).bytes)
        return sum(ratio == 1 for ratio in ratios), statistics.mean(ratios), time.process_time() - start

    def rows() -> Iterable[Iterable[object]]:
        everything = Techniques()
        yield "all", *run(everything)
        for field in fields(Techniques):
            if field.name not in ("merge", "local", "pairs"):
                yield f"without {field.name}", *run(replace(everything, **{field.name: False}))

    head = ("techniques", f"at the bound of {len(few)}", "mean peak / bound", "seconds")
    table("What each technique buys", head, rows())


def scale(_: Path, __: float) -> None:
    """Thousands of buffers."""

    def rows() -> Iterable[Iterable[object]]:
        for count, families in ((10_000, ("network", "short", "uniform")), (100_000, ("network", "short", "uniform"))):
            for family in families:
                made, took = timed(large(family, count))
                yield family, count, made.peak / made.lower_bound, took

    table("Scale", ("family", "buffers", "peak / bound", "seconds"), rows())


TABLES: dict[str, tuple[Callable[[Path, float], None], str]] = {
    "real": (real, "real"),
    "synthetic": (synthetic, "synthetic"),
    "capacity": (capacity, "challenging"),
    "minimise": (smallest, "challenging"),
    "techniques": (techniques, "challenging"),
    "scale": (scale, ""),
}


def main() -> None:
    """Print the tables asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(TABLES))
    default = os.environ.get("ARENA_INSTANCES", ROOT.parent / "shared" / "instances")
    parser.add_argument("--instances", type=Path, default=Path(default), metavar="DIR")
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    print(f"# Planning\n\n    python -m tests.bench.planning {shlex.join(sys.argv[1:])}".rstrip())
    for name in options.tables or TABLES:
        if name not in TABLES:
            parser.error(f"no table '{name}': there are {', '.join(TABLES)}")
        run, folder = TABLES[name]
        if (options.instances / folder).is_dir() or not folder:
            run(options.instances, options.seconds)
        else:
            print(f"\n## {name}: left out, no folder '{folder}' in the instances")


if __name__ == "__main__":
    main()
