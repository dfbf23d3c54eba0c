#!/usr/bin/env python3
"""Records logs that are refused in the middle, and logs with two rows days ahead.

A refused log changes nothing in a history. Two rows ahead of a week hide nothing of it.

    refusals.py FOOTFALL [--count N] [--seed N] [--only CASE]
"""

import json
import random
import tempfile
from pathlib import Path

from cases import TRACES, day, options, run_cases
from sessions import kept

ORIGIN = 1_790_000_000  # s since 1970
ROWS = 3000  # of the walk of each day
MOST_LOST = 5  # steps near the stray rows


def main() -> None:
    given = options(__doc__, 60)
    footfall = given.footfall
    with tempfile.TemporaryDirectory() as shared:
        log, history = Path(shared) / "day.csv", Path(shared) / "history"
        footfall.run("simulate", "day", "--rate", "12.5", "--out", log)
        recording = ["--tz", "UTC", "--source", "wrist", "--history", history]
        footfall.run("analyze", log, "--start", day(0), *recording)
        before, lines = footfall.export(history), log.read_text().splitlines(keepends=True)
        samples = [line.split(",", 1) for line in (TRACES / "walk-wrist.csv").read_text().splitlines()[1:ROWS]]
        week = [f"{ORIGIN + number * 86400 + float(time):.3f},{rest}" for number in range(7) for time, rest in samples]

        def refused(dice: random.Random, folder: Path) -> str:
            start = int(len(lines) * dice.uniform(0.3, 0.85))
            bad = folder / "bad.csv"
            bad.write_text("".join(lines[:start]) + "".join("x,y,z,?\n" for _ in lines[start:]))
            footfall.run("analyze", bad, "--start", day(0.01), *recording, codes=(65,))
            assert footfall.export(history) == before, "the history has changed"
            return "refused in the middle"

        def stray(dice: random.Random, folder: Path) -> str:
            file, end = folder / "week.csv", ORIGIN + 6 * 86400 + 60 + dice.uniform(2, 7) * 86400
            arguments = ["analyze", file, "--source", "wrist", "--history", folder / "history", "--output", "json",
                         "--accept-future"]
            file.write_text("\n".join(["time,x,y,z", *week]) + "\n")
            total = json.loads(footfall.run(*arguments))[0]["steps"]
            rows = [f"{end:.3f},0,0,1", f"{end + dice.choice((0.02, 1, 30)):.3f},0,0,1"]
            file.write_text("\n".join(["time,x,y,z", *week, *rows]) + "\n")
            footfall.run(*arguments)
            found = kept(footfall, folder / "history", "wrist")
            assert found >= total - MOST_LOST, f"{found} of {total} steps"
            return "recorded with stray rows"

        # The refused logs share one history.
        run_cases(given, lambda number, dice, folder: (refused if number % 3 else stray)(dice, folder), "logs with a bad part", jobs=1)


if __name__ == "__main__":
    main()
