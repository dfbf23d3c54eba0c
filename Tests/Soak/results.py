#!/usr/bin/env python3
"""Writes results over those of another log, over their own input, and under odd names.

No command takes the place of tables of another log or of its input, and none writes outside its folder.

    results.py FOOTFALL [--count N] [--seed N] [--only CASE]
"""

import os
import random
import shutil
from pathlib import Path

from cases import TRACES, options, run_cases

KINDS = ("other", "input", "name")


def main() -> None:
    given = options(__doc__, 60)
    footfall = given.footfall

    def content(path: Path) -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in path.iterdir()}

    def attempt(number: int, dice: random.Random, here: Path) -> str:
        kind, log, results = KINDS[number % len(KINDS)], here / "a.csv", here / "results"
        shutil.copy(TRACES / "walk-wrist.csv", log)
        footfall.run("analyze", log, "--tables", results)
        before = content(results / "a")
        if kind == "other":
            (here / "b").mkdir()
            shutil.copy(TRACES / dice.choice(("commute.csv", "gaps.csv")), here / "b" / "a.csv")
            footfall.run("analyze", here / "b" / "a.csv", "--tables", results, "--resume")
            assert content(results / "a") == before, "the tables of another log"
        elif kind == "input":
            footfall.run("summarize", results, "--out", results / "a", codes=(73,))
            assert content(results / "a") == before, "the input has changed"
        else:
            name = "." * dice.randint(1, 5) + dice.choice(("csv", "gz", ".csv", "csv.gz"))
            shutil.copy(TRACES / "walk-wrist.csv", here / name)
            listed = set(os.listdir(here)) | {"others"}
            footfall.run("analyze", here / name, "--tables", here / "others" / "deep", codes=(0, 65))
            assert set(os.listdir(here)) == listed, f"{name} wrote {set(os.listdir(here)) - listed}"
            assert os.listdir(here / "others") == ["deep"], f"{name} wrote into the parent"
        return kind

    run_cases(given, attempt, "results of logs")


if __name__ == "__main__":
    main()
