#!/usr/bin/env python3
"""Replays days at full speed, as a device that records for weeks.

Each case is a simulated day. The history of its replay equals that of an analysis. Then the days come one after the other into one
history; one of them is killed and repeated. From the tenth day on the file hardly grows, and its last week answers as a history
without the time before.

    replays.py FOOTFALL [--count N] [--seed N] [--only CASE]
"""

import datetime
import os
import random
import subprocess
import tempfile
import time
from pathlib import Path

from cases import NEW_YEAR, day, options, run_cases

# The days that a history keeps. The file may grow until it has them and the room of those that go.
WEEK, SETTLED, MOST_GROWTH = 7, 9, 1.5


def main() -> None:
    given = options(__doc__, 30)
    footfall = given.footfall
    # The week of the comparison begins after the days that it leaves out.
    first = (datetime.datetime.now(datetime.timezone.utc) - NEW_YEAR).days - given.count - 1
    with tempfile.TemporaryDirectory() as name:
        shared = Path(name)
        month, week = shared / "month", shared / "week"
        sizes = []

        def replay(log: Path, history: Path, number: int) -> list[str]:
            return footfall.arguments("live", "--replay", log, "--start", day(first + number), "--tz", "UTC", "--speed", "max",
                                      "--quiet", "--source", "wrist", "--history", history)

        def attempt(number: int, dice: random.Random, folder: Path) -> str:
            log = folder / "day.csv"
            footfall.run("simulate", "day", "--rate", "12.5", "--seed", dice.randrange(1_000), "--out", log)
            subprocess.run(replay(log, folder / "replay", number), check=True, capture_output=True)
            footfall.run("analyze", log, "--start", day(first + number), "--tz", "UTC", "--source", "wrist", "--history",
                         folder / "analysis")
            exports = [footfall.export(folder / name) for name in ("replay", "analysis")]
            assert exports[0] == exports[1], "the histories of the replay and of the analysis differ"
            if number == given.count // 2:
                process = subprocess.Popen(replay(log, month, number), stderr=subprocess.DEVNULL)
                time.sleep(dice.uniform(0, 1))
                process.kill()
                process.wait()
            for history in [month] + ([week] if number >= given.count - WEEK - 1 else []):
                subprocess.run(replay(log, history, number), check=True, capture_output=True)
            footfall.run("history", "check", "--history", month)
            sizes.append(os.stat(month).st_size)
            limit = MOST_GROWTH * sizes[min(SETTLED, len(sizes) - 1)]
            assert sizes[-1] < limit, f"the file grows: {sizes}"
            if number == given.count - 1:
                since = ["--since", day(first + given.count - WEEK), "--source", "wrist", "--output", "json"]
                for question in (["steps", "--by", "hour"], ["activities"], ["summary"]):
                    answers = [footfall.run("query", *question, *since, "--history", history) for history in (month, week)]
                    assert answers[0] == answers[1], f"the last week of the month differs: {question}"
            return "equal to their analysis"

        run_cases(given, attempt, "replayed days", jobs=1)
        print(f"the file had {max(sizes) / 1e6:.1f} MB at most")


if __name__ == "__main__":
    main()
