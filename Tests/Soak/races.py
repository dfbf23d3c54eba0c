#!/usr/bin/env python3
"""Starts two writers of one history at the same moment.

At least one of them ends with 0, and each that does has recorded. The other is refused. The history is sound.

    races.py FOOTFALL [--count N] [--seed N] [--only CASE]
"""

import random
import subprocess
import time
from pathlib import Path

from cases import options, run_cases


def main() -> None:
    given = options(__doc__, 20)
    footfall = given.footfall

    def attempt(number: int, dice: random.Random, folder: Path) -> str:
        history = folder / "history"
        if dice.random() < 0.5:
            footfall.run(*footfall.record(history, "commute", 0, "wrist"))
        sources, processes = ("left", "right"), []
        for source in sources:
            processes.append(subprocess.Popen(footfall.arguments(*footfall.record(history, "walk-wrist", 1, source)),
                                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            time.sleep(dice.choice((0, 0, 0.01, 0.05)))
        ends = [process.wait(120) for process in processes]
        assert set(ends) <= {0, 1} and 0 in ends, f"exit codes {ends}"
        footfall.run("history", "check", "--history", history)
        for source, end in zip(sources, ends):
            answer = footfall.run("query", "steps", "--source", source, "--output", "csv", "--history", history, codes=(0, 64))
            assert end == 1 or ",218," in answer, f"{source} has lost its steps: {answer}"
        return "recorded both" if ends == [0, 0] else "refused one"

    run_cases(given, attempt, "races of two writers", jobs=1)


if __name__ == "__main__":
    main()
