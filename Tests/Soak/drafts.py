#!/usr/bin/env python3
"""Kills commands while they write a draft, and looks for what the next command leaves of it.

A command that writes in the folder removes the drafts and companions of those that were killed. The draft of a command that runs
stays, however old it is.

    drafts.py FOOTFALL [--count N] [--seed N] [--only CASE]
"""

import os
import random
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from cases import TRACES, options, run_cases
from writers import SUFFIXES, age, drafts

STOPPED = 5  # Every so many cases the command is stopped, not killed.


def have_owners(files: list[Path]) -> bool:
    """Whether a command holds the lock of each draft. It lacks that of a draft which it has just begun, and which is too new to remove."""
    locks = [line for line in Path("/proc/locks").read_text().splitlines() if " FLOCK " in line]
    numbers = [file.stat().st_ino for file in files if not file.name.endswith(SUFFIXES)]
    return numbers != [] and all(any(f":{number} " in line for line in locks) for number in numbers)


def main() -> None:
    given = options(__doc__, 100)
    footfall = given.footfall
    with tempfile.TemporaryDirectory() as shared:
        history, export, log = Path(shared) / "history", Path(shared) / "export", TRACES / "commute.csv"
        footfall.run(*footfall.record(history, "commute", 0, "wrist"))
        other = Path(shared) / "other"  # a command that is stopped may lock the first one
        footfall.run("history", "copy", other, "--history", history)
        export.write_text(footfall.export(history))

        def attempt(number: int, dice: random.Random, here: Path) -> str:
            makers = [
                ["history", "import", export, "--history", here / "new"], ["history", "copy", here / "copy", "--history", history],
                ["analyze", log, "--plot", here / "plot.svg"], ["simulate", "day", "--rate", "12.5", "--out", here / "day.csv"],
                ["report", "--history", history, "--out", here / "made"]]
            next_commands = [footfall.record(here / "h", "walk-wrist", 1, "wrist"),
                             ["report", "--history", other, "--out", here / "page", "--force"]]
            process = subprocess.Popen(footfall.arguments(*dice.choice(makers)), stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            while process.poll() is None and not drafts(here):
                pass
            if number % STOPPED == 0:
                process.send_signal(signal.SIGSTOP)
                os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)  # until then it makes drafts
                kept = drafts(here)
                if not have_owners(kept):
                    process.send_signal(signal.SIGCONT)
                    assert process.wait(120) == 0, "the command that was stopped early has failed"
                    return "stopped before its lock"
                age(here)
                footfall.run(*dice.choice(next_commands))
                found = drafts(here)
                process.send_signal(signal.SIGCONT)
                assert process.wait(120) == 0, "the command that was stopped has failed"
                assert found == kept, f"{set(kept) - set(found)} of a running command was removed"
                return "kept for a running command"
            time.sleep(dice.uniform(0, 0.01))
            process.kill()
            process.wait()
            left = drafts(here)
            age(here)
            footfall.run(*dice.choice(next_commands))
            assert not drafts(here), f"{drafts(here)} of a killed command is left"
            return "removed" if left else "not left"

        run_cases(given, attempt, "drafts")


if __name__ == "__main__":
    main()
