#!/usr/bin/env python3
"""Kills `footfall live`, damages or moves what it leaves, and asks for the steps.

The last seconds of a killed session wait in a file beside the history. What it has printed is in the answers at once, or they say that
something waits. The next command that records takes it into the history; it is neither lost nor doubled, and goes into no other
history. A damaged record costs the records from it on.

    sessions.py FOOTFALL [--count N] [--seed N] [--only CASE]
"""

import json
import random
import subprocess
import time
from pathlib import Path

from cases import TRACES, Footfall, day, options, run_cases

KINDS = ("next", "clock", "empty", "head", "middle", "delete", "moved")
SPEED = 100  # times the speed of the recording


def kept(footfall: Footfall, history: Path, source: str) -> int:
    answer = footfall.run("history", "info", "--history", history, "--output", "json")
    return sum(row["steps"] for row in json.loads(answer)[0]["sources"] if row["source"] == source)


def killed(footfall: Footfall, history: Path, start: float, seconds: float) -> int:
    """Replays a way to work, kills the session, and returns the number of steps that it has printed."""
    process = subprocess.Popen(
        footfall.arguments("live", "--replay", TRACES / "commute.csv", "--start", day(start), "--tz", "UTC", "--speed", SPEED,
                           "--history", history, "--source", "wrist", "--output", "ndjson"),
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    time.sleep(seconds)
    process.kill()
    return sum('"event":"step"' in line for line in process.communicate()[0].splitlines())


def answered(footfall: Footfall, history: Path, printed: int) -> None:
    """Asks for the steps, and for a copy and an export."""
    query = subprocess.run(footfall.arguments("query", "steps", "--source", "wrist", "--history", history, "--output", "json"),
                           capture_output=True, text=True)
    says = "wait" in query.stdout + query.stderr
    found = json.loads(query.stdout)[0]["steps"] if query.returncode == 0 and query.stdout.strip() else 0
    assert found >= printed or says, f"query: {found} of {printed} steps, and nothing is said: {query.stderr[-300:]}"
    for suffix in ("", "-copy"):
        if suffix:
            footfall.run("history", "copy", f"{history}{suffix}", "--history", history)
        export = subprocess.run(footfall.arguments("history", "export", "--history", f"{history}{suffix}"),
                                capture_output=True, text=True)
        count = sum(len(json.loads(line).get("steps", [])) for line in export.stdout.splitlines())
        assert count >= printed or "wait" in export.stderr, f"export{suffix}: {count} of {printed} steps: {export.stderr[-300:]}"


def main() -> None:
    given = options(__doc__, 70)
    footfall = given.footfall

    def attempt(number: int, dice: random.Random, folder: Path) -> str:
        history, kind = folder / "history", KINDS[number % len(KINDS)]
        printed = killed(footfall, history, 1, dice.uniform(0.5, 3))
        waiting = Path(f"{history}-live")
        if not history.exists():
            return "killed before the first event"
        if kind in ("next", "moved", "delete"):
            answered(footfall, history, printed)
        # The pipe may hold a line that was not printed whole.
        expected = range(printed, printed + 4)
        lines = waiting.read_bytes().splitlines(keepends=True) if waiting.exists() else []
        if kind == "empty":
            waiting.write_bytes(b"")
            expected = range(0, printed + 4)
        elif kind == "head" and lines:
            waiting.write_bytes(b"#" + lines[0][1:] + b"".join(lines[1:]))
        elif kind == "middle" and len(lines) > 3:
            lines[2] = lines[2][:20] + b"#" + lines[2][21:]
            waiting.write_bytes(b"".join(lines))
            expected = range(0, printed + 4)
        elif kind == "moved":
            history.rename(folder / "moved")
            footfall.run(*footfall.record(history, "walk-wrist", 3, "pocket"))
            assert kept(footfall, history, "wrist") == 0, "steps of another history"
            history = folder / "moved"
        footfall.run("history", "delete", "--source", "wrist", "--since", day(5), "--history", history, codes=(0, 64))
        found = kept(footfall, history, "wrist")
        assert found in expected, f"{kind}: {found} steps of {printed}"
        if kind == "delete":
            footfall.run("history", "delete", "--source", "wrist", "--history", history, codes=(0, 64))
            footfall.run("live", "-", "--history", history, codes=(1, 65))
            assert kept(footfall, history, "wrist") == 0, "deleted steps are back"
        footfall.run("history", "check", "--history", history)
        return kind

    run_cases(given, attempt, "killed sessions")


if __name__ == "__main__":
    main()
