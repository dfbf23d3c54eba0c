#!/usr/bin/env python3
"""Copies, moves, links, removes and replaces histories of killed sessions, whose companions stay beside them.

What takes the place of a history holds only its own steps, and the history of the killed session is found again.

    companions.py FOOTFALL [--count N] [--seed N] [--only CASE]
"""

import os
import random
import shutil
import tempfile
from pathlib import Path

from cases import day, options, run_cases
from sessions import kept, killed

KINDS = ("kept", "copy", "import", "analyze", "mv", "cp", "link")
SUFFIXES = ("", "-wal", "-shm", "-lock", "-live")
WALK = 218  # the steps of the shipped walk


def copies(history: Path, name: Path) -> Path:
    """Copies a history and its companions."""
    for suffix in SUFFIXES:
        if Path(f"{history}{suffix}").exists():
            shutil.copy(f"{history}{suffix}", f"{name}{suffix}")
    return name


def main() -> None:
    given = options(__doc__, 80)
    footfall = given.footfall
    with tempfile.TemporaryDirectory() as shared:
        original, other, backup, export = (Path(shared) / name for name in ("original", "other", "backup", "walk.ndjson"))
        footfall.run(*footfall.record(original, "walk-wrist", 0, "wrist"))
        shutil.copy(original, backup)
        footfall.run(*footfall.record(other, "walk-wrist", 3, "pocket"))
        export.write_text(footfall.export(other))

        def attempt(number: int, dice: random.Random, here: Path) -> str:
            kind, history = KINDS[number % len(KINDS)], copies(original, here / "history")
            killed(footfall, history, 1, dice.uniform(1, 3))
            # What the killed session recorded, from a copy of its files.
            alive = copies(history, here / "alive")
            footfall.run("history", "delete", "--source", "wrist", "--since", day(5), "--history", alive)
            all_steps = kept(footfall, alive, "wrist")
            if kind == "copy":
                footfall.run("history", "copy", history, "--history", backup, "--force")
                all_steps = WALK
            elif kind == "import":
                history.unlink()
                footfall.run("history", "import", export, "--history", history)
                all_steps = 0
            elif kind == "analyze":
                history.unlink()
                footfall.run(*footfall.record(history, "walk-wrist", 3, "pocket"))
                all_steps = 0
            elif kind == "mv":
                history.rename(here / "old")
                footfall.run(*footfall.record(history, "walk-wrist", 3, "pocket"))
                assert kept(footfall, history, "wrist") == 0, "old steps in the new history"
                history = here / "old"
            elif kind == "cp":
                history.write_bytes(backup.read_bytes())
                all_steps = WALK
            elif kind == "link":
                os.link(history, here / "second")
                history = here / "second"
            if kind != "cp":
                footfall.run("history", "delete", "--source", "wrist" if all_steps else "pocket", "--since", day(5), "--history",
                             history)
            found = kept(footfall, history, "wrist")
            # The events that wait for their transaction belong to each state of the same history.
            assert found == all_steps or kind == "cp" and found >= all_steps, f"{kind}: {found} steps, not {all_steps}"
            assert kind not in ("import", "analyze") or kept(footfall, history, "pocket") == WALK, f"{kind}: steps are missing"
            footfall.run("history", "check", "--history", history)
            return kind

        run_cases(given, attempt, "histories of killed sessions")


if __name__ == "__main__":
    main()
