#!/usr/bin/env python3
"""Runs `footfall live` on wrong clocks, and on clocks that are set meanwhile.

It records what it can date, or says what it does not record, and never crashes. The history is sound.

    clocks.py FOOTFALL [--count N] [--seed N] [--only CASE]
"""

import json
import math
import os
import random
import subprocess
import tempfile
import time
from pathlib import Path

from cases import options, preloaded, run_cases

YEAR = 31_557_600
RATE, SECONDS = 50, 12
# Seconds by which the clock is ahead, then pairs: a moment, and the seconds ahead from it on.
SETTINGS = ["0", f"{-150 * YEAR}", f"{150 * YEAR}", f"{300 * YEAR}", f"{-3000 * YEAR}", "0 6 -7200", "0 6 7200",
            f"0 6 {150 * YEAR}", f"0 6 {300 * YEAR}", f"0 6 {-150 * YEAR}", f"{300 * YEAR} 6 0", f"{-150 * YEAR} 6 0",
            "0 4 7200 8 -7200", "0 7 -10", "0 7 10", "0 6 -290", "0 4 60 8 0", "0 3 -5 6 -10 9 5"]


def setting(number: int, dice: random.Random) -> str:
    """The known settings, then random ones."""
    if number < len(SETTINGS):
        return SETTINGS[number]
    moments = sorted(dice.uniform(1, SECONDS - 1) for _ in range(dice.randint(1, 3)))
    return " ".join(["0"] + [f"{moment:.2f} {dice.choice((1, -1)) * 10 ** dice.uniform(-1, 6):.2f}" for moment in moments])


def main() -> None:
    given = options(__doc__, 26)
    footfall = given.footfall
    with tempfile.TemporaryDirectory() as shared:
        library = preloaded(Path(shared), "set_clock")

        def attempt(number: int, dice: random.Random, folder: Path) -> str:
            history, clock = folder / "history", setting(number, dice)
            process = subprocess.Popen(
                footfall.arguments("live", "-", "--history", history, "--source", "wrist", "--output", "ndjson"), text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                env={**os.environ, "LD_PRELOAD": str(library), "FOOTFALL_CLOCK": clock})
            start = time.monotonic()
            try:
                for row in range(SECONDS * RATE):
                    time.sleep(max(0, start + row / RATE - time.monotonic()))
                    phase = 2 * math.pi * 1.8 * row / RATE
                    up = 1 + 0.35 * math.sin(phase) + 0.1 * math.sin(2 * phase)
                    process.stdin.write(f"{0.1 * math.sin(phase / 2):.4f},{up:.4f},0.1\n")
                    process.stdin.flush()
            except BrokenPipeError:
                pass
            try:
                output, errors = process.communicate(timeout=60)
            except BrokenPipeError:
                output, errors = "", process.stderr.read()
            place = f"clock {clock}: exit code {process.returncode}: {errors[-300:]}"
            assert process.returncode in (0, 1, 4, 65), place
            printed = output.count('"event":"step"')
            if not history.exists():
                assert process.returncode == 1 and "set the clock" in errors, place
                return "refused"
            footfall.run("history", "check", "--history", history)
            sources = json.loads(footfall.run("history", "info", "--history", history, "--output", "json"))[0]["sources"]
            kept = sum(row["steps"] for row in sources)
            # A small step back is reported, too, but costs no step, and the session ends with 0.
            said = process.returncode and "clock" in errors
            assert kept >= printed or said, f"{place}: {kept} of {printed} steps, and nothing is said"
            return "recorded"

        # Most of the time a session waits for its clock.
        run_cases(given, attempt, "live sessions on wrong clocks", jobs=6)


if __name__ == "__main__":
    main()
