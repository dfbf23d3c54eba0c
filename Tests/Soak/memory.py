#!/usr/bin/env python3
"""Measures the memory of `footfall analyze` for a log with 400,000 gaps, beside one with 40,000.

Every output must have all gaps, and take hardly more memory for ten times as many.

    memory.py FOOTFALL
"""

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

# The smaller log fills the buffers of the reader, which hold some 8 MB of text.
GAPS = (40_000, 400_000)
# In kB. The allocator keeps some memory of the largest piece of work.
MOST_GROWTH = 8_192
OUTPUTS = (
    ("the table", []),
    ("JSON", ["--output", "json"]),
    ("ndjson", ["--output", "ndjson"]),
    ("CSV", ["--output", "csv"]),
    ("the history", ["--history", "history.sqlite"]),
    ("the tables", ["--tables", "tables"]),
)


def write_log(path: Path, gaps: int) -> None:
    """Writes pieces of a second that are four seconds apart."""
    dice = random.Random(4)
    with path.open("w") as log:
        log.write("time,x,y,z\n")
        for piece in range(gaps + 1):
            for row in range(13):
                x, y = dice.gauss(0, 0.003), dice.gauss(0, 0.003)
                log.write(f"{piece * 4 + row * 0.08:.2f},{x:.4f},{y:.4f},{1 + x:.4f}\n")


def peak(footfall: str, log: Path, options: list[str], folder: Path) -> int:
    """The largest resident memory of a command, in kB."""
    with open(os.devnull, "wb") as nothing:
        process = subprocess.Popen([footfall, "analyze", log, *options], stdout=nothing, cwd=folder)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode in (0, 4), f"analyze {' '.join(options)} ended with {process.returncode}"
    return usage.ru_maxrss


def main() -> None:
    footfall = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for gaps in GAPS:
            write_log(folder / f"{gaps}.csv", gaps)
        for title, options in OUTPUTS:
            few, many = (peak(footfall, folder / f"{gaps}.csv", options, folder) for gaps in GAPS)
            print(f"{title}: {few / 1000:.0f} MB with {GAPS[0]} gaps, {many / 1000:.0f} MB with {GAPS[1]}")
            assert many - few < MOST_GROWTH, f"{title} needs {(many - few) / 1000:.0f} MB more for more gaps"


if __name__ == "__main__":
    main()
