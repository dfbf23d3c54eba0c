"""What the scripts beside this file share: the command, the options, and cases that go on after a failure.

Each case has a number, a folder, and random numbers of its own, which follow from the seed and the number. So one case can
be repeated without the others.
"""

import argparse
import collections
import concurrent.futures
import datetime
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable

PACKAGE = Path(__file__).resolve().parents[2]
TRACES = PACKAGE / "SensorTraces"
NEW_YEAR = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)


def day(number: float) -> str:
    return (NEW_YEAR + datetime.timedelta(days=number)).strftime("%Y-%m-%dT%H:%M:%SZ")


def options(page: str, count: int, *more: str, seed: int = 4) -> argparse.Namespace:
    """The arguments of a script, whose docstring is `page`: FOOTFALL, further ones, --count, --seed, --only and --seconds."""
    parser = argparse.ArgumentParser(description=page, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("footfall", type=lambda path: Footfall(str(Path(path).resolve())), help="the command to test")
    for name in more:
        parser.add_argument(name)
    parser.add_argument("--count", type=int, default=count, help=f"how many cases to run (default: {count})")
    parser.add_argument("--seed", type=int, default=seed, help=f"the seed of the random numbers (default: {seed})")
    parser.add_argument("--only", type=int, metavar="CASE", help="run only the case of this number")
    parser.add_argument("--seconds", type=float, help="start no case after so many seconds")
    return parser.parse_args()


class Footfall:
    """The command."""

    def __init__(self, path: str) -> None:
        self.path = path

    def arguments(self, *arguments: object) -> list[str]:
        return [self.path, *(str(argument) for argument in arguments)]

    def run(self, *arguments: object, codes: tuple[int, ...] = (0,)) -> str:
        result = subprocess.run(self.arguments(*arguments), capture_output=True, text=True, timeout=600)
        assert result.returncode in codes, f"{arguments}: exit code {result.returncode}: {result.stderr[-500:]}"
        return result.stdout

    def export(self, history: Path) -> str:
        return self.run("history", "export", "--history", history)

    def record(self, history: Path, trace: str, start: float, source: str, *more: object) -> list[object]:
        """The arguments that record a shipped trace."""
        return ["analyze", TRACES / f"{trace}.csv", "--start", day(start), "--tz", "UTC", "--source", source,
                "--history", history, "--output", "ndjson", *more]


def preloaded(folder: Path, name: str) -> Path:
    """Compiles a library for LD_PRELOAD."""
    library = folder / f"{name}.so"
    compiler = shutil.which("cc") or shutil.which("clang") or sys.exit("The soak needs a C compiler.")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, Path(__file__).parent / f"{name}.c", "-ldl"],
                   check=True)
    return library


Attempt = Callable[[int, random.Random, Path], str]


def run_cases(given: argparse.Namespace, attempt: Attempt, what: str, jobs: int = os.cpu_count() or 1) -> None:
    """Runs the cases, counts what they return, and prints both. A failure is printed with what repeats it, and keeps its folder.

    Ends the process with 1 if a case has failed.
    """
    name = Path(sys.argv[0]).stem
    results: collections.Counter = collections.Counter()
    failures, started = 0, time.monotonic()

    def tried(number: int) -> tuple[str, str] | None:
        if given.seconds is not None and time.monotonic() - started > given.seconds:
            return None
        folder = Path(tempfile.mkdtemp(prefix=f"footfall-{name}-{number}-"))
        try:
            result = attempt(number, random.Random(f"{given.seed} {number}"), folder)
        except (AssertionError, subprocess.SubprocessError, OSError, ValueError, LookupError) as error:
            arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--only")]
            again = shlex.join(["nice", "python3", sys.argv[0], *arguments, "--only", str(number)])
            return "", f"FAILED case {number}: {type(error).__name__}: {error}\n  again: {again}\n  its files: {folder}"
        shutil.rmtree(folder)
        return result, ""

    numbers = range(given.count) if given.only is None else [given.only]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for result, failure in filter(None, pool.map(tried, numbers)):
            if failure:
                failures += 1
                print(failure, flush=True)
            else:
                results[result] += 1
    counts = ", ".join(f"{count} {result}" for result, count in sorted(results.items()))
    done = results.total() + failures
    print(f"{done} of {len(numbers)} {what} (seed {given.seed}): {counts or 'none'}; {failures} failed", flush=True)
    if failures:
        sys.exit(1)
