#!/usr/bin/env python3
"""Lets system calls of commands that write fail with EIO: one, or all from one on; any call, or only those that wait for the disk.

No history is damaged. A command that ends with 0 has left everything, and says so if the disk may have lost it. Any other leaves each
history, file and folder of tables with the content of before or after, or marked as incomplete. No draft is left, and on a sound disk
the command can be repeated.

    errors.py FOOTFALL [--count N] [--seed N] [--only CASE]
"""

import os
import random
import subprocess
import tempfile
from pathlib import Path

from cases import options, preloaded, run_cases
from writers import Writer, chosen, drafts, writers

FAILURES = (1, 73, 74)


def main() -> None:
    given = options(__doc__, 500)
    with tempfile.TemporaryDirectory() as name:
        shared = Path(name)
        library = preloaded(shared, "kill_at_call")
        all_writers = writers(given.footfall, shared)

        def run(writer: Writer, here: Path, **settings: object) -> subprocess.CompletedProcess:
            environment = {**os.environ, "LD_PRELOAD": str(library), "FOOTFALL_KILL_FILE": f"{here}/",
                           **{f"FOOTFALL_{key}": str(value) for key, value in settings.items()}}
            return subprocess.run(writer.arguments(here), capture_output=True, text=True, timeout=120, env=environment)

        # The numbers of calls of each command: all, and those that wait for the disk.
        calls = {}
        for writer in all_writers:
            for only_sync in (False, True):
                here = shared / "counted"
                writer.prepare(here)
                assert run(writer, here, KILL_COUNT=shared / "calls", FAIL="one", **({"FAIL_SYNC": 1} if only_sync else {})).returncode == 0
                calls[writer.name, only_sync] = int((shared / "calls").read_text())
            assert calls[writer.name, False] > 1, f"{writer.name}: only {calls[writer.name, False]} system calls are counted"

        def attempt(number: int, dice: random.Random, folder: Path) -> str:
            writer, here, note = chosen(all_writers, number, dice), folder / "here", folder / "note"
            only_sync = dice.random() < 0.4 and calls[writer.name, True] > 0
            mode, total = dice.choice(("one", "all")), calls[writer.name, only_sync]
            at = dice.randint(1, total)
            writer.prepare(here)
            result = run(writer, here, KILL_AT=at, FAIL=mode, FAIL_NOTE=note, **({"FAIL_SYNC": 1} if only_sync else {}))
            failed = note.read_text().splitlines() if note.exists() else []
            try:
                assert result.returncode in (0, *FAILURES), f"exit code {result.returncode}: {result.stderr[-400:]}"
                kind = writer.whole(writer.state(here))
                assert result.returncode != 0 or kind == "after", f"exit code 0, but {kind}"
                assert result.returncode == 0 or result.stderr.startswith("footfall: "), f"no message: {result.stderr[-400:]}"
                # What the disk has not taken may be lost. The index of a log can be made again, so it may fail once.
                lost = [call for call in failed if "sync" in call]
                assert result.returncode != 0 or mode == "one" or not lost, f"exit code 0 after {lost[:2]}"
                assert not drafts(here), f"{drafts(here)} is left: {result.stderr[-400:]}"
                writer.completes_marked(here)
                given.footfall.run(*writer.command(here))
                assert writer.state(here) == writer.after, "the repeated command leaves something else"
            except AssertionError as error:
                what = f"{mode} {'sync' if only_sync else 'call'} {at} of {total} ({', '.join(failed[:1])})"
                raise AssertionError(f"{writer.name}, {what}: {error}") from error
            return f"left as {kind} with exit code {result.returncode}"

        run_cases(given, attempt, "errors of the disk")


if __name__ == "__main__":
    main()
