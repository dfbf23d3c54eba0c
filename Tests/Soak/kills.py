#!/usr/bin/env python3
"""Kills commands that write, at random moments and at chosen system calls.

Afterwards each history, file and folder of tables has the content of before or after the command, or is marked as incomplete and
completed by --resume. A history is sound. The command can be repeated, and then it leaves what it leaves without a kill, and no
draft.

    kills.py FOOTFALL [--count N] [--seed N] [--only CASE]
"""

import os
import random
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from cases import options, preloaded, run_cases
from writers import Writer, age, chosen, drafts, writers


def main() -> None:
    given = options(__doc__, 300)
    with tempfile.TemporaryDirectory() as name:
        shared = Path(name)
        library = preloaded(shared, "kill_at_call")
        all_writers = writers(given.footfall, shared)

        def run(writer: Writer, here: Path, at: int, counted: Path) -> int:
            environment = {**os.environ, "LD_PRELOAD": str(library), "FOOTFALL_KILL_FILE": f"{here}/",
                           "FOOTFALL_KILL_AT": str(at), "FOOTFALL_KILL_COUNT": str(counted)}
            return subprocess.run(writer.arguments(here), env=environment, capture_output=True, timeout=120).returncode

        calls, seconds = {}, {}
        for writer in all_writers:
            here = shared / "counted"
            writer.prepare(here)
            started = time.monotonic()
            assert run(writer, here, 0, shared / "calls") == 0
            seconds[writer.name] = time.monotonic() - started
            calls[writer.name] = int((shared / "calls").read_text())
            assert calls[writer.name] > 2, f"{writer.name}: only {calls[writer.name]} system calls are counted"

        def attempt(number: int, dice: random.Random, folder: Path) -> str:
            writer, here = chosen(all_writers, number, dice), folder / "here"
            writer.prepare(here)
            if dice.random() < 0.6:
                at = dice.randint(1, calls[writer.name])
                place = f"{writer.name}, killed at call {at} of {calls[writer.name]}"
                code = run(writer, here, at, folder / "calls")
            else:
                pause = dice.uniform(0, 1.2) * seconds[writer.name]
                place = f"{writer.name}, killed after {pause:.3f} s"
                process = subprocess.Popen(writer.arguments(here), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(pause)
                process.kill()
                code = process.wait()
            try:
                assert code in (0, -signal.SIGKILL), f"exit code {code}"
                kind = writer.whole(writer.state(here))
                assert code != 0 or kind == "after", f"exit code 0, but {kind}"
                writer.completes_marked(here)
                age(here)
                given.footfall.run(*writer.command(here))
                assert writer.state(here) == writer.after, "the repeated command leaves something else"
                assert not drafts(here), f"the repeated command leaves {drafts(here)}"
            except AssertionError as error:
                raise AssertionError(f"{place}: {error}") from error
            return f"left as {kind}"

        run_cases(given, attempt, "kills")


if __name__ == "__main__":
    main()
